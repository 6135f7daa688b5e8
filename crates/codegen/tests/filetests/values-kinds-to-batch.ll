; Arms are told apart by their tags, and dicts, records and enums by their names.
; schema {"a": bool}|Part{key: i64}|enum Color{RED}
; from values to batch
;
;  0  union, int 0, dict at 1, record 1 at 5, enum 0 at 9
;  1  dict of 1, a
;  2  bool, bit 0
;  3  leave
;  4  jump to 11
;  5  record Part of 1, key
;  6  i64, int 1
;  7  leave
;  8  jump to 11
;  9  enum Color, int 2, RED
; 10  jump to 11
; 11  end

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

bailout:                                          ; preds = %122, %join, %member39, %106, %fields27, %91, %fields15, %79, %next
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

next:                                             ; preds = %124, %start
  %12 = phi i64 [ %2, %start ], [ %131, %124 ]
  %13 = phi i64 [ %size, %start ], [ %55, %124 ]
  %14 = phi i64 [ %zero_sized, %start ], [ %53, %124 ]
  %15 = phi i64 [ %containers, %start ], [ %54, %124 ]
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
  %22 = call i8 @serow_value_is_dict(ptr %20)
  %23 = icmp ne i8 %22, 0
  br i1 %23, label %arm, label %58

arm:                                              ; preds = %17
  %next12 = load ptr, ptr %columns, align 1
  %24 = mul i64 %18, 8
  %25 = getelementptr i8, ptr %next12, i64 %24
  store i64 0, ptr %25, align 1
  %tag16 = load i8, ptr %20, align 1
  %26 = icmp eq i8 %tag16, 11
  %27 = getelementptr i8, ptr %20, i64 8
  %own17 = load ptr, ptr %27, align 1
  %28 = getelementptr i8, ptr %0, i64 72
  %names18 = load ptr, ptr %28, align 1
  %wanted19 = load ptr, ptr %names18, align 1
  %29 = icmp eq ptr %own17, %wanted19
  %30 = and i1 %26, %29
  %31 = getelementptr i8, ptr %20, i64 24
  %count20 = load i64, ptr %31, align 1
  %32 = icmp eq i64 %count20, 1
  %33 = and i1 %30, %32
  br i1 %33, label %own13, label %other14, !prof !0

arm1:                                             ; preds = %fields
  %next24 = load ptr, ptr %columns, align 1
  %34 = mul i64 %18, 8
  %35 = getelementptr i8, ptr %next24, i64 %34
  store i64 1, ptr %35, align 1
  %tag28 = load i8, ptr %20, align 1
  %36 = icmp eq i8 %tag28, 11
  %37 = getelementptr i8, ptr %20, i64 8
  %own29 = load ptr, ptr %37, align 1
  %38 = getelementptr i8, ptr %0, i64 72
  %names30 = load ptr, ptr %38, align 1
  %39 = getelementptr i8, ptr %names30, i64 8
  %wanted31 = load ptr, ptr %39, align 1
  %40 = icmp eq ptr %own29, %wanted31
  %41 = and i1 %36, %40
  %42 = getelementptr i8, ptr %20, i64 24
  %count32 = load i64, ptr %42, align 1
  %43 = icmp eq i64 %count32, 1
  %44 = and i1 %41, %43
  br i1 %44, label %own25, label %other26, !prof !0

arm2:                                             ; preds = %member
  %next36 = load ptr, ptr %columns, align 1
  %45 = mul i64 %18, 8
  %46 = getelementptr i8, ptr %next36, i64 %45
  store i64 2, ptr %46, align 1
  %tag40 = load i8, ptr %20, align 1
  %47 = icmp eq i8 %tag40, 12
  %48 = getelementptr i8, ptr %20, i64 8
  %own41 = load ptr, ptr %48, align 1
  %49 = getelementptr i8, ptr %0, i64 80
  %names42 = load ptr, ptr %49, align 1
  %wanted43 = load ptr, ptr %names42, align 1
  %50 = icmp eq ptr %own41, %wanted43
  %51 = and i1 %47, %50
  br i1 %51, label %own37, label %other38, !prof !0

join:                                             ; preds = %119, %110, %95
  %52 = phi i64 [ %93, %95 ], [ %108, %110 ], [ %13, %119 ]
  %53 = phi i64 [ %14, %95 ], [ %14, %110 ], [ %14, %119 ]
  %54 = phi i64 [ %92, %95 ], [ %107, %110 ], [ %15, %119 ]
  %55 = add i64 %52, 32
  %56 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %56, align 1
  %57 = icmp ult i64 %55, %full
  br i1 %57, label %122, label %bailout, !prof !0

58:                                               ; preds = %17
  %tag3 = load i8, ptr %20, align 1
  %59 = icmp eq i8 %tag3, 11
  %60 = getelementptr i8, ptr %20, i64 8
  %own4 = load ptr, ptr %60, align 1
  %61 = getelementptr i8, ptr %0, i64 72
  %names = load ptr, ptr %61, align 1
  %62 = getelementptr i8, ptr %names, i64 8
  %wanted = load ptr, ptr %62, align 1
  %63 = icmp eq ptr %own4, %wanted
  %64 = and i1 %59, %63
  %65 = getelementptr i8, ptr %20, i64 24
  %count = load i64, ptr %65, align 1
  %66 = icmp eq i64 %count, 1
  %67 = and i1 %64, %66
  br i1 %67, label %own, label %other, !prof !0

68:                                               ; preds = %fields
  %tag8 = load i8, ptr %20, align 1
  %69 = icmp eq i8 %tag8, 12
  %70 = getelementptr i8, ptr %20, i64 8
  %own9 = load ptr, ptr %70, align 1
  %71 = getelementptr i8, ptr %0, i64 80
  %names10 = load ptr, ptr %71, align 1
  %wanted11 = load ptr, ptr %names10, align 1
  %72 = icmp eq ptr %own9, %wanted11
  %73 = and i1 %69, %72
  br i1 %73, label %own6, label %other7, !prof !0

own:                                              ; preds = %58
  %74 = getelementptr i8, ptr %20, i64 16
  %fields5 = load ptr, ptr %74, align 1
  br label %fields

other:                                            ; preds = %58
  %75 = call ptr @serow_value_fields(ptr %0, ptr %20, i32 1)
  br label %fields

fields:                                           ; preds = %other, %own
  %76 = phi ptr [ %fields5, %own ], [ %75, %other ]
  %77 = ptrtoint ptr %76 to i64
  %78 = icmp ne i64 %77, 0
  br i1 %78, label %arm1, label %68

79:                                               ; preds = %member
  br label %bailout

own6:                                             ; preds = %68
  %80 = getelementptr i8, ptr %20, i64 16
  %index = load i32, ptr %80, align 1
  %81 = zext i32 %index to i64
  br label %member

other7:                                           ; preds = %68
  %82 = call i64 @serow_value_member(ptr %0, ptr %20, i32 0)
  br label %member

member:                                           ; preds = %other7, %own6
  %83 = phi i64 [ %81, %own6 ], [ %82, %other7 ]
  %84 = icmp eq i64 %83, -1
  %85 = xor i1 %84, true
  br i1 %85, label %arm2, label %79

own13:                                            ; preds = %arm
  %86 = getelementptr i8, ptr %20, i64 16
  %fields21 = load ptr, ptr %86, align 1
  br label %fields15

other14:                                          ; preds = %arm
  %87 = call ptr @serow_value_fields(ptr %0, ptr %20, i32 0)
  br label %fields15

fields15:                                         ; preds = %other14, %own13
  %88 = phi ptr [ %fields21, %own13 ], [ %87, %other14 ]
  %89 = ptrtoint ptr %88 to i64
  %90 = icmp ne i64 %89, 0
  br i1 %90, label %91, label %bailout, !prof !0

91:                                               ; preds = %fields15
  %92 = add i64 %15, 1
  %93 = add i64 %13, 16
  %tag22 = load i8, ptr %88, align 1
  %94 = icmp eq i8 %tag22, 1
  br i1 %94, label %95, label %bailout, !prof !0

95:                                               ; preds = %91
  %96 = getelementptr i8, ptr %88, i64 8
  %bool = load i8, ptr %96, align 1
  %97 = icmp eq i8 %bool, 1
  %98 = zext i1 %97 to i8
  %99 = getelementptr i8, ptr %columns, i64 72
  %next23 = load ptr, ptr %99, align 1
  %100 = getelementptr i8, ptr %next23, i64 1
  store ptr %100, ptr %99, align 1
  store i8 %98, ptr %next23, align 1
  br label %join

own25:                                            ; preds = %arm1
  %101 = getelementptr i8, ptr %20, i64 16
  %fields33 = load ptr, ptr %101, align 1
  br label %fields27

other26:                                          ; preds = %arm1
  %102 = call ptr @serow_value_fields(ptr %0, ptr %20, i32 1)
  br label %fields27

fields27:                                         ; preds = %other26, %own25
  %103 = phi ptr [ %fields33, %own25 ], [ %102, %other26 ]
  %104 = ptrtoint ptr %103 to i64
  %105 = icmp ne i64 %104, 0
  br i1 %105, label %106, label %bailout, !prof !0

106:                                              ; preds = %fields27
  %107 = add i64 %15, 1
  %108 = add i64 %13, 16
  %tag34 = load i8, ptr %103, align 1
  %109 = icmp eq i8 %tag34, 2
  br i1 %109, label %110, label %bailout, !prof !0

110:                                              ; preds = %106
  %111 = getelementptr i8, ptr %103, i64 8
  %int = load i64, ptr %111, align 1
  %112 = getelementptr i8, ptr %columns, i64 24
  %next35 = load ptr, ptr %112, align 1
  %113 = getelementptr i8, ptr %next35, i64 8
  store ptr %113, ptr %112, align 1
  store i64 %int, ptr %next35, align 1
  br label %join

own37:                                            ; preds = %arm2
  %114 = getelementptr i8, ptr %20, i64 16
  %index44 = load i32, ptr %114, align 1
  %115 = zext i32 %index44 to i64
  br label %member39

other38:                                          ; preds = %arm2
  %116 = call i64 @serow_value_member(ptr %0, ptr %20, i32 0)
  br label %member39

member39:                                         ; preds = %other38, %own37
  %117 = phi i64 [ %115, %own37 ], [ %116, %other38 ]
  %118 = icmp ult i64 %117, 1
  br i1 %118, label %119, label %bailout, !prof !0

119:                                              ; preds = %member39
  %120 = getelementptr i8, ptr %columns, i64 48
  %next45 = load ptr, ptr %120, align 1
  %121 = getelementptr i8, ptr %next45, i64 8
  store ptr %121, ptr %120, align 1
  store i64 %117, ptr %next45, align 1
  br label %join

122:                                              ; preds = %join
  %123 = icmp ult i64 %53, 3145729
  br i1 %123, label %124, label %bailout, !prof !0

124:                                              ; preds = %122
  %125 = getelementptr i8, ptr %columns, i64 24
  %126 = getelementptr i8, ptr %125, i64 8
  %next46 = load i64, ptr %125, align 1
  store i64 %next46, ptr %126, align 1
  %127 = getelementptr i8, ptr %columns, i64 48
  %128 = getelementptr i8, ptr %127, i64 8
  %next47 = load i64, ptr %127, align 1
  store i64 %next47, ptr %128, align 1
  %129 = getelementptr i8, ptr %columns, i64 72
  %130 = getelementptr i8, ptr %129, i64 8
  %next48 = load i64, ptr %129, align 1
  store i64 %next48, ptr %130, align 1
  %131 = add i64 %12, 1
  br label %next
}

; Function Attrs: nounwind
declare i8 @serow_value_is_dict(ptr) #0

; Function Attrs: nounwind
declare ptr @serow_value_fields(ptr, ptr, i32) #0

; Function Attrs: nounwind
declare i64 @serow_value_member(ptr, ptr, i32) #0

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 2000, i32 1}
