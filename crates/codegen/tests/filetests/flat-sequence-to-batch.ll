; Within a sequence every value looks for room.
; schema [(i64, bool)]
; from flat to batch
;
; 0  sequence as list, int 0, to 6, 10 bytes each
; 1  tuple of 2, acyclic
; 2  i64, int 1
; 3  bool, bit 0
; 4  leave
; 5  next, from 1
; 6  end

define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %slots = load ptr, ptr %0, align 1
  %4 = getelementptr i8, ptr %0, i64 8
  %slots_end = load ptr, ptr %4, align 1
  %5 = getelementptr i8, ptr %0, i64 16
  %text = load ptr, ptr %5, align 1
  %6 = getelementptr i8, ptr %0, i64 24
  %text_end = load ptr, ptr %6, align 1
  %columns = load ptr, ptr %1, align 1
  %7 = getelementptr i8, ptr %1, i64 32
  %size = load i64, ptr %7, align 1
  %8 = getelementptr i8, ptr %1, i64 16
  %zero_sized = load i64, ptr %8, align 1
  %9 = getelementptr i8, ptr %1, i64 24
  %containers = load i64, ptr %9, align 1
  br label %next

bailout:                                          ; preds = %86, %after, %74, %68, %62, %element, %29, %23, %next
  %10 = sub i64 %16, %2
  store ptr %17, ptr %0, align 1
  %11 = getelementptr i8, ptr %0, i64 16
  store ptr %18, ptr %11, align 1
  %12 = getelementptr i8, ptr %1, i64 8
  store i64 %10, ptr %12, align 1
  %13 = getelementptr i8, ptr %1, i64 32
  store i64 %19, ptr %13, align 1
  %14 = getelementptr i8, ptr %1, i64 16
  store i64 %20, ptr %14, align 1
  %15 = getelementptr i8, ptr %1, i64 24
  store i64 %21, ptr %15, align 1
  ret i64 %16

next:                                             ; preds = %88, %start
  %16 = phi i64 [ %2, %start ], [ %93, %88 ]
  %17 = phi ptr [ %slots, %start ], [ %54, %88 ]
  %18 = phi ptr [ %text, %start ], [ %55, %88 ]
  %19 = phi i64 [ %size, %start ], [ %59, %88 ]
  %20 = phi i64 [ %zero_sized, %start ], [ %57, %88 ]
  %21 = phi i64 [ %containers, %start ], [ %58, %88 ]
  %22 = icmp ult i64 %16, %3
  br i1 %22, label %23, label %bailout, !prof !0

23:                                               ; preds = %next
  %24 = sub i64 %16, %2
  %25 = ptrtoint ptr %17 to i64
  %26 = ptrtoint ptr %slots_end to i64
  %27 = sub i64 %26, %25
  %28 = icmp uge i64 %27, 8
  br i1 %28, label %29, label %bailout, !prof !0

29:                                               ; preds = %23
  %slot = load i64, ptr %17, align 1
  %30 = getelementptr i8, ptr %17, i64 8
  %31 = ptrtoint ptr %30 to i64
  %32 = ptrtoint ptr %slots_end to i64
  %33 = sub i64 %32, %31
  %34 = lshr i64 %33, 3
  %35 = icmp ule i64 %slot, %34
  br i1 %35, label %36, label %bailout, !prof !0

36:                                               ; preds = %29
  %37 = mul i64 %slot, 8
  %38 = add i64 %19, %37
  %next1 = load ptr, ptr %columns, align 1
  %39 = mul i64 %24, 8
  %40 = getelementptr i8, ptr %next1, i64 %39
  store i64 %slot, ptr %40, align 1
  %41 = icmp ne i64 %slot, 0
  br i1 %41, label %element, label %after

element:                                          ; preds = %82, %36
  %42 = phi i64 [ 0, %36 ], [ %84, %82 ]
  %43 = phi ptr [ %30, %36 ], [ %75, %82 ]
  %44 = phi ptr [ %18, %36 ], [ %44, %82 ]
  %45 = phi i64 [ %38, %36 ], [ %49, %82 ]
  %46 = phi i64 [ %20, %36 ], [ %46, %82 ]
  %47 = phi i64 [ %21, %36 ], [ %48, %82 ]
  %48 = add i64 %47, 1
  %49 = add i64 %45, 16
  %50 = ptrtoint ptr %43 to i64
  %51 = ptrtoint ptr %slots_end to i64
  %52 = sub i64 %51, %50
  %53 = icmp uge i64 %52, 8
  br i1 %53, label %62, label %bailout, !prof !0

after:                                            ; preds = %82, %36
  %54 = phi ptr [ %30, %36 ], [ %75, %82 ]
  %55 = phi ptr [ %18, %36 ], [ %44, %82 ]
  %56 = phi i64 [ %38, %36 ], [ %49, %82 ]
  %57 = phi i64 [ %20, %36 ], [ %46, %82 ]
  %58 = phi i64 [ %21, %36 ], [ %48, %82 ]
  %59 = add i64 %56, 24
  %60 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %60, align 1
  %61 = icmp ult i64 %59, %full
  br i1 %61, label %86, label %bailout, !prof !0

62:                                               ; preds = %element
  %slot2 = load i64, ptr %43, align 1
  %63 = getelementptr i8, ptr %43, i64 8
  %64 = getelementptr i8, ptr %columns, i64 24
  %next3 = load ptr, ptr %64, align 1
  %65 = getelementptr i8, ptr %64, i64 16
  %limit = load i64, ptr %65, align 1
  %66 = ptrtoint ptr %next3 to i64
  %67 = icmp ult i64 %66, %limit
  br i1 %67, label %68, label %bailout, !prof !0

68:                                               ; preds = %62
  %69 = getelementptr i8, ptr %next3, i64 8
  store ptr %69, ptr %64, align 1
  store i64 %slot2, ptr %next3, align 1
  %70 = ptrtoint ptr %63 to i64
  %71 = ptrtoint ptr %slots_end to i64
  %72 = sub i64 %71, %70
  %73 = icmp uge i64 %72, 8
  br i1 %73, label %74, label %bailout, !prof !0

74:                                               ; preds = %68
  %slot4 = load i64, ptr %63, align 1
  %75 = getelementptr i8, ptr %63, i64 8
  %76 = icmp ne i64 %slot4, 0
  %77 = zext i1 %76 to i8
  %78 = getelementptr i8, ptr %columns, i64 48
  %next5 = load ptr, ptr %78, align 1
  %79 = getelementptr i8, ptr %78, i64 16
  %limit6 = load i64, ptr %79, align 1
  %80 = ptrtoint ptr %next5 to i64
  %81 = icmp ult i64 %80, %limit6
  br i1 %81, label %82, label %bailout, !prof !0

82:                                               ; preds = %74
  %83 = getelementptr i8, ptr %next5, i64 1
  store ptr %83, ptr %78, align 1
  store i8 %77, ptr %next5, align 1
  %84 = add i64 %42, 1
  %85 = icmp ult i64 %84, %slot
  br i1 %85, label %element, label %after

86:                                               ; preds = %after
  %87 = icmp ult i64 %57, 3145729
  br i1 %87, label %88, label %bailout, !prof !0

88:                                               ; preds = %86
  %89 = getelementptr i8, ptr %columns, i64 24
  %90 = getelementptr i8, ptr %89, i64 8
  %next7 = load i64, ptr %89, align 1
  store i64 %next7, ptr %90, align 1
  %91 = getelementptr i8, ptr %columns, i64 48
  %92 = getelementptr i8, ptr %91, i64 8
  %next8 = load i64, ptr %91, align 1
  store i64 %next8, ptr %92, align 1
  %93 = add i64 %16, 1
  br label %next
}

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 2000, i32 1}
