; A dict is a tuple of its values until all are there; where one is missing there is null. What a function
; then makes of them takes its place.
; schema {"a": bool, "b"?: bool}
; from columns to cpython
;
; 0  struct of 2: dict, a, b
; 1  bool, bit 0
; 2  maybe, bit 1, else to 4
; 3  bool, bit 2
; 4  leave
; 5  end

@serow_py_tuple = external global i8
@serow_py_true = external global i8
@serow_py_false = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %4 = getelementptr i8, ptr %0, i64 8
  %columns = load ptr, ptr %4, align 1
  %first = load ptr, ptr %0, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next

bailout:                                          ; preds = %join, %more, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %51, %start
  %8 = phi i64 [ %2, %start ], [ %54, %51 ]
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
  %word = load i64, ptr %16, align 1
  %29 = icmp ne i64 %word, 0
  %30 = select i1 %29, ptr @serow_py_true, ptr @serow_py_false
  %count = load i64, ptr %30, align 1
  %31 = add i64 %count, 1
  store i64 %31, ptr %30, align 1
  %32 = getelementptr i8, ptr %24, i64 24
  store ptr %30, ptr %32, align 1
  %33 = getelementptr i8, ptr %16, i64 2056
  %word1 = load i64, ptr %33, align 1
  %34 = icmp ne i64 %word1, 0
  br i1 %34, label %present, label %absent

present:                                          ; preds = %20
  %35 = getelementptr i8, ptr %columns, i64 128
  %next2 = load ptr, ptr %35, align 1
  %36 = getelementptr i8, ptr %35, i64 16
  %end = load ptr, ptr %36, align 1
  %37 = icmp eq ptr %next2, %end
  %38 = xor i1 %37, true
  br i1 %38, label %value, label %more, !prof !0

absent:                                           ; preds = %20
  br label %join

join:                                             ; preds = %absent, %value
  store ptr null, ptr %14, align 1
  %39 = call ptr @serow_py_build(ptr %1, ptr %24, i32 3, i32 0)
  %40 = ptrtoint ptr %39 to i64
  %41 = icmp ne i64 %40, 0
  br i1 %41, label %51, label %bailout, !prof !0

more:                                             ; preds = %present
  %42 = call preserve_mostcc ptr @refilled(ptr %0, i64 2)
  %43 = ptrtoint ptr %42 to i64
  %44 = icmp ne i64 %43, 0
  br i1 %44, label %value, label %bailout, !prof !0

value:                                            ; preds = %more, %present
  %45 = phi ptr [ %next2, %present ], [ %42, %more ]
  %46 = getelementptr i8, ptr %45, i64 8
  store ptr %46, ptr %35, align 1
  %word3 = load i64, ptr %45, align 1
  %47 = icmp ne i64 %word3, 0
  %48 = select i1 %47, ptr @serow_py_true, ptr @serow_py_false
  %count4 = load i64, ptr %48, align 1
  %49 = add i64 %count4, 1
  store i64 %49, ptr %48, align 1
  %50 = getelementptr i8, ptr %24, i64 32
  store ptr %48, ptr %50, align 1
  br label %join

51:                                               ; preds = %join
  store ptr %39, ptr %14, align 1
  %52 = getelementptr i8, ptr %columns, i64 128
  %53 = getelementptr i8, ptr %52, i64 8
  %next5 = load i64, ptr %52, align 1
  store i64 %next5, ptr %53, align 1
  %54 = add i64 %8, 1
  br label %next
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
define internal preserve_mostcc ptr @refilled(ptr %0, i64 %1) #0 {
start:
  %2 = call i8 @serow_refill(ptr %0, i64 %1)
  %3 = icmp eq i8 %2, 1
  br i1 %3, label %some, label %none

some:                                             ; preds = %start
  %4 = getelementptr i8, ptr %0, i64 8
  %columns = load ptr, ptr %4, align 1
  %5 = mul i64 %1, 64
  %6 = getelementptr i8, ptr %columns, i64 %5
  %next = load ptr, ptr %6, align 1
  ret ptr %next

none:                                             ; preds = %start
  ret ptr null
}

; Function Attrs: nounwind
declare i8 @serow_refill(ptr, i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_build(ptr, ptr, i32, i32) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
