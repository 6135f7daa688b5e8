; A record is made as a dict is.
; schema Part{key: bool, size: f64}
; from columns to cpython
;
; 0  struct of 2: Part, key, size
; 1  bool, bit 0
; 2  f64, float 0
; 3  leave
; 4  end

@serow_py_tuple = external global i8
@serow_py_true = external global i8
@serow_py_false = external global i8
@serow_py_float = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %4 = getelementptr i8, ptr %0, i64 8
  %columns = load ptr, ptr %4, align 1
  %first = load ptr, ptr %0, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next

bailout:                                          ; preds = %37, %20, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %45, %start
  %8 = phi i64 [ %2, %start ], [ %46, %45 ]
  %9 = icmp ult i64 %8, %3
  br i1 %9, label %10, label %bailout, !prof !0

10:                                               ; preds = %next
  %11 = sub i64 %8, %2
  %12 = getelementptr i8, ptr %1, i64 96
  store i64 0, ptr %12, align 1
  %13 = mul i64 %11, 8
  %14 = getelementptr i8, ptr %rows, i64 %13
  store i64 0, ptr %14, align 1
  %15 = mul i64 %11, 8
  %16 = getelementptr i8, ptr %first, i64 %15
  %17 = call ptr @serow_py_malloc(i64 64)
  %18 = ptrtoint ptr %17 to i64
  %19 = icmp ne i64 %18, 0
  br i1 %19, label %20, label %bailout, !prof !0

20:                                               ; preds = %10
  %21 = getelementptr i8, ptr %17, i64 128
  call void @llvm.prefetch.p0(ptr %21, i32 0, i32 3, i32 1)
  %22 = getelementptr i8, ptr %17, i64 192
  call void @llvm.prefetch.p0(ptr %22, i32 0, i32 3, i32 1)
  store i64 0, ptr %17, align 1
  %23 = getelementptr i8, ptr %17, i64 8
  store i64 0, ptr %23, align 1
  %24 = getelementptr i8, ptr %17, i64 16
  store i64 1, ptr %24, align 1
  %25 = getelementptr i8, ptr %24, i64 8
  store ptr @serow_py_tuple, ptr %25, align 1
  %26 = getelementptr i8, ptr %24, i64 16
  store i64 2, ptr %26, align 1
  %27 = getelementptr i8, ptr %24, i64 24
  store i64 0, ptr %27, align 1
  %28 = getelementptr i8, ptr %24, i64 32
  store i64 0, ptr %28, align 1
  store ptr %24, ptr %14, align 1
  %29 = getelementptr i8, ptr %16, i64 2056
  %word = load i64, ptr %29, align 1
  %30 = icmp ne i64 %word, 0
  %31 = select i1 %30, ptr @serow_py_true, ptr @serow_py_false
  %count = load i64, ptr %31, align 1
  %32 = add i64 %count, 1
  store i64 %32, ptr %31, align 1
  %33 = getelementptr i8, ptr %24, i64 24
  store ptr %31, ptr %33, align 1
  %word1 = load i64, ptr %16, align 1
  %34 = call ptr @serow_py_malloc(i64 24)
  %35 = ptrtoint ptr %34 to i64
  %36 = icmp ne i64 %35, 0
  br i1 %36, label %37, label %bailout, !prof !0

37:                                               ; preds = %20
  %38 = getelementptr i8, ptr %34, i64 256
  call void @llvm.prefetch.p0(ptr %38, i32 0, i32 3, i32 1)
  store i64 1, ptr %34, align 1
  %39 = getelementptr i8, ptr %34, i64 8
  store ptr @serow_py_float, ptr %39, align 1
  %40 = getelementptr i8, ptr %34, i64 16
  store i64 %word1, ptr %40, align 1
  %41 = getelementptr i8, ptr %24, i64 32
  store ptr %34, ptr %41, align 1
  store ptr null, ptr %14, align 1
  %42 = call ptr @serow_py_build(ptr %1, ptr %24, i32 3, i32 0)
  %43 = ptrtoint ptr %42 to i64
  %44 = icmp ne i64 %43, 0
  br i1 %44, label %45, label %bailout, !prof !0

45:                                               ; preds = %37
  store ptr %42, ptr %14, align 1
  %46 = add i64 %8, 1
  br label %next
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare ptr @serow_py_build(ptr, ptr, i32, i32) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
