; A member of the plan's own enum is an index; what is in an enum that is equal to it a function says.
; schema enum Color{RED, GREEN}
; from values to batch
;
; 0  enum Color, int 0, RED, GREEN
; 1  end

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

bailout:                                          ; preds = %37, %31, %member, %next
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

next:                                             ; preds = %39, %start
  %12 = phi i64 [ %2, %start ], [ %40, %39 ]
  %13 = phi i64 [ %size, %start ], [ %34, %39 ]
  %14 = phi i64 [ %zero_sized, %start ], [ %14, %39 ]
  %15 = phi i64 [ %containers, %start ], [ %15, %39 ]
  %16 = icmp ult i64 %12, %3
  br i1 %16, label %17, label %bailout, !prof !0

17:                                               ; preds = %next
  %18 = sub i64 %12, %2
  %rows = load ptr, ptr %0, align 1
  %19 = mul i64 %12, 32
  %20 = getelementptr i8, ptr %rows, i64 %19
  %tag = load i8, ptr %20, align 1
  %21 = icmp eq i8 %tag, 12
  %22 = getelementptr i8, ptr %20, i64 8
  %own1 = load ptr, ptr %22, align 1
  %23 = getelementptr i8, ptr %0, i64 80
  %names = load ptr, ptr %23, align 1
  %wanted = load ptr, ptr %names, align 1
  %24 = icmp eq ptr %own1, %wanted
  %25 = and i1 %21, %24
  br i1 %25, label %own, label %other, !prof !0

own:                                              ; preds = %17
  %26 = getelementptr i8, ptr %20, i64 16
  %index = load i32, ptr %26, align 1
  %27 = zext i32 %index to i64
  br label %member

other:                                            ; preds = %17
  %28 = call i64 @serow_value_member(ptr %0, ptr %20, i32 0)
  br label %member

member:                                           ; preds = %other, %own
  %29 = phi i64 [ %27, %own ], [ %28, %other ]
  %30 = icmp ult i64 %29, 2
  br i1 %30, label %31, label %bailout, !prof !0

31:                                               ; preds = %member
  %next2 = load ptr, ptr %columns, align 1
  %32 = mul i64 %18, 8
  %33 = getelementptr i8, ptr %next2, i64 %32
  store i64 %29, ptr %33, align 1
  %34 = add i64 %13, 8
  %35 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %35, align 1
  %36 = icmp ult i64 %34, %full
  br i1 %36, label %37, label %bailout, !prof !0

37:                                               ; preds = %31
  %38 = icmp ult i64 %14, 3145729
  br i1 %38, label %39, label %bailout, !prof !0

39:                                               ; preds = %37
  %40 = add i64 %12, 1
  br label %next
}

; Function Attrs: nounwind
declare i64 @serow_value_member(ptr, ptr, i32) #0

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 2000, i32 1}
