; A field of a dict that may be missing has a slot that says whether it is there.
; schema {"a"?: i64, "b": bool}
; from flat to row
;
; 0  dict of 2, a, b
; 1  maybe, bit 0, else to 3
; 2  i64, int 0
; 3  bool, bit 1
; 4  leave
; 5  end

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
  %memory = load ptr, ptr %1, align 1
  %start1 = load ptr, ptr %memory, align 1
  %9 = getelementptr i8, ptr %memory, i64 8
  %len = load i64, ptr %9, align 1
  %10 = getelementptr i8, ptr %start1, i64 %len
  %11 = getelementptr i8, ptr %memory, i64 16
  %limit = load i64, ptr %11, align 1
  %12 = getelementptr i8, ptr %start1, i64 %limit
  %13 = getelementptr i8, ptr %1, i64 8
  %full = load i64, ptr %13, align 1
  %14 = getelementptr i8, ptr %start1, i64 %full
  br label %next

leave:                                            ; preds = %103, %93, %join, %present, %34, %28, %next
  %15 = sub i64 %22, %2
  store ptr %23, ptr %0, align 1
  %16 = getelementptr i8, ptr %0, i64 16
  store ptr %24, ptr %16, align 1
  %17 = getelementptr i8, ptr %0, i64 32
  store ptr %25, ptr %17, align 1
  %memory4 = load ptr, ptr %1, align 1
  %start5 = load ptr, ptr %memory4, align 1
  %18 = ptrtoint ptr %start5 to i64
  %19 = ptrtoint ptr %26 to i64
  %20 = sub i64 %19, %18
  %21 = getelementptr i8, ptr %memory4, i64 8
  store i64 %20, ptr %21, align 1
  ret i64 %22

next:                                             ; preds = %107, %start
  %22 = phi i64 [ %2, %start ], [ %109, %107 ]
  %23 = phi ptr [ %slots, %start ], [ %94, %107 ]
  %24 = phi ptr [ %text, %start ], [ %50, %107 ]
  %25 = phi ptr [ %bytes, %start ], [ %51, %107 ]
  %26 = phi ptr [ %10, %start ], [ %97, %107 ]
  %27 = icmp ult i64 %22, %3
  br i1 %27, label %28, label %leave, !prof !0

28:                                               ; preds = %next
  %29 = sub i64 %22, %2
  %30 = ptrtoint ptr %26 to i64
  %31 = ptrtoint ptr %12 to i64
  %32 = sub i64 %31, %30
  %33 = icmp ugt i64 %32, 15
  br i1 %33, label %34, label %leave, !prof !0

34:                                               ; preds = %28
  %35 = getelementptr i8, ptr %26, i64 4
  %36 = ptrtoint ptr %23 to i64
  %37 = ptrtoint ptr %slots_end to i64
  %38 = sub i64 %37, %36
  %39 = icmp uge i64 %38, 8
  br i1 %39, label %40, label %leave, !prof !0

40:                                               ; preds = %34
  %slot = load i64, ptr %23, align 1
  %41 = getelementptr i8, ptr %23, i64 8
  %42 = icmp ne i64 %slot, 0
  br i1 %42, label %present, label %absent

present:                                          ; preds = %40
  store i8 1, ptr %35, align 1
  %43 = getelementptr i8, ptr %35, i64 1
  %44 = ptrtoint ptr %41 to i64
  %45 = ptrtoint ptr %slots_end to i64
  %46 = sub i64 %45, %44
  %47 = icmp uge i64 %46, 8
  br i1 %47, label %57, label %leave, !prof !0

absent:                                           ; preds = %40
  store i8 0, ptr %35, align 1
  %48 = getelementptr i8, ptr %35, i64 1
  br label %join

join:                                             ; preds = %absent, %63
  %49 = phi ptr [ %58, %63 ], [ %41, %absent ]
  %50 = phi ptr [ %24, %63 ], [ %24, %absent ]
  %51 = phi ptr [ %25, %63 ], [ %25, %absent ]
  %52 = phi ptr [ %64, %63 ], [ %48, %absent ]
  %53 = ptrtoint ptr %49 to i64
  %54 = ptrtoint ptr %slots_end to i64
  %55 = sub i64 %54, %53
  %56 = icmp uge i64 %55, 8
  br i1 %56, label %93, label %leave, !prof !0

57:                                               ; preds = %present
  %slot2 = load i64, ptr %41, align 1
  %58 = getelementptr i8, ptr %41, i64 8
  %59 = shl i64 %slot2, 1
  %60 = ashr i64 %slot2, 63
  %61 = xor i64 %59, %60
  %62 = icmp ult i64 %61, 128
  br i1 %62, label %65, label %70

63:                                               ; preds = %91, %86, %79, %72, %65
  %64 = phi ptr [ %69, %65 ], [ %76, %72 ], [ %83, %79 ], [ %90, %86 ], [ %92, %91 ]
  br label %join

65:                                               ; preds = %57
  %66 = shl i64 %61, 1
  %67 = or i64 %66, 1
  %68 = trunc i64 %67 to i8
  store i8 %68, ptr %43, align 1
  %69 = getelementptr i8, ptr %43, i64 1
  br label %63

70:                                               ; preds = %57
  %71 = icmp ult i64 %61, 16384
  br i1 %71, label %72, label %77

72:                                               ; preds = %70
  %73 = shl i64 %61, 2
  %74 = or i64 %73, 2
  %75 = trunc i64 %74 to i16
  store i16 %75, ptr %43, align 1
  %76 = getelementptr i8, ptr %43, i64 2
  br label %63

77:                                               ; preds = %70
  %78 = icmp ult i64 %61, 2097152
  br i1 %78, label %79, label %84

79:                                               ; preds = %77
  %80 = shl i64 %61, 3
  %81 = or i64 %80, 4
  %82 = trunc i64 %81 to i32
  store i32 %82, ptr %43, align 1
  %83 = getelementptr i8, ptr %43, i64 3
  br label %63

84:                                               ; preds = %77
  %85 = icmp ult i64 %61, 268435456
  br i1 %85, label %86, label %91

86:                                               ; preds = %84
  %87 = shl i64 %61, 4
  %88 = or i64 %87, 8
  %89 = trunc i64 %88 to i32
  store i32 %89, ptr %43, align 1
  %90 = getelementptr i8, ptr %43, i64 4
  br label %63

91:                                               ; preds = %84
  %92 = call preserve_mostcc ptr @long_varint(ptr %43, i64 %61)
  br label %63

93:                                               ; preds = %join
  %slot3 = load i64, ptr %49, align 1
  %94 = getelementptr i8, ptr %49, i64 8
  %95 = icmp ne i64 %slot3, 0
  %96 = zext i1 %95 to i8
  store i8 %96, ptr %52, align 1
  %97 = getelementptr i8, ptr %52, i64 1
  %98 = ptrtoint ptr %26 to i64
  %99 = ptrtoint ptr %97 to i64
  %100 = sub i64 %99, %98
  %101 = sub i64 %100, 4
  %102 = icmp ult i64 %101, 4294967232
  br i1 %102, label %103, label %leave, !prof !0

103:                                              ; preds = %93
  %104 = ptrtoint ptr %97 to i64
  %105 = ptrtoint ptr %14 to i64
  %106 = icmp ult i64 %104, %105
  br i1 %106, label %107, label %leave, !prof !0

107:                                              ; preds = %103
  %108 = trunc i64 %101 to i32
  store i32 %108, ptr %26, align 1
  %109 = add i64 %22, 1
  br label %next
}

; Function Attrs: nounwind
define internal preserve_mostcc ptr @long_varint(ptr %0, i64 %1) #0 {
start:
  %2 = call i64 @llvm.ctlz.i64(i64 %1, i1 true)
  %3 = sub i64 64, %2
  %4 = icmp ult i64 %3, 57
  br i1 %4, label %some, label %all

some:                                             ; preds = %start
  %5 = add i64 %3, 6
  %6 = mul i64 %5, 37
  %7 = lshr i64 %6, 8
  %8 = sub i64 %7, 1
  %9 = shl i64 1, %8
  %10 = shl i64 %1, %7
  %11 = or i64 %10, %9
  store i64 %11, ptr %0, align 1
  %12 = getelementptr i8, ptr %0, i64 %7
  ret ptr %12

all:                                              ; preds = %start
  store i8 0, ptr %0, align 1
  %13 = getelementptr i8, ptr %0, i64 1
  store i64 %1, ptr %13, align 1
  %14 = getelementptr i8, ptr %0, i64 9
  ret ptr %14
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctlz.i64(i64, i1 immarg) #1

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
