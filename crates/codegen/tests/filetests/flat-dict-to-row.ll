; A field of a dict that may be missing has a slot that says whether it is there.
; schema {"a"?: i64, "b": bool}
; from flat to row
;
; 0  struct of 2: dict, a, b
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
  %memory = load ptr, ptr %1, align 1
  %start1 = load ptr, ptr %memory, align 1
  %7 = getelementptr i8, ptr %memory, i64 8
  %len = load i64, ptr %7, align 1
  %8 = getelementptr i8, ptr %start1, i64 %len
  %9 = getelementptr i8, ptr %memory, i64 16
  %limit = load i64, ptr %9, align 1
  %10 = getelementptr i8, ptr %start1, i64 %limit
  %11 = getelementptr i8, ptr %1, i64 8
  %full = load i64, ptr %11, align 1
  %12 = getelementptr i8, ptr %start1, i64 %full
  br label %next

bailout:                                          ; preds = %98, %88, %join, %present, %30, %24, %next
  %13 = sub i64 %19, %2
  store ptr %20, ptr %0, align 1
  %14 = getelementptr i8, ptr %0, i64 16
  store ptr %21, ptr %14, align 1
  %memory4 = load ptr, ptr %1, align 1
  %start5 = load ptr, ptr %memory4, align 1
  %15 = ptrtoint ptr %start5 to i64
  %16 = ptrtoint ptr %22 to i64
  %17 = sub i64 %16, %15
  %18 = getelementptr i8, ptr %memory4, i64 8
  store i64 %17, ptr %18, align 1
  ret i64 %19

next:                                             ; preds = %102, %start
  %19 = phi i64 [ %2, %start ], [ %104, %102 ]
  %20 = phi ptr [ %slots, %start ], [ %89, %102 ]
  %21 = phi ptr [ %text, %start ], [ %46, %102 ]
  %22 = phi ptr [ %8, %start ], [ %92, %102 ]
  %23 = icmp ult i64 %19, %3
  br i1 %23, label %24, label %bailout, !prof !0

24:                                               ; preds = %next
  %25 = sub i64 %19, %2
  %26 = ptrtoint ptr %22 to i64
  %27 = ptrtoint ptr %10 to i64
  %28 = sub i64 %27, %26
  %29 = icmp ugt i64 %28, 15
  br i1 %29, label %30, label %bailout, !prof !0

30:                                               ; preds = %24
  %31 = getelementptr i8, ptr %22, i64 4
  %32 = ptrtoint ptr %20 to i64
  %33 = ptrtoint ptr %slots_end to i64
  %34 = sub i64 %33, %32
  %35 = icmp uge i64 %34, 8
  br i1 %35, label %36, label %bailout, !prof !0

36:                                               ; preds = %30
  %slot = load i64, ptr %20, align 1
  %37 = getelementptr i8, ptr %20, i64 8
  %38 = icmp ne i64 %slot, 0
  br i1 %38, label %present, label %absent

present:                                          ; preds = %36
  store i8 1, ptr %31, align 1
  %39 = getelementptr i8, ptr %31, i64 1
  %40 = ptrtoint ptr %37 to i64
  %41 = ptrtoint ptr %slots_end to i64
  %42 = sub i64 %41, %40
  %43 = icmp uge i64 %42, 8
  br i1 %43, label %52, label %bailout, !prof !0

absent:                                           ; preds = %36
  store i8 0, ptr %31, align 1
  %44 = getelementptr i8, ptr %31, i64 1
  br label %join

join:                                             ; preds = %absent, %58
  %45 = phi ptr [ %53, %58 ], [ %37, %absent ]
  %46 = phi ptr [ %21, %58 ], [ %21, %absent ]
  %47 = phi ptr [ %59, %58 ], [ %44, %absent ]
  %48 = ptrtoint ptr %45 to i64
  %49 = ptrtoint ptr %slots_end to i64
  %50 = sub i64 %49, %48
  %51 = icmp uge i64 %50, 8
  br i1 %51, label %88, label %bailout, !prof !0

52:                                               ; preds = %present
  %slot2 = load i64, ptr %37, align 1
  %53 = getelementptr i8, ptr %37, i64 8
  %54 = shl i64 %slot2, 1
  %55 = ashr i64 %slot2, 63
  %56 = xor i64 %54, %55
  %57 = icmp ult i64 %56, 128
  br i1 %57, label %60, label %65

58:                                               ; preds = %86, %81, %74, %67, %60
  %59 = phi ptr [ %64, %60 ], [ %71, %67 ], [ %78, %74 ], [ %85, %81 ], [ %87, %86 ]
  br label %join

60:                                               ; preds = %52
  %61 = shl i64 %56, 1
  %62 = or i64 %61, 1
  %63 = trunc i64 %62 to i8
  store i8 %63, ptr %39, align 1
  %64 = getelementptr i8, ptr %39, i64 1
  br label %58

65:                                               ; preds = %52
  %66 = icmp ult i64 %56, 16384
  br i1 %66, label %67, label %72

67:                                               ; preds = %65
  %68 = shl i64 %56, 2
  %69 = or i64 %68, 2
  %70 = trunc i64 %69 to i16
  store i16 %70, ptr %39, align 1
  %71 = getelementptr i8, ptr %39, i64 2
  br label %58

72:                                               ; preds = %65
  %73 = icmp ult i64 %56, 2097152
  br i1 %73, label %74, label %79

74:                                               ; preds = %72
  %75 = shl i64 %56, 3
  %76 = or i64 %75, 4
  %77 = trunc i64 %76 to i32
  store i32 %77, ptr %39, align 1
  %78 = getelementptr i8, ptr %39, i64 3
  br label %58

79:                                               ; preds = %72
  %80 = icmp ult i64 %56, 268435456
  br i1 %80, label %81, label %86

81:                                               ; preds = %79
  %82 = shl i64 %56, 4
  %83 = or i64 %82, 8
  %84 = trunc i64 %83 to i32
  store i32 %84, ptr %39, align 1
  %85 = getelementptr i8, ptr %39, i64 4
  br label %58

86:                                               ; preds = %79
  %87 = call preserve_mostcc ptr @long_varint(ptr %39, i64 %56)
  br label %58

88:                                               ; preds = %join
  %slot3 = load i64, ptr %45, align 1
  %89 = getelementptr i8, ptr %45, i64 8
  %90 = icmp ne i64 %slot3, 0
  %91 = zext i1 %90 to i8
  store i8 %91, ptr %47, align 1
  %92 = getelementptr i8, ptr %47, i64 1
  %93 = ptrtoint ptr %22 to i64
  %94 = ptrtoint ptr %92 to i64
  %95 = sub i64 %94, %93
  %96 = sub i64 %95, 4
  %97 = icmp ult i64 %96, 4294967232
  br i1 %97, label %98, label %bailout, !prof !0

98:                                               ; preds = %88
  %99 = ptrtoint ptr %92 to i64
  %100 = ptrtoint ptr %12 to i64
  %101 = icmp ult i64 %99, %100
  br i1 %101, label %102, label %bailout, !prof !0

102:                                              ; preds = %98
  %103 = trunc i64 %96 to i32
  store i32 %103, ptr %22, align 1
  %104 = add i64 %19, 1
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
