; A set lies as a list does.
; schema {i64}
; from values to batch
;
; 0  sequence as set, int 0, to 3, 9 bytes each
; 1  i64, int 1
; 2  next, from 1
; 3  end

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

bailout:                                          ; preds = %53, %after, %43, %element, %17, %next
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

next:                                             ; preds = %55, %start
  %12 = phi i64 [ %2, %start ], [ %58, %55 ]
  %13 = phi i64 [ %size, %start ], [ %40, %55 ]
  %14 = phi i64 [ %zero_sized, %start ], [ %38, %55 ]
  %15 = phi i64 [ %containers, %start ], [ %39, %55 ]
  %16 = icmp ult i64 %12, %3
  br i1 %16, label %17, label %bailout, !prof !0

17:                                               ; preds = %next
  %18 = sub i64 %12, %2
  %rows = load ptr, ptr %0, align 1
  %19 = mul i64 %12, 32
  %20 = getelementptr i8, ptr %rows, i64 %19
  %tag = load i8, ptr %20, align 1
  %21 = icmp eq i8 %tag, 8
  br i1 %21, label %22, label %bailout, !prof !0

22:                                               ; preds = %17
  %23 = getelementptr i8, ptr %20, i64 24
  %len = load i64, ptr %23, align 1
  %24 = getelementptr i8, ptr %20, i64 16
  %elements = load ptr, ptr %24, align 1
  %25 = mul i64 %len, 8
  %26 = add i64 %13, %25
  %next1 = load ptr, ptr %columns, align 1
  %27 = mul i64 %18, 8
  %28 = getelementptr i8, ptr %next1, i64 %27
  store i64 %len, ptr %28, align 1
  %29 = icmp ne i64 %len, 0
  br i1 %29, label %element, label %after

element:                                          ; preds = %49, %22
  %30 = phi i64 [ 0, %22 ], [ %51, %49 ]
  %31 = phi i64 [ %26, %22 ], [ %31, %49 ]
  %32 = phi i64 [ %14, %22 ], [ %32, %49 ]
  %33 = phi i64 [ %15, %22 ], [ %33, %49 ]
  %34 = mul i64 %30, 32
  %35 = getelementptr i8, ptr %elements, i64 %34
  %tag2 = load i8, ptr %35, align 1
  %36 = icmp eq i8 %tag2, 2
  br i1 %36, label %43, label %bailout, !prof !0

after:                                            ; preds = %49, %22
  %37 = phi i64 [ %26, %22 ], [ %31, %49 ]
  %38 = phi i64 [ %14, %22 ], [ %32, %49 ]
  %39 = phi i64 [ %15, %22 ], [ %33, %49 ]
  %40 = add i64 %37, 16
  %41 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %41, align 1
  %42 = icmp ult i64 %40, %full
  br i1 %42, label %53, label %bailout, !prof !0

43:                                               ; preds = %element
  %44 = getelementptr i8, ptr %35, i64 8
  %int = load i64, ptr %44, align 1
  %45 = getelementptr i8, ptr %columns, i64 24
  %next3 = load ptr, ptr %45, align 1
  %46 = getelementptr i8, ptr %45, i64 16
  %limit = load i64, ptr %46, align 1
  %47 = ptrtoint ptr %next3 to i64
  %48 = icmp ult i64 %47, %limit
  br i1 %48, label %49, label %bailout, !prof !0

49:                                               ; preds = %43
  %50 = getelementptr i8, ptr %next3, i64 8
  store ptr %50, ptr %45, align 1
  store i64 %int, ptr %next3, align 1
  %51 = add i64 %30, 1
  %52 = icmp ult i64 %51, %len
  br i1 %52, label %element, label %after

53:                                               ; preds = %after
  %54 = icmp ult i64 %38, 3145729
  br i1 %54, label %55, label %bailout, !prof !0

55:                                               ; preds = %53
  %56 = getelementptr i8, ptr %columns, i64 24
  %57 = getelementptr i8, ptr %56, i64 8
  %next4 = load i64, ptr %56, align 1
  store i64 %next4, ptr %57, align 1
  %58 = add i64 %12, 1
  br label %next
}

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 2000, i32 1}
