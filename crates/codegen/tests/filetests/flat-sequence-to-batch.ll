; Within a sequence every value looks for room.
; schema [(i64, bool)]
; from flat to batch
;
; 0  sequence as list, int 0, to 6, 10 bytes each
; 1  tuple of 2, atomic
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
  %7 = getelementptr i8, ptr %0, i64 32
  %bytes = load ptr, ptr %7, align 1
  %8 = getelementptr i8, ptr %0, i64 40
  %bytes_end = load ptr, ptr %8, align 1
  %columns = load ptr, ptr %1, align 1
  %9 = getelementptr i8, ptr %1, i64 32
  %size = load i64, ptr %9, align 1
  %10 = getelementptr i8, ptr %1, i64 16
  %weightless = load i64, ptr %10, align 1
  %11 = getelementptr i8, ptr %1, i64 24
  %containers = load i64, ptr %11, align 1
  br label %next

leave:                                            ; preds = %92, %after, %80, %74, %68, %element, %33, %27, %next
  %12 = sub i64 %19, %2
  store ptr %20, ptr %0, align 1
  %13 = getelementptr i8, ptr %0, i64 16
  store ptr %21, ptr %13, align 1
  %14 = getelementptr i8, ptr %0, i64 32
  store ptr %22, ptr %14, align 1
  %15 = getelementptr i8, ptr %1, i64 8
  store i64 %12, ptr %15, align 1
  %16 = getelementptr i8, ptr %1, i64 32
  store i64 %23, ptr %16, align 1
  %17 = getelementptr i8, ptr %1, i64 16
  store i64 %24, ptr %17, align 1
  %18 = getelementptr i8, ptr %1, i64 24
  store i64 %25, ptr %18, align 1
  ret i64 %19

next:                                             ; preds = %94, %start
  %19 = phi i64 [ %2, %start ], [ %99, %94 ]
  %20 = phi ptr [ %slots, %start ], [ %59, %94 ]
  %21 = phi ptr [ %text, %start ], [ %60, %94 ]
  %22 = phi ptr [ %bytes, %start ], [ %61, %94 ]
  %23 = phi i64 [ %size, %start ], [ %65, %94 ]
  %24 = phi i64 [ %weightless, %start ], [ %63, %94 ]
  %25 = phi i64 [ %containers, %start ], [ %64, %94 ]
  %26 = icmp ult i64 %19, %3
  br i1 %26, label %27, label %leave, !prof !0

27:                                               ; preds = %next
  %28 = sub i64 %19, %2
  %29 = ptrtoint ptr %20 to i64
  %30 = ptrtoint ptr %slots_end to i64
  %31 = sub i64 %30, %29
  %32 = icmp uge i64 %31, 8
  br i1 %32, label %33, label %leave, !prof !0

33:                                               ; preds = %27
  %slot = load i64, ptr %20, align 1
  %34 = getelementptr i8, ptr %20, i64 8
  %35 = ptrtoint ptr %34 to i64
  %36 = ptrtoint ptr %slots_end to i64
  %37 = sub i64 %36, %35
  %38 = lshr i64 %37, 3
  %39 = icmp ule i64 %slot, %38
  br i1 %39, label %40, label %leave, !prof !0

40:                                               ; preds = %33
  %41 = mul i64 %slot, 8
  %42 = add i64 %23, %41
  %next1 = load ptr, ptr %columns, align 1
  %43 = mul i64 %28, 8
  %44 = getelementptr i8, ptr %next1, i64 %43
  store i64 %slot, ptr %44, align 1
  %45 = icmp ne i64 %slot, 0
  br i1 %45, label %element, label %after

element:                                          ; preds = %88, %40
  %46 = phi i64 [ 0, %40 ], [ %90, %88 ]
  %47 = phi ptr [ %34, %40 ], [ %81, %88 ]
  %48 = phi ptr [ %21, %40 ], [ %48, %88 ]
  %49 = phi ptr [ %22, %40 ], [ %49, %88 ]
  %50 = phi i64 [ %42, %40 ], [ %54, %88 ]
  %51 = phi i64 [ %24, %40 ], [ %51, %88 ]
  %52 = phi i64 [ %25, %40 ], [ %53, %88 ]
  %53 = add i64 %52, 1
  %54 = add i64 %50, 16
  %55 = ptrtoint ptr %47 to i64
  %56 = ptrtoint ptr %slots_end to i64
  %57 = sub i64 %56, %55
  %58 = icmp uge i64 %57, 8
  br i1 %58, label %68, label %leave, !prof !0

after:                                            ; preds = %88, %40
  %59 = phi ptr [ %34, %40 ], [ %81, %88 ]
  %60 = phi ptr [ %21, %40 ], [ %48, %88 ]
  %61 = phi ptr [ %22, %40 ], [ %49, %88 ]
  %62 = phi i64 [ %42, %40 ], [ %54, %88 ]
  %63 = phi i64 [ %24, %40 ], [ %51, %88 ]
  %64 = phi i64 [ %25, %40 ], [ %53, %88 ]
  %65 = add i64 %62, 24
  %66 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %66, align 1
  %67 = icmp ult i64 %65, %full
  br i1 %67, label %92, label %leave, !prof !0

68:                                               ; preds = %element
  %slot2 = load i64, ptr %47, align 1
  %69 = getelementptr i8, ptr %47, i64 8
  %70 = getelementptr i8, ptr %columns, i64 24
  %next3 = load ptr, ptr %70, align 1
  %71 = getelementptr i8, ptr %70, i64 16
  %limit = load i64, ptr %71, align 1
  %72 = ptrtoint ptr %next3 to i64
  %73 = icmp ult i64 %72, %limit
  br i1 %73, label %74, label %leave, !prof !0

74:                                               ; preds = %68
  %75 = getelementptr i8, ptr %next3, i64 8
  store ptr %75, ptr %70, align 1
  store i64 %slot2, ptr %next3, align 1
  %76 = ptrtoint ptr %69 to i64
  %77 = ptrtoint ptr %slots_end to i64
  %78 = sub i64 %77, %76
  %79 = icmp uge i64 %78, 8
  br i1 %79, label %80, label %leave, !prof !0

80:                                               ; preds = %74
  %slot4 = load i64, ptr %69, align 1
  %81 = getelementptr i8, ptr %69, i64 8
  %82 = icmp ne i64 %slot4, 0
  %83 = zext i1 %82 to i8
  %84 = getelementptr i8, ptr %columns, i64 48
  %next5 = load ptr, ptr %84, align 1
  %85 = getelementptr i8, ptr %84, i64 16
  %limit6 = load i64, ptr %85, align 1
  %86 = ptrtoint ptr %next5 to i64
  %87 = icmp ult i64 %86, %limit6
  br i1 %87, label %88, label %leave, !prof !0

88:                                               ; preds = %80
  %89 = getelementptr i8, ptr %next5, i64 1
  store ptr %89, ptr %84, align 1
  store i8 %83, ptr %next5, align 1
  %90 = add i64 %46, 1
  %91 = icmp ult i64 %90, %slot
  br i1 %91, label %element, label %after

92:                                               ; preds = %after
  %93 = icmp ult i64 %63, 3145729
  br i1 %93, label %94, label %leave, !prof !0

94:                                               ; preds = %92
  %95 = getelementptr i8, ptr %columns, i64 24
  %96 = getelementptr i8, ptr %95, i64 8
  %next7 = load i64, ptr %95, align 1
  store i64 %next7, ptr %96, align 1
  %97 = getelementptr i8, ptr %columns, i64 48
  %98 = getelementptr i8, ptr %97, i64 8
  %next8 = load i64, ptr %97, align 1
  store i64 %next8, ptr %98, align 1
  %99 = add i64 %19, 1
  br label %next
}

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 2000, i32 1}
