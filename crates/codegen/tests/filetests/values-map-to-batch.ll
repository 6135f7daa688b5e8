; Keys and values of a map lie side by side; those of a dict with fixed keys are laid out so by a function.
; schema {i64: f64}
; from values to batch
;
; 0  sequence as map, int 0, to 4, 17 bytes each
; 1  i64, int 1
; 2  f64, float 0
; 3  next, from 1
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

bailout:                                          ; preds = %71, %after, %60, %56, %50, %element, %other, %next
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

next:                                             ; preds = %73, %start
  %12 = phi i64 [ %2, %start ], [ %78, %73 ]
  %13 = phi i64 [ %size, %start ], [ %47, %73 ]
  %14 = phi i64 [ %zero_sized, %start ], [ %45, %73 ]
  %15 = phi i64 [ %containers, %start ], [ %46, %73 ]
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
  %22 = icmp eq i8 %tag, 10
  br i1 %22, label %map, label %other, !prof !0

map:                                              ; preds = %17
  %23 = getelementptr i8, ptr %20, i64 24
  %len = load i64, ptr %23, align 1
  %24 = getelementptr i8, ptr %20, i64 16
  %elements = load ptr, ptr %24, align 1
  br label %entries

other:                                            ; preds = %17
  %25 = call ptr @serow_value_entries(ptr %0, ptr %20)
  %26 = ptrtoint ptr %25 to i64
  %27 = icmp ne i64 %26, 0
  br i1 %27, label %35, label %bailout, !prof !0

entries:                                          ; preds = %35, %map
  %28 = phi ptr [ %elements, %map ], [ %25, %35 ]
  %29 = phi i64 [ %len, %map ], [ %len1, %35 ]
  %30 = mul i64 %29, 8
  %31 = add i64 %13, %30
  %next2 = load ptr, ptr %columns, align 1
  %32 = mul i64 %18, 8
  %33 = getelementptr i8, ptr %next2, i64 %32
  store i64 %29, ptr %33, align 1
  %34 = icmp ne i64 %29, 0
  br i1 %34, label %element, label %after

35:                                               ; preds = %other
  %36 = getelementptr i8, ptr %20, i64 24
  %len1 = load i64, ptr %36, align 1
  br label %entries

element:                                          ; preds = %67, %entries
  %37 = phi i64 [ 0, %entries ], [ %69, %67 ]
  %38 = phi i64 [ %31, %entries ], [ %38, %67 ]
  %39 = phi i64 [ %14, %entries ], [ %39, %67 ]
  %40 = phi i64 [ %15, %entries ], [ %40, %67 ]
  %41 = mul i64 %37, 64
  %42 = getelementptr i8, ptr %28, i64 %41
  %tag3 = load i8, ptr %42, align 1
  %43 = icmp eq i8 %tag3, 2
  br i1 %43, label %50, label %bailout, !prof !0

after:                                            ; preds = %67, %entries
  %44 = phi i64 [ %31, %entries ], [ %38, %67 ]
  %45 = phi i64 [ %14, %entries ], [ %39, %67 ]
  %46 = phi i64 [ %15, %entries ], [ %40, %67 ]
  %47 = add i64 %44, 24
  %48 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %48, align 1
  %49 = icmp ult i64 %47, %full
  br i1 %49, label %71, label %bailout, !prof !0

50:                                               ; preds = %element
  %51 = getelementptr i8, ptr %42, i64 8
  %int = load i64, ptr %51, align 1
  %52 = getelementptr i8, ptr %columns, i64 24
  %next4 = load ptr, ptr %52, align 1
  %53 = getelementptr i8, ptr %52, i64 16
  %limit = load i64, ptr %53, align 1
  %54 = ptrtoint ptr %next4 to i64
  %55 = icmp ult i64 %54, %limit
  br i1 %55, label %56, label %bailout, !prof !0

56:                                               ; preds = %50
  %57 = getelementptr i8, ptr %next4, i64 8
  store ptr %57, ptr %52, align 1
  store i64 %int, ptr %next4, align 1
  %58 = getelementptr i8, ptr %42, i64 32
  %tag5 = load i8, ptr %58, align 1
  %59 = icmp eq i8 %tag5, 3
  br i1 %59, label %60, label %bailout, !prof !0

60:                                               ; preds = %56
  %61 = getelementptr i8, ptr %42, i64 32
  %62 = getelementptr i8, ptr %61, i64 8
  %bits = load i64, ptr %62, align 1
  %63 = getelementptr i8, ptr %columns, i64 48
  %next6 = load ptr, ptr %63, align 1
  %64 = getelementptr i8, ptr %63, i64 16
  %limit7 = load i64, ptr %64, align 1
  %65 = ptrtoint ptr %next6 to i64
  %66 = icmp ult i64 %65, %limit7
  br i1 %66, label %67, label %bailout, !prof !0

67:                                               ; preds = %60
  %68 = getelementptr i8, ptr %next6, i64 8
  store ptr %68, ptr %63, align 1
  store i64 %bits, ptr %next6, align 1
  %69 = add i64 %37, 1
  %70 = icmp ult i64 %69, %29
  br i1 %70, label %element, label %after

71:                                               ; preds = %after
  %72 = icmp ult i64 %45, 3145729
  br i1 %72, label %73, label %bailout, !prof !0

73:                                               ; preds = %71
  %74 = getelementptr i8, ptr %columns, i64 24
  %75 = getelementptr i8, ptr %74, i64 8
  %next8 = load i64, ptr %74, align 1
  store i64 %next8, ptr %75, align 1
  %76 = getelementptr i8, ptr %columns, i64 48
  %77 = getelementptr i8, ptr %76, i64 8
  %next9 = load i64, ptr %76, align 1
  store i64 %next9, ptr %77, align 1
  %78 = add i64 %12, 1
  br label %next
}

; Function Attrs: nounwind
declare ptr @serow_value_entries(ptr, ptr) #0

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 2000, i32 1}
