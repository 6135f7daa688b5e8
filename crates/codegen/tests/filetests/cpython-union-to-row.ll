; A union is decided by the type of the object, arm after arm.
; schema (i64|str,)
; from cpython to row
;
; 0  tuple of 1, acyclic
; 1  union, int 0, i64 at 2, str at 4
; 2  i64, int 1
; 3  jump to 6
; 4  str, str 0
; 5  jump to 6
; 6  leave
; 7  end

@serow_py_tuple = external global i8
@serow_py_int = external global i8
@serow_py_str = external global i8

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

bailout:                                          ; preds = %165, %join, %long, %128, %arm5, %90, %three, %arm, %67, %44, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory16 = load ptr, ptr %1, align 1
  %start17 = load ptr, ptr %memory16, align 1
  %11 = ptrtoint ptr %start17 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory16, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %169, %start
  %15 = phi i64 [ %2, %start ], [ %171, %169 ]
  %16 = phi ptr [ %5, %start ], [ %59, %169 ]
  %17 = icmp ult i64 %15, %3
  br i1 %17, label %18, label %bailout, !prof !0

18:                                               ; preds = %next
  %19 = sub i64 %15, %2
  %20 = ptrtoint ptr %16 to i64
  %21 = ptrtoint ptr %7 to i64
  %22 = sub i64 %21, %20
  %23 = icmp ugt i64 %22, 95
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
  %33 = getelementptr i8, ptr %30, i64 64
  %soon = load ptr, ptr %33, align 1
  %34 = getelementptr i8, ptr %soon, i64 8
  %type = load ptr, ptr %34, align 1
  %35 = icmp eq ptr %type, @serow_py_tuple
  br i1 %35, label %tuple, label %fetched

fetched:                                          ; preds = %fields, %tuple, %fetch, %24
  %36 = mul i64 %15, 8
  %37 = getelementptr i8, ptr %rows, i64 %36
  %object = load ptr, ptr %37, align 1
  %38 = getelementptr i8, ptr %object, i64 8
  %type3 = load ptr, ptr %38, align 1
  %39 = icmp eq ptr %type3, @serow_py_tuple
  br i1 %39, label %44, label %bailout, !prof !0

tuple:                                            ; preds = %fetch
  %40 = getelementptr i8, ptr %soon, i64 16
  %len2 = load i64, ptr %40, align 1
  %41 = icmp eq i64 %len2, 1
  br i1 %41, label %fields, label %fetched

fields:                                           ; preds = %tuple
  %42 = getelementptr i8, ptr %soon, i64 24
  %field = load ptr, ptr %42, align 1
  call void @llvm.prefetch.p0(ptr %field, i32 0, i32 3, i32 1)
  %43 = getelementptr i8, ptr %field, i64 48
  call void @llvm.prefetch.p0(ptr %43, i32 0, i32 3, i32 1)
  br label %fetched

44:                                               ; preds = %fetched
  %45 = getelementptr i8, ptr %object, i64 16
  %len4 = load i64, ptr %45, align 1
  %46 = icmp eq i64 %len4, 1
  br i1 %46, label %47, label %bailout, !prof !0

47:                                               ; preds = %44
  %48 = getelementptr i8, ptr %object, i64 24
  %object6 = load ptr, ptr %48, align 1
  %49 = getelementptr i8, ptr %object6, i64 8
  %type7 = load ptr, ptr %49, align 1
  %50 = icmp eq ptr %type7, @serow_py_int
  br i1 %50, label %arm, label %65

arm:                                              ; preds = %47
  store i8 1, ptr %25, align 1
  %51 = getelementptr i8, ptr %25, i64 1
  %52 = getelementptr i8, ptr %object, i64 24
  %object8 = load ptr, ptr %52, align 1
  %53 = getelementptr i8, ptr %object8, i64 8
  %type9 = load ptr, ptr %53, align 1
  %54 = icmp eq ptr %type9, @serow_py_int
  br i1 %54, label %68, label %bailout, !prof !0

arm5:                                             ; preds = %65
  store i8 3, ptr %25, align 1
  %55 = getelementptr i8, ptr %25, i64 1
  %56 = getelementptr i8, ptr %object, i64 24
  %object12 = load ptr, ptr %56, align 1
  %57 = getelementptr i8, ptr %object12, i64 8
  %type13 = load ptr, ptr %57, align 1
  %58 = icmp eq ptr %type13, @serow_py_str
  br i1 %58, label %128, label %bailout, !prof !0

join:                                             ; preds = %join15, %98
  %59 = phi ptr [ %99, %98 ], [ %149, %join15 ]
  %60 = ptrtoint ptr %16 to i64
  %61 = ptrtoint ptr %59 to i64
  %62 = sub i64 %61, %60
  %63 = sub i64 %62, 4
  %64 = icmp ult i64 %63, 4294967232
  br i1 %64, label %165, label %bailout, !prof !0

65:                                               ; preds = %47
  %66 = icmp eq ptr %type7, @serow_py_str
  br i1 %66, label %arm5, label %67

67:                                               ; preds = %65
  br label %bailout

68:                                               ; preds = %arm
  %69 = getelementptr i8, ptr %object8, i64 16
  %size = load i64, ptr %69, align 1
  %70 = getelementptr i8, ptr %object8, i64 24
  %digit = load i32, ptr %70, align 1
  %71 = zext i32 %digit to i64
  %72 = add i64 %size, 1
  %73 = icmp ult i64 %72, 3
  br i1 %73, label %small, label %large, !prof !0

small:                                            ; preds = %68
  %74 = mul i64 %size, %71
  br label %int

large:                                            ; preds = %68
  %75 = ashr i64 %size, 63
  %76 = or i64 %75, 1
  %77 = mul i64 %size, %76
  %78 = getelementptr i8, ptr %object8, i64 28
  %digit10 = load i32, ptr %78, align 1
  %79 = zext i32 %digit10 to i64
  %80 = shl i64 %79, 30
  %81 = or i64 %80, %71
  %82 = icmp ult i64 %77, 3
  br i1 %82, label %two, label %three

int:                                              ; preds = %94, %two, %small
  %83 = phi i64 [ %74, %small ], [ %88, %two ], [ %97, %94 ]
  %84 = shl i64 %83, 1
  %85 = ashr i64 %83, 63
  %86 = xor i64 %84, %85
  %87 = icmp ult i64 %86, 128
  br i1 %87, label %100, label %105

two:                                              ; preds = %large
  %88 = mul i64 %76, %81
  br label %int

three:                                            ; preds = %large
  %89 = icmp ult i64 %77, 4
  br i1 %89, label %90, label %bailout, !prof !0

90:                                               ; preds = %three
  %91 = getelementptr i8, ptr %object8, i64 32
  %digit11 = load i32, ptr %91, align 1
  %92 = zext i32 %digit11 to i64
  %93 = icmp ult i64 %92, 8
  br i1 %93, label %94, label %bailout, !prof !0

94:                                               ; preds = %90
  %95 = shl i64 %92, 60
  %96 = or i64 %95, %81
  %97 = mul i64 %76, %96
  br label %int

98:                                               ; preds = %126, %121, %114, %107, %100
  %99 = phi ptr [ %104, %100 ], [ %111, %107 ], [ %118, %114 ], [ %125, %121 ], [ %127, %126 ]
  br label %join

100:                                              ; preds = %int
  %101 = shl i64 %86, 1
  %102 = or i64 %101, 1
  %103 = trunc i64 %102 to i8
  store i8 %103, ptr %51, align 1
  %104 = getelementptr i8, ptr %51, i64 1
  br label %98

105:                                              ; preds = %int
  %106 = icmp ult i64 %86, 16384
  br i1 %106, label %107, label %112

107:                                              ; preds = %105
  %108 = shl i64 %86, 2
  %109 = or i64 %108, 2
  %110 = trunc i64 %109 to i16
  store i16 %110, ptr %51, align 1
  %111 = getelementptr i8, ptr %51, i64 2
  br label %98

112:                                              ; preds = %105
  %113 = icmp ult i64 %86, 2097152
  br i1 %113, label %114, label %119

114:                                              ; preds = %112
  %115 = shl i64 %86, 3
  %116 = or i64 %115, 4
  %117 = trunc i64 %116 to i32
  store i32 %117, ptr %51, align 1
  %118 = getelementptr i8, ptr %51, i64 3
  br label %98

119:                                              ; preds = %112
  %120 = icmp ult i64 %86, 268435456
  br i1 %120, label %121, label %126

121:                                              ; preds = %119
  %122 = shl i64 %86, 4
  %123 = or i64 %122, 8
  %124 = trunc i64 %123 to i32
  store i32 %124, ptr %51, align 1
  %125 = getelementptr i8, ptr %51, i64 4
  br label %98

126:                                              ; preds = %119
  %127 = call preserve_mostcc ptr @long_varint(ptr %51, i64 %86)
  br label %98

128:                                              ; preds = %arm5
  %129 = getelementptr i8, ptr %object12, i64 32
  %state = load i32, ptr %129, align 1
  %130 = and i32 %state, 96
  %131 = icmp eq i32 %130, 96
  br i1 %131, label %132, label %bailout, !prof !0

132:                                              ; preds = %128
  %133 = getelementptr i8, ptr %object12, i64 16
  %len14 = load i64, ptr %133, align 1
  %134 = getelementptr i8, ptr %object12, i64 48
  %135 = ptrtoint ptr %134 to i64
  %136 = and i64 %135, 4095
  %137 = icmp ult i64 %136, 4033
  %138 = icmp ult i64 %len14, 65
  %139 = and i1 %138, %137
  br i1 %139, label %short, label %long, !prof !0

short:                                            ; preds = %132
  %140 = shl i64 %len14, 1
  %141 = or i64 %140, 1
  %142 = trunc i64 %141 to i8
  store i8 %142, ptr %55, align 1
  %143 = getelementptr i8, ptr %55, i64 1
  %144 = load <16 x i8>, ptr %134, align 1
  store <16 x i8> %144, ptr %143, align 1
  %145 = icmp ult i64 %len14, 17
  br i1 %145, label %162, label %150

long:                                             ; preds = %132
  %146 = call preserve_mostcc ptr @long_str(ptr %55, ptr %7, ptr %134, i64 %len14, i64 95)
  %147 = ptrtoint ptr %146 to i64
  %148 = icmp ne i64 %147, 0
  br i1 %148, label %164, label %bailout, !prof !0

join15:                                           ; preds = %164, %162
  %149 = phi ptr [ %163, %162 ], [ %146, %164 ]
  br label %join

150:                                              ; preds = %short
  %151 = getelementptr i8, ptr %134, i64 16
  %152 = load <16 x i8>, ptr %151, align 1
  %153 = getelementptr i8, ptr %143, i64 16
  store <16 x i8> %152, ptr %153, align 1
  %154 = icmp ult i64 %len14, 33
  br i1 %154, label %162, label %155

155:                                              ; preds = %150
  %156 = getelementptr i8, ptr %134, i64 32
  %157 = load <16 x i8>, ptr %156, align 1
  %158 = getelementptr i8, ptr %143, i64 32
  store <16 x i8> %157, ptr %158, align 1
  %159 = getelementptr i8, ptr %134, i64 48
  %160 = load <16 x i8>, ptr %159, align 1
  %161 = getelementptr i8, ptr %143, i64 48
  store <16 x i8> %160, ptr %161, align 1
  br label %162

162:                                              ; preds = %155, %150, %short
  %163 = getelementptr i8, ptr %143, i64 %len14
  br label %join15

164:                                              ; preds = %long
  br label %join15

165:                                              ; preds = %join
  %166 = ptrtoint ptr %59 to i64
  %167 = ptrtoint ptr %9 to i64
  %168 = icmp ult i64 %166, %167
  br i1 %168, label %169, label %bailout, !prof !0

169:                                              ; preds = %165
  %170 = trunc i64 %63 to i32
  store i32 %170, ptr %16, align 1
  %171 = add i64 %15, 1
  br label %next
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

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

; Function Attrs: nounwind
define internal preserve_mostcc ptr @long_str(ptr %0, ptr %1, ptr %2, i64 %3, i64 %4) #0 {
start:
  %5 = icmp ult i64 %3, 4294967232
  br i1 %5, label %checked, label %none

checked:                                          ; preds = %start
  %6 = ptrtoint ptr %0 to i64
  %7 = ptrtoint ptr %1 to i64
  %8 = sub i64 %7, %6
  %9 = add i64 %3, %4
  %10 = icmp ugt i64 %8, %9
  br i1 %10, label %fits, label %none

fits:                                             ; preds = %checked
  %11 = icmp ult i64 %3, 128
  br i1 %11, label %one, label %more

none:                                             ; preds = %checked, %start
  ret ptr null

one:                                              ; preds = %fits
  %12 = shl i64 %3, 1
  %13 = or i64 %12, 1
  %14 = trunc i64 %13 to i8
  store i8 %14, ptr %0, align 1
  %15 = getelementptr i8, ptr %0, i64 1
  br label %copy

more:                                             ; preds = %fits
  %16 = call preserve_mostcc ptr @long_varint(ptr %0, i64 %3)
  br label %copy

copy:                                             ; preds = %more, %one
  %17 = phi ptr [ %15, %one ], [ %16, %more ]
  call void @serow_copy(ptr %17, ptr %2, i64 %3)
  %18 = getelementptr i8, ptr %17, i64 %3
  ret ptr %18
}

; Function Attrs: nounwind
declare void @serow_copy(ptr, ptr, i64) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
