; Rust values are guarded by their tags; a tuple's fields lie side by side.
; schema (i64, bool)
; from values to batch
;
; 0  tuple of 2, acyclic
; 1  i64, int 0
; 2  bool, bit 0
; 3  leave
; 4  end

define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %columns = load ptr, ptr %1, align 1
  %4 = getelementptr i8, ptr %1, i64 32
  %size = load i64, ptr %4, align 1
  %5 = getelementptr i8, ptr %1, i64 16
  %zero_sized = load i64, ptr %5, align 1
  %6 = getelementptr i8, ptr %1, i64 24
  %containers = load i64, ptr %6, align 1
  br label %next

bailout:                                          ; preds = %47, %36, %30, %26, %22, %17, %next
  %7 = sub i64 %12, %2
  %8 = getelementptr i8, ptr %1, i64 8
  store i64 %7, ptr %8, align 1
  %9 = getelementptr i8, ptr %1, i64 32
  store i64 %13, ptr %9, align 1
  %10 = getelementptr i8, ptr %1, i64 16
  store i64 %14, ptr %10, align 1
  %11 = getelementptr i8, ptr %1, i64 24
  store i64 %15, ptr %11, align 1
  ret i64 %12

next:                                             ; preds = %49, %start
  %12 = phi i64 [ %2, %start ], [ %50, %49 ]
  %13 = phi i64 [ %size, %start ], [ %44, %49 ]
  %14 = phi i64 [ %zero_sized, %start ], [ %14, %49 ]
  %15 = phi i64 [ %containers, %start ], [ %27, %49 ]
  %16 = icmp ult i64 %12, %3
  br i1 %16, label %17, label %bailout, !prof !0

17:                                               ; preds = %next
  %18 = sub i64 %12, %2
  %rows = load ptr, ptr %0, align 1
  %19 = mul i64 %12, 32
  %20 = getelementptr i8, ptr %rows, i64 %19
  %tag = load i8, ptr %20, align 1
  %21 = icmp eq i8 %tag, 6
  br i1 %21, label %22, label %bailout, !prof !0

22:                                               ; preds = %17
  %23 = getelementptr i8, ptr %20, i64 24
  %len = load i64, ptr %23, align 1
  %24 = getelementptr i8, ptr %20, i64 16
  %elements = load ptr, ptr %24, align 1
  %25 = icmp eq i64 %len, 2
  br i1 %25, label %26, label %bailout, !prof !0

26:                                               ; preds = %22
  %27 = add i64 %15, 1
  %28 = add i64 %13, 16
  %tag1 = load i8, ptr %elements, align 1
  %29 = icmp eq i8 %tag1, 2
  br i1 %29, label %30, label %bailout, !prof !0

30:                                               ; preds = %26
  %31 = getelementptr i8, ptr %elements, i64 8
  %int = load i64, ptr %31, align 1
  %next2 = load ptr, ptr %columns, align 1
  %32 = mul i64 %18, 8
  %33 = getelementptr i8, ptr %next2, i64 %32
  store i64 %int, ptr %33, align 1
  %34 = getelementptr i8, ptr %elements, i64 32
  %tag3 = load i8, ptr %34, align 1
  %35 = icmp eq i8 %tag3, 1
  br i1 %35, label %36, label %bailout, !prof !0

36:                                               ; preds = %30
  %37 = getelementptr i8, ptr %elements, i64 32
  %38 = getelementptr i8, ptr %37, i64 8
  %bool = load i8, ptr %38, align 1
  %39 = icmp eq i8 %bool, 1
  %40 = zext i1 %39 to i8
  %41 = getelementptr i8, ptr %columns, i64 24
  %next4 = load ptr, ptr %41, align 1
  %42 = mul i64 %18, 1
  %43 = getelementptr i8, ptr %next4, i64 %42
  store i8 %40, ptr %43, align 1
  %44 = add i64 %28, 16
  %45 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %45, align 1
  %46 = icmp ult i64 %44, %full
  br i1 %46, label %47, label %bailout, !prof !0

47:                                               ; preds = %36
  %48 = icmp ult i64 %14, 3145729
  br i1 %48, label %49, label %bailout, !prof !0

49:                                               ; preds = %47
  %50 = add i64 %12, 1
  br label %next
}

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 2000, i32 1}
