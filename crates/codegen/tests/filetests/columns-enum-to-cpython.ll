; A function gives the member of an index.
; schema (enum Color{RED, GREEN},)
; from columns to cpython
;
; 0  tuple of 1, acyclic
; 1  enum 0 of 2, int 0: Color, RED, GREEN
; 2  leave
; 3  end

@serow_py_tuple = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %4 = getelementptr i8, ptr %0, i64 8
  %columns = load ptr, ptr %4, align 1
  %first = load ptr, ptr %0, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next

bailout:                                          ; preds = %28, %19, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %32, %start
  %8 = phi i64 [ %2, %start ], [ %34, %32 ]
  %9 = icmp ult i64 %8, %3
  br i1 %9, label %10, label %bailout, !prof !0

10:                                               ; preds = %next
  %11 = sub i64 %8, %2
  %12 = mul i64 %11, 8
  %13 = getelementptr i8, ptr %rows, i64 %12
  store i64 0, ptr %13, align 1
  %14 = mul i64 %11, 8
  %15 = getelementptr i8, ptr %first, i64 %14
  %16 = call ptr @serow_py_malloc(i64 48)
  %17 = ptrtoint ptr %16 to i64
  %18 = icmp ne i64 %17, 0
  br i1 %18, label %19, label %bailout, !prof !0

19:                                               ; preds = %10
  %20 = getelementptr i8, ptr %16, i64 96
  call void @llvm.prefetch.p0(ptr %20, i32 0, i32 3, i32 1)
  %21 = getelementptr i8, ptr %16, i64 160
  call void @llvm.prefetch.p0(ptr %21, i32 0, i32 3, i32 1)
  store i64 0, ptr %16, align 1
  %22 = getelementptr i8, ptr %16, i64 8
  store i64 0, ptr %22, align 1
  %23 = getelementptr i8, ptr %16, i64 16
  store i64 1, ptr %23, align 1
  %24 = getelementptr i8, ptr %23, i64 8
  store ptr @serow_py_tuple, ptr %24, align 1
  %25 = getelementptr i8, ptr %23, i64 16
  store i64 1, ptr %25, align 1
  %26 = getelementptr i8, ptr %23, i64 24
  store i64 0, ptr %26, align 1
  store ptr %23, ptr %13, align 1
  %word = load i64, ptr %15, align 1
  %27 = icmp ult i64 %word, 2
  br i1 %27, label %28, label %bailout, !prof !0

28:                                               ; preds = %19
  %29 = call ptr @serow_py_make_member(ptr %1, i64 %word, i32 0)
  %30 = ptrtoint ptr %29 to i64
  %31 = icmp ne i64 %30, 0
  br i1 %31, label %32, label %bailout, !prof !0

32:                                               ; preds = %28
  %33 = getelementptr i8, ptr %23, i64 24
  store ptr %29, ptr %33, align 1
  %34 = add i64 %8, 1
  br label %next
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare ptr @serow_py_make_member(ptr, i64, i32) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
