; A list is made with null items, as a claim that was checked.
; schema ([i64], null)
; from row to cpython
;
; 0  tuple of 2
; 1  sequence as list, int 0, to 4, 9 bytes each
; 2  i64, int 1
; 3  next, from 2
; 4  null
; 5  leave
; 6  end

@serow_py_tuple = external global i8
@serow_py_small_ints = external global i8
@serow_py_int = external global i8
@serow_py_none = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %next = load ptr, ptr %0, align 1
  %4 = getelementptr i8, ptr %0, i64 8
  %end = load ptr, ptr %4, align 1
  %5 = getelementptr i8, ptr %0, i64 16
  %readable = load ptr, ptr %5, align 1
  %6 = getelementptr i8, ptr %0, i64 24
  %left = load i64, ptr %6, align 1
  %7 = getelementptr i8, ptr %0, i64 32
  %left1 = load i64, ptr %7, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next2

leave:                                            ; preds = %169, %after, %long, %short, %element, %72, %51, %37, %32, %25, %17, %next2
  %8 = sub i64 %12, %2
  store ptr %13, ptr %0, align 1
  %9 = getelementptr i8, ptr %0, i64 24
  store i64 %14, ptr %9, align 1
  %10 = getelementptr i8, ptr %0, i64 32
  store i64 %15, ptr %10, align 1
  %11 = getelementptr i8, ptr %1, i64 8
  store i64 %8, ptr %11, align 1
  ret i64 %12

next2:                                            ; preds = %174, %start
  %12 = phi i64 [ %2, %start ], [ %175, %174 ]
  %13 = phi ptr [ %next, %start ], [ %91, %174 ]
  %14 = phi i64 [ %left, %start ], [ %92, %174 ]
  %15 = phi i64 [ %left1, %start ], [ %170, %174 ]
  %16 = icmp ult i64 %12, %3
  br i1 %16, label %17, label %leave, !prof !0

17:                                               ; preds = %next2
  %18 = sub i64 %12, %2
  %19 = mul i64 %18, 8
  %20 = getelementptr i8, ptr %rows, i64 %19
  store i64 0, ptr %20, align 1
  %21 = ptrtoint ptr %13 to i64
  %22 = ptrtoint ptr %readable to i64
  %23 = sub i64 %22, %21
  %24 = icmp uge i64 %23, 4
  br i1 %24, label %25, label %leave, !prof !0

25:                                               ; preds = %17
  %26 = getelementptr i8, ptr %13, i64 4
  %len = load i32, ptr %13, align 1
  %27 = zext i32 %len to i64
  %28 = ptrtoint ptr %26 to i64
  %29 = ptrtoint ptr %end to i64
  %30 = sub i64 %29, %28
  %31 = icmp sge i64 %30, %27
  br i1 %31, label %32, label %leave, !prof !0

32:                                               ; preds = %25
  %33 = getelementptr i8, ptr %26, i64 %27
  %34 = call ptr @serow_py_malloc(i64 56)
  %35 = ptrtoint ptr %34 to i64
  %36 = icmp ne i64 %35, 0
  br i1 %36, label %37, label %leave, !prof !0

37:                                               ; preds = %32
  store i64 0, ptr %34, align 1
  %38 = getelementptr i8, ptr %34, i64 8
  store i64 0, ptr %38, align 1
  %39 = getelementptr i8, ptr %34, i64 16
  store i64 1, ptr %39, align 1
  %40 = getelementptr i8, ptr %39, i64 8
  store ptr @serow_py_tuple, ptr %40, align 1
  %41 = getelementptr i8, ptr %39, i64 16
  store i64 2, ptr %41, align 1
  %42 = getelementptr i8, ptr %39, i64 24
  store i64 0, ptr %42, align 1
  %43 = getelementptr i8, ptr %39, i64 32
  store i64 0, ptr %43, align 1
  store ptr %39, ptr %20, align 1
  %44 = ptrtoint ptr %26 to i64
  %45 = ptrtoint ptr %readable to i64
  %46 = sub i64 %45, %44
  %47 = icmp uge i64 %46, 9
  br i1 %47, label %48, label %leave, !prof !0

48:                                               ; preds = %37
  %varint = load i64, ptr %26, align 1
  %49 = and i64 %varint, 1
  %50 = icmp ne i64 %49, 0
  br i1 %50, label %55, label %59

51:                                               ; preds = %66, %62, %55
  %52 = phi i64 [ %57, %55 ], [ %64, %62 ], [ %69, %66 ]
  %53 = phi ptr [ %58, %55 ], [ %65, %62 ], [ %71, %66 ]
  %54 = icmp ule i64 %52, %14
  br i1 %54, label %72, label %leave, !prof !0

55:                                               ; preds = %48
  %56 = lshr i64 %varint, 1
  %57 = and i64 %56, 127
  %58 = getelementptr i8, ptr %26, i64 1
  br label %51

59:                                               ; preds = %48
  %60 = and i64 %varint, 2
  %61 = icmp ne i64 %60, 0
  br i1 %61, label %62, label %66

62:                                               ; preds = %59
  %63 = lshr i64 %varint, 2
  %64 = and i64 %63, 16383
  %65 = getelementptr i8, ptr %26, i64 2
  br label %51

66:                                               ; preds = %59
  %67 = or i64 %varint, 256
  %68 = call i64 @llvm.cttz.i64(i64 %67, i1 true)
  %69 = call preserve_mostcc i64 @long_varint_at(ptr %26, i64 %68)
  %70 = getelementptr i8, ptr %26, i64 %68
  %71 = getelementptr i8, ptr %70, i64 1
  br label %51

72:                                               ; preds = %51
  %73 = sub i64 %14, %52
  %74 = call ptr @serow_py_make_list(i64 %52)
  %75 = ptrtoint ptr %74 to i64
  %76 = icmp ne i64 %75, 0
  br i1 %76, label %77, label %leave, !prof !0

77:                                               ; preds = %72
  %78 = getelementptr i8, ptr %39, i64 24
  store ptr %74, ptr %78, align 1
  %79 = getelementptr i8, ptr %74, i64 24
  %items = load ptr, ptr %79, align 1
  %80 = icmp ne i64 %52, 0
  br i1 %80, label %element, label %after

element:                                          ; preds = %int, %77
  %81 = phi i64 [ 0, %77 ], [ %150, %int ]
  %82 = phi ptr [ %53, %77 ], [ %100, %int ]
  %83 = phi i64 [ %73, %77 ], [ %83, %int ]
  %84 = phi i64 [ %15, %77 ], [ %84, %int ]
  %85 = mul i64 %81, 8
  %86 = getelementptr i8, ptr %items, i64 %85
  %87 = ptrtoint ptr %82 to i64
  %88 = ptrtoint ptr %readable to i64
  %89 = sub i64 %88, %87
  %90 = icmp uge i64 %89, 9
  br i1 %90, label %95, label %leave, !prof !0

after:                                            ; preds = %int, %77
  %91 = phi ptr [ %53, %77 ], [ %100, %int ]
  %92 = phi i64 [ %73, %77 ], [ %83, %int ]
  %93 = phi i64 [ %15, %77 ], [ %84, %int ]
  call void @serow_py_track(ptr %74)
  %94 = icmp ne i64 %93, 0
  br i1 %94, label %169, label %leave, !prof !0

95:                                               ; preds = %element
  %varint3 = load i64, ptr %82, align 1
  %96 = and i64 %varint3, 1
  %97 = icmp ne i64 %96, 0
  br i1 %97, label %107, label %111

98:                                               ; preds = %132, %128, %121, %114, %107
  %99 = phi i64 [ %109, %107 ], [ %116, %114 ], [ %123, %121 ], [ %130, %128 ], [ %135, %132 ]
  %100 = phi ptr [ %110, %107 ], [ %117, %114 ], [ %124, %121 ], [ %131, %128 ], [ %137, %132 ]
  %101 = and i64 %99, 1
  %102 = sub i64 0, %101
  %103 = lshr i64 %99, 1
  %104 = xor i64 %103, %102
  %105 = sub i64 %104, -5
  %106 = icmp ult i64 %105, 262
  br i1 %106, label %small, label %other

107:                                              ; preds = %95
  %108 = lshr i64 %varint3, 1
  %109 = and i64 %108, 127
  %110 = getelementptr i8, ptr %82, i64 1
  br label %98

111:                                              ; preds = %95
  %112 = and i64 %varint3, 2
  %113 = icmp ne i64 %112, 0
  br i1 %113, label %114, label %118

114:                                              ; preds = %111
  %115 = lshr i64 %varint3, 2
  %116 = and i64 %115, 16383
  %117 = getelementptr i8, ptr %82, i64 2
  br label %98

118:                                              ; preds = %111
  %119 = and i64 %varint3, 4
  %120 = icmp ne i64 %119, 0
  br i1 %120, label %121, label %125

121:                                              ; preds = %118
  %122 = lshr i64 %varint3, 3
  %123 = and i64 %122, 2097151
  %124 = getelementptr i8, ptr %82, i64 3
  br label %98

125:                                              ; preds = %118
  %126 = and i64 %varint3, 8
  %127 = icmp ne i64 %126, 0
  br i1 %127, label %128, label %132

128:                                              ; preds = %125
  %129 = lshr i64 %varint3, 4
  %130 = and i64 %129, 268435455
  %131 = getelementptr i8, ptr %82, i64 4
  br label %98

132:                                              ; preds = %125
  %133 = or i64 %varint3, 256
  %134 = call i64 @llvm.cttz.i64(i64 %133, i1 true)
  %135 = call preserve_mostcc i64 @long_varint_at(ptr %82, i64 %134)
  %136 = getelementptr i8, ptr %82, i64 %134
  %137 = getelementptr i8, ptr %136, i64 1
  br label %98

small:                                            ; preds = %98
  %138 = mul i64 %105, 8
  %139 = getelementptr i8, ptr @serow_py_small_ints, i64 %138
  %int4 = load ptr, ptr %139, align 1
  %count = load i64, ptr %int4, align 1
  %140 = add i64 %count, 1
  store i64 %140, ptr %int4, align 1
  br label %int

other:                                            ; preds = %98
  %141 = add i64 %104, 1152921504606846975
  %142 = icmp ult i64 %141, 2305843009213693951
  br i1 %142, label %short, label %long, !prof !0

short:                                            ; preds = %other
  %143 = call ptr @serow_py_malloc(i64 32)
  %144 = ptrtoint ptr %143 to i64
  %145 = icmp ne i64 %144, 0
  br i1 %145, label %152, label %leave, !prof !0

long:                                             ; preds = %other
  %146 = call ptr @serow_py_make_int(i64 %104)
  %147 = ptrtoint ptr %146 to i64
  %148 = icmp ne i64 %147, 0
  br i1 %148, label %168, label %leave, !prof !0

int:                                              ; preds = %168, %152, %small
  %149 = phi ptr [ %int4, %small ], [ %143, %152 ], [ %146, %168 ]
  store ptr %149, ptr %86, align 1
  %150 = add i64 %81, 1
  %151 = icmp ult i64 %150, %52
  br i1 %151, label %element, label %after

152:                                              ; preds = %short
  store i64 1, ptr %143, align 1
  %153 = getelementptr i8, ptr %143, i64 8
  store ptr @serow_py_int, ptr %153, align 1
  %154 = ashr i64 %104, 63
  %155 = xor i64 %104, %154
  %156 = sub i64 %155, %154
  %157 = lshr i64 %156, 30
  %158 = and i64 %156, 1073741823
  %159 = shl i64 %157, 32
  %160 = or i64 %158, %159
  %161 = getelementptr i8, ptr %143, i64 24
  store i64 %160, ptr %161, align 1
  %162 = icmp ne i64 %157, 0
  %163 = zext i1 %162 to i64
  %164 = add i64 %163, 1
  %165 = xor i64 %164, %154
  %166 = sub i64 %165, %154
  %167 = getelementptr i8, ptr %143, i64 16
  store i64 %166, ptr %167, align 1
  br label %int

168:                                              ; preds = %long
  br label %int

169:                                              ; preds = %after
  %170 = sub i64 %93, 1
  %count5 = load i64, ptr @serow_py_none, align 1
  %171 = add i64 %count5, 1
  store i64 %171, ptr @serow_py_none, align 1
  %172 = getelementptr i8, ptr %39, i64 32
  store ptr @serow_py_none, ptr %172, align 1
  call void @serow_py_track(ptr %39)
  %173 = icmp eq ptr %91, %33
  br i1 %173, label %174, label %leave, !prof !0

174:                                              ; preds = %169
  %175 = add i64 %12, 1
  br label %next2
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.cttz.i64(i64, i1 immarg) #1

; Function Attrs: nounwind
define internal preserve_mostcc i64 @long_varint_at(ptr %0, i64 %1) #0 {
start:
  %2 = icmp ult i64 %1, 8
  br i1 %2, label %some, label %all

some:                                             ; preds = %start
  %3 = add i64 %1, 1
  %word = load i64, ptr %0, align 1
  %4 = mul i64 %3, 8
  %5 = sub i64 64, %4
  %6 = shl i64 %word, %5
  %7 = mul i64 %3, 7
  %8 = sub i64 64, %7
  %9 = lshr i64 %6, %8
  ret i64 %9

all:                                              ; preds = %start
  %10 = getelementptr i8, ptr %0, i64 1
  %word1 = load i64, ptr %10, align 1
  ret i64 %word1
}

; Function Attrs: nounwind
declare ptr @serow_py_make_list(i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_make_int(i64) #0

; Function Attrs: nounwind
declare void @serow_py_track(ptr) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
