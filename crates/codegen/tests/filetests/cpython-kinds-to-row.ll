; Sets and dicts are told by their types, records and enums by functions.
; schema {bool}|{"a": bool}|Part{key: bool}|enum Color{RED}
; from cpython to row
;
;  0  union, int 0, set at 1, dict at 5, record 1 at 9, enum 0 at 13
;  1  sequence as set, int 1, to 4, 1 bytes each
;  2  bool, bit 0
;  3  next, from 2
;  4  jump to 15
;  5  struct of 1: dict, a
;  6  bool, bit 1
;  7  leave
;  8  jump to 15
;  9  struct of 1: Part, key
; 10  bool, bit 2
; 11  leave
; 12  jump to 15
; 13  enum 0 of 1, int 2: Color, RED
; 14  jump to 15
; 15  end

@serow_py_set = external global i8
@serow_py_dict = external global i8
@serow_py_true = external global i8
@serow_py_false = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %memory = load ptr, ptr %1, align 1
  %start1 = load ptr, ptr %memory, align 1
  %4 = getelementptr i8, ptr %memory, i64 8
  %len = load i64, ptr %4, align 1
  %5 = getelementptr i8, ptr %start1, i64 %len
  %6 = getelementptr i8, ptr %memory, i64 16
  %limit = load i64, ptr %6, align 1
  %7 = getelementptr i8, ptr %start1, i64 %limit
  %8 = getelementptr i8, ptr %1, i64 8
  %full = load i64, ptr %8, align 1
  %9 = getelementptr i8, ptr %start1, i64 %full
  br label %next

bailout:                                          ; preds = %164, %join, %arm4, %122, %arm3, %115, %arm2, %after, %element, %89, %72, %arm, %68, %18, %next
  %10 = sub i64 %15, %2
  %memory13 = load ptr, ptr %1, align 1
  %start14 = load ptr, ptr %memory13, align 1
  %11 = ptrtoint ptr %start14 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory13, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %168, %start
  %15 = phi i64 [ %2, %start ], [ %170, %168 ]
  %16 = phi ptr [ %5, %start ], [ %53, %168 ]
  %17 = icmp ult i64 %15, %3
  br i1 %17, label %18, label %bailout, !prof !0

18:                                               ; preds = %next
  %19 = sub i64 %15, %2
  %20 = ptrtoint ptr %16 to i64
  %21 = ptrtoint ptr %7 to i64
  %22 = sub i64 %21, %20
  %23 = icmp ugt i64 %22, 33
  br i1 %23, label %24, label %bailout, !prof !0

24:                                               ; preds = %18
  %25 = getelementptr i8, ptr %16, i64 4
  %rows = load ptr, ptr %0, align 1
  %26 = getelementptr i8, ptr %0, i64 8
  %ahead = load i64, ptr %26, align 1
  %27 = add i64 %15, 16
  %28 = icmp ult i64 %27, %ahead
  br i1 %28, label %fetch, label %fetched

fetch:                                            ; preds = %24
  %29 = mul i64 %15, 8
  %30 = getelementptr i8, ptr %rows, i64 %29
  %31 = getelementptr i8, ptr %30, i64 128
  %later = load ptr, ptr %31, align 1
  call void @llvm.prefetch.p0(ptr %later, i32 0, i32 3, i32 1)
  %32 = getelementptr i8, ptr %later, i64 64
  call void @llvm.prefetch.p0(ptr %32, i32 0, i32 3, i32 1)
  br label %fetched

fetched:                                          ; preds = %fetch, %24
  %33 = mul i64 %15, 8
  %34 = getelementptr i8, ptr %rows, i64 %33
  %35 = getelementptr i8, ptr %0, i64 96
  store i64 0, ptr %35, align 1
  %object = load ptr, ptr %34, align 1
  %36 = getelementptr i8, ptr %object, i64 8
  %type = load ptr, ptr %36, align 1
  %37 = icmp eq ptr %type, @serow_py_set
  br i1 %37, label %arm, label %59

arm:                                              ; preds = %fetched
  store i8 1, ptr %25, align 1
  %38 = getelementptr i8, ptr %25, i64 1
  %object5 = load ptr, ptr %34, align 1
  %39 = call ptr @serow_py_view(ptr %0, ptr %object5, i32 0)
  %40 = ptrtoint ptr %39 to i64
  %41 = icmp ne i64 %40, 0
  br i1 %41, label %69, label %bailout, !prof !0

arm2:                                             ; preds = %59
  store i8 3, ptr %25, align 1
  %42 = getelementptr i8, ptr %25, i64 1
  %object8 = load ptr, ptr %34, align 1
  %43 = call ptr @serow_py_view(ptr %0, ptr %object8, i32 3)
  %44 = ptrtoint ptr %43 to i64
  %45 = icmp ne i64 %44, 0
  br i1 %45, label %115, label %bailout, !prof !0

arm3:                                             ; preds = %61
  store i8 5, ptr %25, align 1
  %46 = getelementptr i8, ptr %25, i64 1
  %object10 = load ptr, ptr %34, align 1
  %47 = call ptr @serow_py_view(ptr %0, ptr %object10, i32 4)
  %48 = ptrtoint ptr %47 to i64
  %49 = icmp ne i64 %48, 0
  br i1 %49, label %122, label %bailout, !prof !0

arm4:                                             ; preds = %64
  store i8 7, ptr %25, align 1
  %50 = getelementptr i8, ptr %25, i64 1
  %object12 = load ptr, ptr %34, align 1
  %51 = call i64 @serow_py_member_of(ptr %0, ptr %object12, i32 0)
  %52 = icmp ult i64 %51, 1
  br i1 %52, label %129, label %bailout, !prof !0

join:                                             ; preds = %134, %126, %119, %114
  %53 = phi ptr [ %104, %114 ], [ %121, %119 ], [ %128, %126 ], [ %135, %134 ]
  %54 = ptrtoint ptr %16 to i64
  %55 = ptrtoint ptr %53 to i64
  %56 = sub i64 %55, %54
  %57 = sub i64 %56, 4
  %58 = icmp ult i64 %57, 4294967232
  br i1 %58, label %164, label %bailout, !prof !0

59:                                               ; preds = %fetched
  %60 = icmp eq ptr %type, @serow_py_dict
  br i1 %60, label %arm2, label %61

61:                                               ; preds = %59
  %62 = call i8 @serow_py_is_record(ptr %0, ptr %object, i32 1)
  %63 = icmp ne i8 %62, 0
  br i1 %63, label %arm3, label %64

64:                                               ; preds = %61
  %65 = call i64 @serow_py_member_of(ptr %0, ptr %object, i32 0)
  %66 = icmp eq i64 %65, -1
  %67 = xor i1 %66, true
  br i1 %67, label %arm4, label %68

68:                                               ; preds = %64
  br label %bailout

69:                                               ; preds = %arm
  %70 = getelementptr i8, ptr %0, i64 88
  %len6 = load i64, ptr %70, align 1
  %71 = icmp ult i64 %len6, 128
  br i1 %71, label %75, label %80

72:                                               ; preds = %87, %82, %75
  %73 = phi ptr [ %79, %75 ], [ %86, %82 ], [ %88, %87 ]
  %74 = icmp ult i64 %len6, 4294967296
  br i1 %74, label %89, label %bailout, !prof !0

75:                                               ; preds = %69
  %76 = shl i64 %len6, 1
  %77 = or i64 %76, 1
  %78 = trunc i64 %77 to i8
  store i8 %78, ptr %38, align 1
  %79 = getelementptr i8, ptr %38, i64 1
  br label %72

80:                                               ; preds = %69
  %81 = icmp ult i64 %len6, 16384
  br i1 %81, label %82, label %87

82:                                               ; preds = %80
  %83 = shl i64 %len6, 2
  %84 = or i64 %83, 2
  %85 = trunc i64 %84 to i16
  store i16 %85, ptr %38, align 1
  %86 = getelementptr i8, ptr %38, i64 2
  br label %72

87:                                               ; preds = %80
  %88 = call preserve_mostcc ptr @long_varint(ptr %38, i64 %len6)
  br label %72

89:                                               ; preds = %72
  %90 = mul i64 %len6, 1
  %91 = ptrtoint ptr %73 to i64
  %92 = ptrtoint ptr %7 to i64
  %93 = sub i64 %92, %91
  %94 = icmp ugt i64 %93, %90
  br i1 %94, label %95, label %bailout, !prof !0

95:                                               ; preds = %89
  %96 = icmp ne i64 %len6, 0
  br i1 %96, label %element, label %after

element:                                          ; preds = %109, %95
  %97 = phi i64 [ 0, %95 ], [ %112, %109 ]
  %98 = phi ptr [ %73, %95 ], [ %111, %109 ]
  %99 = mul i64 %97, 8
  %100 = getelementptr i8, ptr %39, i64 %99
  %object7 = load ptr, ptr %100, align 1
  %101 = icmp eq ptr %object7, @serow_py_true
  %102 = icmp eq ptr %object7, @serow_py_false
  %103 = or i1 %101, %102
  br i1 %103, label %109, label %bailout, !prof !0

after:                                            ; preds = %109, %95
  %104 = phi ptr [ %73, %95 ], [ %111, %109 ]
  %105 = ptrtoint ptr %104 to i64
  %106 = ptrtoint ptr %7 to i64
  %107 = sub i64 %106, %105
  %108 = icmp ugt i64 %107, 33
  br i1 %108, label %114, label %bailout, !prof !0

109:                                              ; preds = %element
  %110 = zext i1 %101 to i8
  store i8 %110, ptr %98, align 1
  %111 = getelementptr i8, ptr %98, i64 1
  %112 = add i64 %97, 1
  %113 = icmp ult i64 %112, %len6
  br i1 %113, label %element, label %after

114:                                              ; preds = %after
  br label %join

115:                                              ; preds = %arm2
  %object9 = load ptr, ptr %43, align 1
  %116 = icmp eq ptr %object9, @serow_py_true
  %117 = icmp eq ptr %object9, @serow_py_false
  %118 = or i1 %116, %117
  br i1 %118, label %119, label %bailout, !prof !0

119:                                              ; preds = %115
  %120 = zext i1 %116 to i8
  store i8 %120, ptr %42, align 1
  %121 = getelementptr i8, ptr %42, i64 1
  br label %join

122:                                              ; preds = %arm3
  %object11 = load ptr, ptr %47, align 1
  %123 = icmp eq ptr %object11, @serow_py_true
  %124 = icmp eq ptr %object11, @serow_py_false
  %125 = or i1 %123, %124
  br i1 %125, label %126, label %bailout, !prof !0

126:                                              ; preds = %122
  %127 = zext i1 %123 to i8
  store i8 %127, ptr %46, align 1
  %128 = getelementptr i8, ptr %46, i64 1
  br label %join

129:                                              ; preds = %arm4
  %130 = shl i64 %51, 1
  %131 = ashr i64 %51, 63
  %132 = xor i64 %130, %131
  %133 = icmp ult i64 %132, 128
  br i1 %133, label %136, label %141

134:                                              ; preds = %162, %157, %150, %143, %136
  %135 = phi ptr [ %140, %136 ], [ %147, %143 ], [ %154, %150 ], [ %161, %157 ], [ %163, %162 ]
  br label %join

136:                                              ; preds = %129
  %137 = shl i64 %132, 1
  %138 = or i64 %137, 1
  %139 = trunc i64 %138 to i8
  store i8 %139, ptr %50, align 1
  %140 = getelementptr i8, ptr %50, i64 1
  br label %134

141:                                              ; preds = %129
  %142 = icmp ult i64 %132, 16384
  br i1 %142, label %143, label %148

143:                                              ; preds = %141
  %144 = shl i64 %132, 2
  %145 = or i64 %144, 2
  %146 = trunc i64 %145 to i16
  store i16 %146, ptr %50, align 1
  %147 = getelementptr i8, ptr %50, i64 2
  br label %134

148:                                              ; preds = %141
  %149 = icmp ult i64 %132, 2097152
  br i1 %149, label %150, label %155

150:                                              ; preds = %148
  %151 = shl i64 %132, 3
  %152 = or i64 %151, 4
  %153 = trunc i64 %152 to i32
  store i32 %153, ptr %50, align 1
  %154 = getelementptr i8, ptr %50, i64 3
  br label %134

155:                                              ; preds = %148
  %156 = icmp ult i64 %132, 268435456
  br i1 %156, label %157, label %162

157:                                              ; preds = %155
  %158 = shl i64 %132, 4
  %159 = or i64 %158, 8
  %160 = trunc i64 %159 to i32
  store i32 %160, ptr %50, align 1
  %161 = getelementptr i8, ptr %50, i64 4
  br label %134

162:                                              ; preds = %155
  %163 = call preserve_mostcc ptr @long_varint(ptr %50, i64 %132)
  br label %134

164:                                              ; preds = %join
  %165 = ptrtoint ptr %53 to i64
  %166 = ptrtoint ptr %9 to i64
  %167 = icmp ult i64 %165, %166
  br i1 %167, label %168, label %bailout, !prof !0

168:                                              ; preds = %164
  %169 = trunc i64 %57 to i32
  store i32 %169, ptr %16, align 1
  %170 = add i64 %15, 1
  br label %next
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare i8 @serow_py_is_record(ptr, ptr, i32) #0

; Function Attrs: nounwind
declare i64 @serow_py_member_of(ptr, ptr, i32) #0

; Function Attrs: nounwind
declare ptr @serow_py_view(ptr, ptr, i32) #0

; Function Attrs: nounwind
define internal preserve_mostcc ptr @long_varint(ptr %0, i64 %1) #0 {
start:
  %2 = call i64 @llvm.ctlz.i64(i64 %1, i1 true)
  %3 = sub i64 64, %2
  %4 = icmp ult i64 %3, 57
  br i1 %4, label %some, label %all

some:                                             ; preds = %start
  %5 = add i64 %3, 6
  %6 = mul i64 %5, 37
  %7 = lshr i64 %6, 8
  %8 = sub i64 %7, 1
  %9 = shl i64 1, %8
  %10 = shl i64 %1, %7
  %11 = or i64 %10, %9
  store i64 %11, ptr %0, align 1
  %12 = getelementptr i8, ptr %0, i64 %7
  ret ptr %12

all:                                              ; preds = %start
  store i8 0, ptr %0, align 1
  %13 = getelementptr i8, ptr %0, i64 1
  store i64 %1, ptr %13, align 1
  %14 = getelementptr i8, ptr %0, i64 9
  ret ptr %14
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctlz.i64(i64, i1 immarg) #2

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
