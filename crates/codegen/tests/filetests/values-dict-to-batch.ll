; A dict's values lie in the order of the plan if its names are the plan's own; otherwise a function
; says where they lie, with a tag of no value where a field is missing.
; schema {"a": i64, "b"?: bool}
; from values to batch
;
; 0  dict of 2, a, b
; 1  i64, int 0
; 2  maybe, bit 0, else to 4
; 3  bool, bit 1
; 4  leave
; 5  end

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

bailout:                                          ; preds = %67, %join, %present, %35, %fields, %next
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

next:                                             ; preds = %69, %start
  %12 = phi i64 [ %2, %start ], [ %72, %69 ]
  %13 = phi i64 [ %size, %start ], [ %57, %69 ]
  %14 = phi i64 [ %zero_sized, %start ], [ %55, %69 ]
  %15 = phi i64 [ %containers, %start ], [ %56, %69 ]
  %16 = icmp ult i64 %12, %3
  br i1 %16, label %17, label %bailout, !prof !0

17:                                               ; preds = %next
  %18 = sub i64 %12, %2
  %rows = load ptr, ptr %0, align 1
  %19 = mul i64 %12, 32
  %20 = getelementptr i8, ptr %rows, i64 %19
  %21 = getelementptr i8, ptr %0, i64 88
  store i64 0, ptr %21, align 1
  %tag = load i8, ptr %20, align 1
  %22 = icmp eq i8 %tag, 11
  %23 = getelementptr i8, ptr %20, i64 8
  %own1 = load ptr, ptr %23, align 1
  %24 = getelementptr i8, ptr %0, i64 72
  %names = load ptr, ptr %24, align 1
  %wanted = load ptr, ptr %names, align 1
  %25 = icmp eq ptr %own1, %wanted
  %26 = and i1 %22, %25
  %27 = getelementptr i8, ptr %20, i64 24
  %count = load i64, ptr %27, align 1
  %28 = icmp eq i64 %count, 2
  %29 = and i1 %26, %28
  br i1 %29, label %own, label %other, !prof !0

own:                                              ; preds = %17
  %30 = getelementptr i8, ptr %20, i64 16
  %fields2 = load ptr, ptr %30, align 1
  br label %fields

other:                                            ; preds = %17
  %31 = call ptr @serow_value_fields(ptr %0, ptr %20, i32 0)
  br label %fields

fields:                                           ; preds = %other, %own
  %32 = phi ptr [ %fields2, %own ], [ %31, %other ]
  %33 = ptrtoint ptr %32 to i64
  %34 = icmp ne i64 %33, 0
  br i1 %34, label %35, label %bailout, !prof !0

35:                                               ; preds = %fields
  %36 = add i64 %15, 1
  %37 = add i64 %13, 16
  %tag3 = load i8, ptr %32, align 1
  %38 = icmp eq i8 %tag3, 2
  br i1 %38, label %39, label %bailout, !prof !0

39:                                               ; preds = %35
  %40 = getelementptr i8, ptr %32, i64 8
  %int = load i64, ptr %40, align 1
  %next4 = load ptr, ptr %columns, align 1
  %41 = mul i64 %18, 8
  %42 = getelementptr i8, ptr %next4, i64 %41
  store i64 %int, ptr %42, align 1
  %43 = getelementptr i8, ptr %32, i64 32
  %tag5 = load i8, ptr %43, align 1
  %44 = icmp eq i8 %tag5, -1
  %45 = xor i1 %44, true
  br i1 %45, label %present, label %absent

present:                                          ; preds = %39
  %46 = getelementptr i8, ptr %columns, i64 24
  %next6 = load ptr, ptr %46, align 1
  %47 = mul i64 %18, 1
  %48 = getelementptr i8, ptr %next6, i64 %47
  store i8 1, ptr %48, align 1
  %49 = getelementptr i8, ptr %32, i64 32
  %tag7 = load i8, ptr %49, align 1
  %50 = icmp eq i8 %tag7, 1
  br i1 %50, label %60, label %bailout, !prof !0

absent:                                           ; preds = %39
  %51 = getelementptr i8, ptr %columns, i64 24
  %next9 = load ptr, ptr %51, align 1
  %52 = mul i64 %18, 1
  %53 = getelementptr i8, ptr %next9, i64 %52
  store i8 0, ptr %53, align 1
  br label %join

join:                                             ; preds = %absent, %60
  %54 = phi i64 [ %37, %60 ], [ %37, %absent ]
  %55 = phi i64 [ %14, %60 ], [ %14, %absent ]
  %56 = phi i64 [ %36, %60 ], [ %36, %absent ]
  %57 = add i64 %54, 24
  %58 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %58, align 1
  %59 = icmp ult i64 %57, %full
  br i1 %59, label %67, label %bailout, !prof !0

60:                                               ; preds = %present
  %61 = getelementptr i8, ptr %32, i64 32
  %62 = getelementptr i8, ptr %61, i64 8
  %bool = load i8, ptr %62, align 1
  %63 = icmp eq i8 %bool, 1
  %64 = zext i1 %63 to i8
  %65 = getelementptr i8, ptr %columns, i64 48
  %next8 = load ptr, ptr %65, align 1
  %66 = getelementptr i8, ptr %next8, i64 1
  store ptr %66, ptr %65, align 1
  store i8 %64, ptr %next8, align 1
  br label %join

67:                                               ; preds = %join
  %68 = icmp ult i64 %55, 3145729
  br i1 %68, label %69, label %bailout, !prof !0

69:                                               ; preds = %67
  %70 = getelementptr i8, ptr %columns, i64 48
  %71 = getelementptr i8, ptr %70, i64 8
  %next10 = load i64, ptr %70, align 1
  store i64 %next10, ptr %71, align 1
  %72 = add i64 %12, 1
  br label %next
}

; Function Attrs: nounwind
declare ptr @serow_value_fields(ptr, ptr, i32) #0

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 2000, i32 1}
