; A field of Spark's rows: the bit that says it is null, and its slot, which is as wide as its type is
; there. A string lies within the row, and takes of the bytes that the row has left.
;
; schema struct{"a": short, "b": float?, "c": string}
; from unsafe to cpython
;
; 0  struct of 3: Row, a, b, c
; 1  i64, int 0
; 2  optional, bit 0, else to 4
; 3  f64, float 0
; 4  str, str 0
; 5  leave
; 6  end

@serow_py_tuple = external global i8
@serow_py_small_ints = external global i8
@serow_py_int = external global i8
@serow_py_float = external global i8
@serow_py_none = external global i8
@serow_py_str = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %next = load ptr, ptr %0, align 1
  %4 = getelementptr i8, ptr %0, i64 8
  %end = load ptr, ptr %4, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next1

bailout:                                          ; preds = %str, %other10, %short9, %other8, %103, %97, %join, %present, %long, %short, %27, %21, %19, %11, %next1
  %5 = sub i64 %7, %2
  store ptr %8, ptr %0, align 1
  %6 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %6, align 1
  ret i64 %7

next1:                                            ; preds = %176, %start
  %7 = phi i64 [ %2, %start ], [ %177, %176 ]
  %8 = phi ptr [ %next, %start ], [ %87, %176 ]
  %9 = phi i64 [ 0, %start ], [ %107, %176 ]
  %10 = icmp ult i64 %7, %3
  br i1 %10, label %11, label %bailout, !prof !0

11:                                               ; preds = %next1
  %12 = sub i64 %7, %2
  %13 = getelementptr i8, ptr %1, i64 96
  store i64 0, ptr %13, align 1
  %14 = mul i64 %12, 8
  %15 = getelementptr i8, ptr %rows, i64 %14
  store i64 0, ptr %15, align 1
  %size = load i64, ptr %8, align 1
  %16 = getelementptr i8, ptr %8, i64 8
  %17 = getelementptr i8, ptr %16, i64 %size
  %18 = icmp ule i64 32, %size
  br i1 %18, label %19, label %bailout, !prof !0

19:                                               ; preds = %11
  %20 = icmp uge i64 %size, 32
  br i1 %20, label %21, label %bailout, !prof !0

21:                                               ; preds = %19
  %22 = sub i64 %size, 32
  %23 = getelementptr i8, ptr %16, i64 8
  %24 = call ptr @serow_py_malloc(i64 72)
  %25 = ptrtoint ptr %24 to i64
  %26 = icmp ne i64 %25, 0
  br i1 %26, label %27, label %bailout, !prof !0

27:                                               ; preds = %21
  %28 = getelementptr i8, ptr %24, i64 144
  call void @llvm.prefetch.p0(ptr %28, i32 0, i32 3, i32 1)
  %29 = getelementptr i8, ptr %24, i64 208
  call void @llvm.prefetch.p0(ptr %29, i32 0, i32 3, i32 1)
  store i64 0, ptr %24, align 1
  %30 = getelementptr i8, ptr %24, i64 8
  store i64 0, ptr %30, align 1
  %31 = getelementptr i8, ptr %24, i64 16
  store i64 1, ptr %31, align 1
  %32 = getelementptr i8, ptr %31, i64 8
  store ptr @serow_py_tuple, ptr %32, align 1
  %33 = getelementptr i8, ptr %31, i64 16
  store i64 3, ptr %33, align 1
  %34 = getelementptr i8, ptr %31, i64 24
  store i64 0, ptr %34, align 1
  %35 = getelementptr i8, ptr %31, i64 32
  store i64 0, ptr %35, align 1
  %36 = getelementptr i8, ptr %31, i64 40
  store i64 0, ptr %36, align 1
  store ptr %31, ptr %15, align 1
  %bits = load i8, ptr %16, align 1
  %37 = and i8 %bits, 1
  %38 = icmp ne i8 %37, 0
  %39 = icmp eq i1 %38, false
  br i1 %39, label %40, label %bailout, !prof !0

40:                                               ; preds = %27
  %int = load i16, ptr %23, align 1
  %41 = sext i16 %int to i64
  %42 = sub i64 %41, -5
  %43 = icmp ult i64 %42, 262
  br i1 %43, label %small, label %other

small:                                            ; preds = %40
  %44 = mul i64 %42, 8
  %45 = getelementptr i8, ptr @serow_py_small_ints, i64 %44
  %int3 = load ptr, ptr %45, align 1
  %count = load i64, ptr %int3, align 1
  %46 = add i64 %count, 1
  store i64 %46, ptr %int3, align 1
  br label %int2

other:                                            ; preds = %40
  %47 = add i64 %41, 1152921504606846975
  %48 = icmp ult i64 %47, 2305843009213693951
  br i1 %48, label %short, label %long, !prof !0

short:                                            ; preds = %other
  %49 = call ptr @serow_py_malloc(i64 32)
  %50 = ptrtoint ptr %49 to i64
  %51 = icmp ne i64 %50, 0
  br i1 %51, label %60, label %bailout, !prof !0

long:                                             ; preds = %other
  %52 = call ptr @serow_py_make_int(i64 %41)
  %53 = ptrtoint ptr %52 to i64
  %54 = icmp ne i64 %53, 0
  br i1 %54, label %77, label %bailout, !prof !0

int2:                                             ; preds = %77, %60, %small
  %55 = phi ptr [ %int3, %small ], [ %49, %60 ], [ %52, %77 ]
  %56 = getelementptr i8, ptr %31, i64 24
  store ptr %55, ptr %56, align 1
  %bits4 = load i8, ptr %16, align 1
  %57 = and i8 %bits4, 2
  %58 = icmp ne i8 %57, 0
  %59 = icmp eq i1 %58, false
  br i1 %59, label %present, label %absent

60:                                               ; preds = %short
  %61 = getelementptr i8, ptr %49, i64 256
  call void @llvm.prefetch.p0(ptr %61, i32 0, i32 3, i32 1)
  store i64 1, ptr %49, align 1
  %62 = getelementptr i8, ptr %49, i64 8
  store ptr @serow_py_int, ptr %62, align 1
  %63 = ashr i64 %41, 63
  %64 = xor i64 %41, %63
  %65 = sub i64 %64, %63
  %66 = lshr i64 %65, 30
  %67 = and i64 %65, 1073741823
  %68 = shl i64 %66, 32
  %69 = or i64 %67, %68
  %70 = getelementptr i8, ptr %49, i64 24
  store i64 %69, ptr %70, align 1
  %71 = icmp ne i64 %66, 0
  %72 = zext i1 %71 to i64
  %73 = add i64 %72, 1
  %74 = xor i64 %73, %63
  %75 = sub i64 %74, %63
  %76 = getelementptr i8, ptr %49, i64 16
  store i64 %75, ptr %76, align 1
  br label %int2

77:                                               ; preds = %long
  br label %int2

present:                                          ; preds = %int2
  %78 = getelementptr i8, ptr %23, i64 8
  %float = load i32, ptr %78, align 1
  %79 = bitcast i32 %float to float
  %80 = fpext float %79 to double
  %81 = bitcast double %80 to i64
  %82 = call ptr @serow_py_malloc(i64 24)
  %83 = ptrtoint ptr %82 to i64
  %84 = icmp ne i64 %83, 0
  br i1 %84, label %92, label %bailout, !prof !0

absent:                                           ; preds = %int2
  %count5 = load i64, ptr @serow_py_none, align 1
  %85 = add i64 %count5, 1
  store i64 %85, ptr @serow_py_none, align 1
  %86 = getelementptr i8, ptr %31, i64 32
  store ptr @serow_py_none, ptr %86, align 1
  br label %join

join:                                             ; preds = %absent, %92
  %87 = phi ptr [ %17, %92 ], [ %17, %absent ]
  %88 = phi i64 [ %22, %92 ], [ %22, %absent ]
  %bits6 = load i8, ptr %16, align 1
  %89 = and i8 %bits6, 4
  %90 = icmp ne i8 %89, 0
  %91 = icmp eq i1 %90, false
  br i1 %91, label %97, label %bailout, !prof !0

92:                                               ; preds = %present
  %93 = getelementptr i8, ptr %82, i64 256
  call void @llvm.prefetch.p0(ptr %93, i32 0, i32 3, i32 1)
  store i64 1, ptr %82, align 1
  %94 = getelementptr i8, ptr %82, i64 8
  store ptr @serow_py_float, ptr %94, align 1
  %95 = getelementptr i8, ptr %82, i64 16
  store i64 %81, ptr %95, align 1
  %96 = getelementptr i8, ptr %31, i64 32
  store ptr %82, ptr %96, align 1
  br label %join

97:                                               ; preds = %join
  %98 = getelementptr i8, ptr %23, i64 16
  %word = load i64, ptr %98, align 1
  %99 = lshr i64 %word, 32
  %100 = and i64 %word, 4294967295
  %101 = add i64 %99, %100
  %102 = icmp ule i64 %101, %size
  br i1 %102, label %103, label %bailout, !prof !0

103:                                              ; preds = %97
  %104 = getelementptr i8, ptr %16, i64 %99
  %105 = icmp uge i64 %88, %100
  br i1 %105, label %106, label %bailout, !prof !0

106:                                              ; preds = %103
  %107 = sub i64 %88, %100
  %108 = ptrtoint ptr %104 to i64
  %109 = ptrtoint ptr %end to i64
  %110 = sub i64 %109, %108
  %111 = sub i64 %100, 1
  %112 = icmp ult i64 %111, 64
  %113 = icmp uge i64 %110, 8
  %114 = and i1 %112, %113
  br i1 %114, label %short7, label %other8, !prof !0

short7:                                           ; preds = %106
  %115 = call preserve_mostcc i64 @has_high_bits(ptr %104, i64 %100)
  %116 = icmp eq i64 %115, 0
  br i1 %116, label %ascii, label %other8, !prof !0

other8:                                           ; preds = %short7, %106
  %117 = call i8 @serow_utf_8(ptr %104, i64 %100)
  %118 = icmp ne i8 %117, 0
  br i1 %118, label %127, label %bailout, !prof !0

ascii:                                            ; preds = %127, %short7
  %119 = phi i1 [ true, %short7 ], [ %128, %127 ]
  %120 = ptrtoint ptr %104 to i64
  %121 = and i64 %120, 4095
  %122 = icmp ult i64 %121, 4089
  %123 = sub i64 %100, 2
  %124 = icmp ult i64 %123, 63
  %125 = and i1 %124, %122
  %126 = and i1 %125, %119
  br i1 %126, label %short9, label %other10, !prof !0

127:                                              ; preds = %other8
  %128 = icmp eq i8 %117, 2
  br label %ascii

short9:                                           ; preds = %ascii
  %129 = add i64 %100, 64
  %130 = and i64 %129, -16
  %131 = call ptr @serow_py_malloc(i64 %130)
  %132 = ptrtoint ptr %131 to i64
  %133 = icmp ne i64 %132, 0
  br i1 %133, label %142, label %bailout, !prof !0

other10:                                          ; preds = %ascii
  %134 = call ptr @serow_py_make_str(ptr %104, i64 %100)
  %135 = ptrtoint ptr %134 to i64
  %136 = icmp ne i64 %135, 0
  br i1 %136, label %175, label %bailout, !prof !0

str:                                              ; preds = %175, %copied
  %137 = phi ptr [ %131, %copied ], [ %134, %175 ]
  %138 = getelementptr i8, ptr %31, i64 40
  store ptr %137, ptr %138, align 1
  store ptr null, ptr %15, align 1
  %139 = call ptr @serow_py_build(ptr %1, ptr %31, i32 3, i32 0)
  %140 = ptrtoint ptr %139 to i64
  %141 = icmp ne i64 %140, 0
  br i1 %141, label %176, label %bailout, !prof !0

142:                                              ; preds = %short9
  %143 = getelementptr i8, ptr %131, i64 256
  call void @llvm.prefetch.p0(ptr %143, i32 0, i32 3, i32 1)
  store i64 1, ptr %131, align 1
  %144 = getelementptr i8, ptr %131, i64 8
  store ptr @serow_py_str, ptr %144, align 1
  %145 = getelementptr i8, ptr %131, i64 320
  call void @llvm.prefetch.p0(ptr %145, i32 0, i32 3, i32 1)
  %146 = getelementptr i8, ptr %131, i64 16
  store i64 %100, ptr %146, align 1
  %147 = getelementptr i8, ptr %131, i64 24
  store i64 -1, ptr %147, align 1
  %148 = getelementptr i8, ptr %131, i64 32
  store i64 228, ptr %148, align 1
  %149 = getelementptr i8, ptr %131, i64 40
  store i64 0, ptr %149, align 1
  %150 = getelementptr i8, ptr %131, i64 48
  %151 = icmp ult i64 %100, 8
  br i1 %151, label %word11, label %some

word11:                                           ; preds = %142
  %152 = load i64, ptr %104, align 1
  store i64 %152, ptr %150, align 1
  br label %copied

some:                                             ; preds = %142
  %153 = icmp ult i64 %100, 16
  br i1 %153, label %two, label %more

two:                                              ; preds = %some
  %154 = sub i64 %100, 8
  %155 = getelementptr i8, ptr %104, i64 %154
  %156 = load i64, ptr %155, align 1
  %157 = load i64, ptr %104, align 1
  store i64 %157, ptr %150, align 1
  %158 = getelementptr i8, ptr %150, i64 %154
  store i64 %156, ptr %158, align 1
  br label %copied

more:                                             ; preds = %some
  %159 = sub i64 %100, 16
  %160 = icmp ult i64 %159, 16
  %161 = select i1 %160, i64 %159, i64 16
  %162 = sub i64 %159, 16
  %163 = select i1 %160, i64 0, i64 %162
  %164 = load <16 x i8>, ptr %104, align 1
  store <16 x i8> %164, ptr %150, align 1
  %165 = getelementptr i8, ptr %104, i64 %161
  %166 = load <16 x i8>, ptr %165, align 1
  %167 = getelementptr i8, ptr %150, i64 %161
  store <16 x i8> %166, ptr %167, align 1
  %168 = getelementptr i8, ptr %104, i64 %163
  %169 = load <16 x i8>, ptr %168, align 1
  %170 = getelementptr i8, ptr %150, i64 %163
  store <16 x i8> %169, ptr %170, align 1
  %171 = getelementptr i8, ptr %104, i64 %159
  %172 = load <16 x i8>, ptr %171, align 1
  %173 = getelementptr i8, ptr %150, i64 %159
  store <16 x i8> %172, ptr %173, align 1
  br label %copied

copied:                                           ; preds = %more, %two, %word11
  %174 = getelementptr i8, ptr %150, i64 %100
  store i8 0, ptr %174, align 1
  br label %str

175:                                              ; preds = %other10
  br label %str

176:                                              ; preds = %str
  store ptr %139, ptr %15, align 1
  %177 = add i64 %7, 1
  br label %next1
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare ptr @serow_py_make_int(i64) #0

; Function Attrs: nounwind
define internal preserve_mostcc i64 @has_high_bits(ptr %0, i64 %1) #0 {
start:
  %2 = icmp ult i64 %1, 8
  br i1 %2, label %word, label %some

word:                                             ; preds = %start
  %3 = shl i64 %1, 3
  %4 = sub i64 64, %3
  %5 = load i64, ptr %0, align 1
  %6 = shl i64 %5, %4
  %7 = and i64 %6, -9187201950435737472
  ret i64 %7

some:                                             ; preds = %start
  %8 = icmp ult i64 %1, 16
  br i1 %8, label %two, label %more

two:                                              ; preds = %some
  %9 = sub i64 %1, 8
  %10 = getelementptr i8, ptr %0, i64 %9
  %11 = load i64, ptr %0, align 1
  %12 = load i64, ptr %10, align 1
  %13 = or i64 %11, %12
  %14 = and i64 %13, -9187201950435737472
  ret i64 %14

more:                                             ; preds = %some
  %15 = sub i64 %1, 16
  %16 = icmp ult i64 %15, 16
  %17 = select i1 %16, i64 %15, i64 16
  %18 = sub i64 %15, 16
  %19 = select i1 %16, i64 0, i64 %18
  %20 = load i64, ptr %0, align 1
  %21 = getelementptr i8, ptr %0, i64 8
  %22 = load i64, ptr %21, align 1
  %23 = or i64 %20, %22
  %24 = or i64 0, %23
  %25 = getelementptr i8, ptr %0, i64 %17
  %26 = load i64, ptr %25, align 1
  %27 = getelementptr i8, ptr %25, i64 8
  %28 = load i64, ptr %27, align 1
  %29 = or i64 %26, %28
  %30 = or i64 %24, %29
  %31 = getelementptr i8, ptr %0, i64 %19
  %32 = load i64, ptr %31, align 1
  %33 = getelementptr i8, ptr %31, i64 8
  %34 = load i64, ptr %33, align 1
  %35 = or i64 %32, %34
  %36 = or i64 %30, %35
  %37 = getelementptr i8, ptr %0, i64 %15
  %38 = load i64, ptr %37, align 1
  %39 = getelementptr i8, ptr %37, i64 8
  %40 = load i64, ptr %39, align 1
  %41 = or i64 %38, %40
  %42 = or i64 %36, %41
  %43 = and i64 %42, -9187201950435737472
  ret i64 %43
}

; Function Attrs: nounwind
declare i8 @serow_utf_8(ptr, i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_make_str(ptr, i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_build(ptr, ptr, i32, i32) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
