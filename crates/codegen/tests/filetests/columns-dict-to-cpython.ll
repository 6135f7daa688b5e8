; A dict is a tuple of its values until all are there; where one is missing there is null. What a function
; then makes of them takes its place.
; schema {"a": bool, "b"?: bool}
; from columns to cpython
;
; 0  dict of 2, a, b
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

leave:                                            ; preds = %join, %more, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %50, %start
  %8 = phi i64 [ %2, %start ], [ %53, %50 ]
  %9 = icmp ult i64 %8, %3
  br i1 %9, label %10, label %leave, !prof !0

10:                                               ; preds = %next
  %11 = sub i64 %8, %2
  %12 = mul i64 %11, 8
  %13 = getelementptr i8, ptr %rows, i64 %12
  store i64 0, ptr %13, align 1
  %14 = mul i64 %11, 8
  %15 = getelementptr i8, ptr %first, i64 %14
  %16 = call ptr @serow_py_malloc(i64 64)
  %17 = ptrtoint ptr %16 to i64
  %18 = icmp ne i64 %17, 0
  br i1 %18, label %19, label %leave, !prof !0

19:                                               ; preds = %10
  %20 = getelementptr i8, ptr %16, i64 128
  call void @llvm.prefetch.p0(ptr %20, i32 0, i32 3, i32 1)
  %21 = getelementptr i8, ptr %16, i64 192
  call void @llvm.prefetch.p0(ptr %21, i32 0, i32 3, i32 1)
  store i64 0, ptr %16, align 1
  %22 = getelementptr i8, ptr %16, i64 8
  store i64 0, ptr %22, align 1
  %23 = getelementptr i8, ptr %16, i64 16
  store i64 1, ptr %23, align 1
  %24 = getelementptr i8, ptr %23, i64 8
  store ptr @serow_py_tuple, ptr %24, align 1
  %25 = getelementptr i8, ptr %23, i64 16
  store i64 2, ptr %25, align 1
  %26 = getelementptr i8, ptr %23, i64 24
  store i64 0, ptr %26, align 1
  %27 = getelementptr i8, ptr %23, i64 32
  store i64 0, ptr %27, align 1
  store ptr %23, ptr %13, align 1
  %word = load i64, ptr %15, align 1
  %28 = icmp ne i64 %word, 0
  %29 = select i1 %28, ptr @serow_py_true, ptr @serow_py_false
  %count = load i64, ptr %29, align 1
  %30 = add i64 %count, 1
  store i64 %30, ptr %29, align 1
  %31 = getelementptr i8, ptr %23, i64 24
  store ptr %29, ptr %31, align 1
  %32 = getelementptr i8, ptr %15, i64 2056
  %word1 = load i64, ptr %32, align 1
  %33 = icmp ne i64 %word1, 0
  br i1 %33, label %present, label %absent

present:                                          ; preds = %19
  %34 = getelementptr i8, ptr %columns, i64 112
  %next2 = load ptr, ptr %34, align 1
  %35 = getelementptr i8, ptr %34, i64 16
  %end = load ptr, ptr %35, align 1
  %36 = icmp eq ptr %next2, %end
  %37 = xor i1 %36, true
  br i1 %37, label %value, label %more, !prof !0

absent:                                           ; preds = %19
  br label %join

join:                                             ; preds = %absent, %value
  store ptr null, ptr %13, align 1
  %38 = call ptr @serow_py_build(ptr %1, ptr %23, i32 3, i32 1)
  %39 = ptrtoint ptr %38 to i64
  %40 = icmp ne i64 %39, 0
  br i1 %40, label %50, label %leave, !prof !0

more:                                             ; preds = %present
  %41 = call preserve_mostcc ptr @refilled(ptr %0, i64 2)
  %42 = ptrtoint ptr %41 to i64
  %43 = icmp ne i64 %42, 0
  br i1 %43, label %value, label %leave, !prof !0

value:                                            ; preds = %more, %present
  %44 = phi ptr [ %next2, %present ], [ %41, %more ]
  %45 = getelementptr i8, ptr %44, i64 8
  store ptr %45, ptr %34, align 1
  %word3 = load i64, ptr %44, align 1
  %46 = icmp ne i64 %word3, 0
  %47 = select i1 %46, ptr @serow_py_true, ptr @serow_py_false
  %count4 = load i64, ptr %47, align 1
  %48 = add i64 %count4, 1
  store i64 %48, ptr %47, align 1
  %49 = getelementptr i8, ptr %23, i64 32
  store ptr %47, ptr %49, align 1
  br label %join

50:                                               ; preds = %join
  store ptr %38, ptr %13, align 1
  %51 = getelementptr i8, ptr %columns, i64 112
  %52 = getelementptr i8, ptr %51, i64 8
  %next5 = load i64, ptr %51, align 1
  store i64 %next5, ptr %52, align 1
  %53 = add i64 %8, 1
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
  %5 = mul i64 %1, 56
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
