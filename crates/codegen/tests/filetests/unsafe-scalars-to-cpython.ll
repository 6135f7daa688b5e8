; A field of Spark's rows: the bit that says it is null, and its slot, which is as wide as its type is
; there. A string lies within the row, and takes of the bytes that the row has left.
;
; schema struct{"a": short, "b": float?, "c": string}
; from unsafe to cpython
;
; 0  record Row of 3, a, b, c
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

leave:                                            ; preds = %str, %other10, %short9, %other8, %102, %96, %join, %present, %long, %short, %26, %20, %18, %11, %next1
  %5 = sub i64 %7, %2
  store ptr %8, ptr %0, align 1
  %6 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %6, align 1
  ret i64 %7

next1:                                            ; preds = %175, %start
  %7 = phi i64 [ %2, %start ], [ %176, %175 ]
  %8 = phi ptr [ %next, %start ], [ %86, %175 ]
  %9 = phi i64 [ 0, %start ], [ %106, %175 ]
  %10 = icmp ult i64 %7, %3
  br i1 %10, label %11, label %leave, !prof !0

11:                                               ; preds = %next1
  %12 = sub i64 %7, %2
  %13 = mul i64 %12, 8
  %14 = getelementptr i8, ptr %rows, i64 %13
  store i64 0, ptr %14, align 1
  %size = load i64, ptr %8, align 1
  %15 = getelementptr i8, ptr %8, i64 8
  %16 = getelementptr i8, ptr %15, i64 %size
  %17 = icmp ule i64 32, %size
  br i1 %17, label %18, label %leave, !prof !0

18:                                               ; preds = %11
  %19 = icmp uge i64 %size, 32
  br i1 %19, label %20, label %leave, !prof !0

20:                                               ; preds = %18
  %21 = sub i64 %size, 32
  %22 = getelementptr i8, ptr %15, i64 8
  %23 = call ptr @serow_py_malloc(i64 72)
  %24 = ptrtoint ptr %23 to i64
  %25 = icmp ne i64 %24, 0
  br i1 %25, label %26, label %leave, !prof !0

26:                                               ; preds = %20
  %27 = getelementptr i8, ptr %23, i64 144
  call void @llvm.prefetch.p0(ptr %27, i32 0, i32 3, i32 1)
  %28 = getelementptr i8, ptr %23, i64 208
  call void @llvm.prefetch.p0(ptr %28, i32 0, i32 3, i32 1)
  store i64 0, ptr %23, align 1
  %29 = getelementptr i8, ptr %23, i64 8
  store i64 0, ptr %29, align 1
  %30 = getelementptr i8, ptr %23, i64 16
  store i64 1, ptr %30, align 1
  %31 = getelementptr i8, ptr %30, i64 8
  store ptr @serow_py_tuple, ptr %31, align 1
  %32 = getelementptr i8, ptr %30, i64 16
  store i64 3, ptr %32, align 1
  %33 = getelementptr i8, ptr %30, i64 24
  store i64 0, ptr %33, align 1
  %34 = getelementptr i8, ptr %30, i64 32
  store i64 0, ptr %34, align 1
  %35 = getelementptr i8, ptr %30, i64 40
  store i64 0, ptr %35, align 1
  store ptr %30, ptr %14, align 1
  %bits = load i8, ptr %15, align 1
  %36 = and i8 %bits, 1
  %37 = icmp ne i8 %36, 0
  %38 = icmp eq i1 %37, false
  br i1 %38, label %39, label %leave, !prof !0

39:                                               ; preds = %26
  %int = load i16, ptr %22, align 1
  %40 = sext i16 %int to i64
  %41 = sub i64 %40, -5
  %42 = icmp ult i64 %41, 262
  br i1 %42, label %small, label %other

small:                                            ; preds = %39
  %43 = mul i64 %41, 8
  %44 = getelementptr i8, ptr @serow_py_small_ints, i64 %43
  %int3 = load ptr, ptr %44, align 1
  %count = load i64, ptr %int3, align 1
  %45 = add i64 %count, 1
  store i64 %45, ptr %int3, align 1
  br label %int2

other:                                            ; preds = %39
  %46 = add i64 %40, 1152921504606846975
  %47 = icmp ult i64 %46, 2305843009213693951
  br i1 %47, label %short, label %long, !prof !0

short:                                            ; preds = %other
  %48 = call ptr @serow_py_malloc(i64 32)
  %49 = ptrtoint ptr %48 to i64
  %50 = icmp ne i64 %49, 0
  br i1 %50, label %59, label %leave, !prof !0

long:                                             ; preds = %other
  %51 = call ptr @serow_py_make_int(i64 %40)
  %52 = ptrtoint ptr %51 to i64
  %53 = icmp ne i64 %52, 0
  br i1 %53, label %76, label %leave, !prof !0

int2:                                             ; preds = %76, %59, %small
  %54 = phi ptr [ %int3, %small ], [ %48, %59 ], [ %51, %76 ]
  %55 = getelementptr i8, ptr %30, i64 24
  store ptr %54, ptr %55, align 1
  %bits4 = load i8, ptr %15, align 1
  %56 = and i8 %bits4, 2
  %57 = icmp ne i8 %56, 0
  %58 = icmp eq i1 %57, false
  br i1 %58, label %present, label %absent

59:                                               ; preds = %short
  %60 = getelementptr i8, ptr %48, i64 256
  call void @llvm.prefetch.p0(ptr %60, i32 0, i32 3, i32 1)
  store i64 1, ptr %48, align 1
  %61 = getelementptr i8, ptr %48, i64 8
  store ptr @serow_py_int, ptr %61, align 1
  %62 = ashr i64 %40, 63
  %63 = xor i64 %40, %62
  %64 = sub i64 %63, %62
  %65 = lshr i64 %64, 30
  %66 = and i64 %64, 1073741823
  %67 = shl i64 %65, 32
  %68 = or i64 %66, %67
  %69 = getelementptr i8, ptr %48, i64 24
  store i64 %68, ptr %69, align 1
  %70 = icmp ne i64 %65, 0
  %71 = zext i1 %70 to i64
  %72 = add i64 %71, 1
  %73 = xor i64 %72, %62
  %74 = sub i64 %73, %62
  %75 = getelementptr i8, ptr %48, i64 16
  store i64 %74, ptr %75, align 1
  br label %int2

76:                                               ; preds = %long
  br label %int2

present:                                          ; preds = %int2
  %77 = getelementptr i8, ptr %22, i64 8
  %float = load i32, ptr %77, align 1
  %78 = bitcast i32 %float to float
  %79 = fpext float %78 to double
  %80 = bitcast double %79 to i64
  %81 = call ptr @serow_py_malloc(i64 24)
  %82 = ptrtoint ptr %81 to i64
  %83 = icmp ne i64 %82, 0
  br i1 %83, label %91, label %leave, !prof !0

absent:                                           ; preds = %int2
  %count5 = load i64, ptr @serow_py_none, align 1
  %84 = add i64 %count5, 1
  store i64 %84, ptr @serow_py_none, align 1
  %85 = getelementptr i8, ptr %30, i64 32
  store ptr @serow_py_none, ptr %85, align 1
  br label %join

join:                                             ; preds = %absent, %91
  %86 = phi ptr [ %16, %91 ], [ %16, %absent ]
  %87 = phi i64 [ %21, %91 ], [ %21, %absent ]
  %bits6 = load i8, ptr %15, align 1
  %88 = and i8 %bits6, 4
  %89 = icmp ne i8 %88, 0
  %90 = icmp eq i1 %89, false
  br i1 %90, label %96, label %leave, !prof !0

91:                                               ; preds = %present
  %92 = getelementptr i8, ptr %81, i64 256
  call void @llvm.prefetch.p0(ptr %92, i32 0, i32 3, i32 1)
  store i64 1, ptr %81, align 1
  %93 = getelementptr i8, ptr %81, i64 8
  store ptr @serow_py_float, ptr %93, align 1
  %94 = getelementptr i8, ptr %81, i64 16
  store i64 %80, ptr %94, align 1
  %95 = getelementptr i8, ptr %30, i64 32
  store ptr %81, ptr %95, align 1
  br label %join

96:                                               ; preds = %join
  %97 = getelementptr i8, ptr %22, i64 16
  %word = load i64, ptr %97, align 1
  %98 = lshr i64 %word, 32
  %99 = and i64 %word, 4294967295
  %100 = add i64 %98, %99
  %101 = icmp ule i64 %100, %size
  br i1 %101, label %102, label %leave, !prof !0

102:                                              ; preds = %96
  %103 = getelementptr i8, ptr %15, i64 %98
  %104 = icmp uge i64 %87, %99
  br i1 %104, label %105, label %leave, !prof !0

105:                                              ; preds = %102
  %106 = sub i64 %87, %99
  %107 = ptrtoint ptr %103 to i64
  %108 = ptrtoint ptr %end to i64
  %109 = sub i64 %108, %107
  %110 = sub i64 %99, 1
  %111 = icmp ult i64 %110, 64
  %112 = icmp uge i64 %109, 8
  %113 = and i1 %111, %112
  br i1 %113, label %short7, label %other8, !prof !0

short7:                                           ; preds = %105
  %114 = call preserve_mostcc i64 @has_high_bits(ptr %103, i64 %99)
  %115 = icmp eq i64 %114, 0
  br i1 %115, label %ascii, label %other8, !prof !0

other8:                                           ; preds = %short7, %105
  %116 = call i8 @serow_utf_8(ptr %103, i64 %99)
  %117 = icmp ne i8 %116, 0
  br i1 %117, label %126, label %leave, !prof !0

ascii:                                            ; preds = %126, %short7
  %118 = phi i1 [ true, %short7 ], [ %127, %126 ]
  %119 = ptrtoint ptr %103 to i64
  %120 = and i64 %119, 4095
  %121 = icmp ult i64 %120, 4089
  %122 = sub i64 %99, 2
  %123 = icmp ult i64 %122, 63
  %124 = and i1 %123, %121
  %125 = and i1 %124, %118
  br i1 %125, label %short9, label %other10, !prof !0

126:                                              ; preds = %other8
  %127 = icmp eq i8 %116, 2
  br label %ascii

short9:                                           ; preds = %ascii
  %128 = add i64 %99, 64
  %129 = and i64 %128, -16
  %130 = call ptr @serow_py_malloc(i64 %129)
  %131 = ptrtoint ptr %130 to i64
  %132 = icmp ne i64 %131, 0
  br i1 %132, label %141, label %leave, !prof !0

other10:                                          ; preds = %ascii
  %133 = call ptr @serow_py_make_str(ptr %103, i64 %99)
  %134 = ptrtoint ptr %133 to i64
  %135 = icmp ne i64 %134, 0
  br i1 %135, label %174, label %leave, !prof !0

str:                                              ; preds = %174, %copied
  %136 = phi ptr [ %130, %copied ], [ %133, %174 ]
  %137 = getelementptr i8, ptr %30, i64 40
  store ptr %136, ptr %137, align 1
  store ptr null, ptr %14, align 1
  %138 = call ptr @serow_py_build(ptr %1, ptr %30, i32 3, i32 1)
  %139 = ptrtoint ptr %138 to i64
  %140 = icmp ne i64 %139, 0
  br i1 %140, label %175, label %leave, !prof !0

141:                                              ; preds = %short9
  %142 = getelementptr i8, ptr %130, i64 256
  call void @llvm.prefetch.p0(ptr %142, i32 0, i32 3, i32 1)
  store i64 1, ptr %130, align 1
  %143 = getelementptr i8, ptr %130, i64 8
  store ptr @serow_py_str, ptr %143, align 1
  %144 = getelementptr i8, ptr %130, i64 320
  call void @llvm.prefetch.p0(ptr %144, i32 0, i32 3, i32 1)
  %145 = getelementptr i8, ptr %130, i64 16
  store i64 %99, ptr %145, align 1
  %146 = getelementptr i8, ptr %130, i64 24
  store i64 -1, ptr %146, align 1
  %147 = getelementptr i8, ptr %130, i64 32
  store i64 228, ptr %147, align 1
  %148 = getelementptr i8, ptr %130, i64 40
  store i64 0, ptr %148, align 1
  %149 = getelementptr i8, ptr %130, i64 48
  %150 = icmp ult i64 %99, 8
  br i1 %150, label %word11, label %some

word11:                                           ; preds = %141
  %151 = load i64, ptr %103, align 1
  store i64 %151, ptr %149, align 1
  br label %copied

some:                                             ; preds = %141
  %152 = icmp ult i64 %99, 16
  br i1 %152, label %two, label %more

two:                                              ; preds = %some
  %153 = sub i64 %99, 8
  %154 = getelementptr i8, ptr %103, i64 %153
  %155 = load i64, ptr %154, align 1
  %156 = load i64, ptr %103, align 1
  store i64 %156, ptr %149, align 1
  %157 = getelementptr i8, ptr %149, i64 %153
  store i64 %155, ptr %157, align 1
  br label %copied

more:                                             ; preds = %some
  %158 = sub i64 %99, 16
  %159 = icmp ult i64 %158, 16
  %160 = select i1 %159, i64 %158, i64 16
  %161 = sub i64 %158, 16
  %162 = select i1 %159, i64 0, i64 %161
  %163 = load <16 x i8>, ptr %103, align 1
  store <16 x i8> %163, ptr %149, align 1
  %164 = getelementptr i8, ptr %103, i64 %160
  %165 = load <16 x i8>, ptr %164, align 1
  %166 = getelementptr i8, ptr %149, i64 %160
  store <16 x i8> %165, ptr %166, align 1
  %167 = getelementptr i8, ptr %103, i64 %162
  %168 = load <16 x i8>, ptr %167, align 1
  %169 = getelementptr i8, ptr %149, i64 %162
  store <16 x i8> %168, ptr %169, align 1
  %170 = getelementptr i8, ptr %103, i64 %158
  %171 = load <16 x i8>, ptr %170, align 1
  %172 = getelementptr i8, ptr %149, i64 %158
  store <16 x i8> %171, ptr %172, align 1
  br label %copied

copied:                                           ; preds = %more, %two, %word11
  %173 = getelementptr i8, ptr %149, i64 %99
  store i8 0, ptr %173, align 1
  br label %str

174:                                              ; preds = %other10
  br label %str

175:                                              ; preds = %str
  store ptr %138, ptr %14, align 1
  %176 = add i64 %7, 1
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
