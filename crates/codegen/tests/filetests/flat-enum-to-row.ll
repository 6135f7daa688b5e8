; A member of an enum is its index, which must be one.
; schema enum Color{RED, GREEN}
; from flat to row
;
; 0  enum 0 of 2, int 0: Color, RED, GREEN
; 1  end

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

bailout:                                          ; preds = %79, %44, %36, %30, %24, %next
  %13 = sub i64 %19, %2
  store ptr %20, ptr %0, align 1
  %14 = getelementptr i8, ptr %0, i64 16
  store ptr %21, ptr %14, align 1
  %memory2 = load ptr, ptr %1, align 1
  %start3 = load ptr, ptr %memory2, align 1
  %15 = ptrtoint ptr %start3 to i64
  %16 = ptrtoint ptr %22 to i64
  %17 = sub i64 %16, %15
  %18 = getelementptr i8, ptr %memory2, i64 8
  store i64 %17, ptr %18, align 1
  ret i64 %19

next:                                             ; preds = %83, %start
  %19 = phi i64 [ %2, %start ], [ %85, %83 ]
  %20 = phi ptr [ %slots, %start ], [ %37, %83 ]
  %21 = phi ptr [ %text, %start ], [ %21, %83 ]
  %22 = phi ptr [ %8, %start ], [ %45, %83 ]
  %23 = icmp ult i64 %19, %3
  br i1 %23, label %24, label %bailout, !prof !0

24:                                               ; preds = %next
  %25 = sub i64 %19, %2
  %26 = ptrtoint ptr %22 to i64
  %27 = ptrtoint ptr %10 to i64
  %28 = sub i64 %27, %26
  %29 = icmp ugt i64 %28, 13
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
  %38 = icmp ult i64 %slot, 2
  br i1 %38, label %39, label %bailout, !prof !0

39:                                               ; preds = %36
  %40 = shl i64 %slot, 1
  %41 = ashr i64 %slot, 63
  %42 = xor i64 %40, %41
  %43 = icmp ult i64 %42, 128
  br i1 %43, label %51, label %56

44:                                               ; preds = %77, %72, %65, %58, %51
  %45 = phi ptr [ %55, %51 ], [ %62, %58 ], [ %69, %65 ], [ %76, %72 ], [ %78, %77 ]
  %46 = ptrtoint ptr %22 to i64
  %47 = ptrtoint ptr %45 to i64
  %48 = sub i64 %47, %46
  %49 = sub i64 %48, 4
  %50 = icmp ult i64 %49, 4294967232
  br i1 %50, label %79, label %bailout, !prof !0

51:                                               ; preds = %39
  %52 = shl i64 %42, 1
  %53 = or i64 %52, 1
  %54 = trunc i64 %53 to i8
  store i8 %54, ptr %31, align 1
  %55 = getelementptr i8, ptr %31, i64 1
  br label %44

56:                                               ; preds = %39
  %57 = icmp ult i64 %42, 16384
  br i1 %57, label %58, label %63

58:                                               ; preds = %56
  %59 = shl i64 %42, 2
  %60 = or i64 %59, 2
  %61 = trunc i64 %60 to i16
  store i16 %61, ptr %31, align 1
  %62 = getelementptr i8, ptr %31, i64 2
  br label %44

63:                                               ; preds = %56
  %64 = icmp ult i64 %42, 2097152
  br i1 %64, label %65, label %70

65:                                               ; preds = %63
  %66 = shl i64 %42, 3
  %67 = or i64 %66, 4
  %68 = trunc i64 %67 to i32
  store i32 %68, ptr %31, align 1
  %69 = getelementptr i8, ptr %31, i64 3
  br label %44

70:                                               ; preds = %63
  %71 = icmp ult i64 %42, 268435456
  br i1 %71, label %72, label %77

72:                                               ; preds = %70
  %73 = shl i64 %42, 4
  %74 = or i64 %73, 8
  %75 = trunc i64 %74 to i32
  store i32 %75, ptr %31, align 1
  %76 = getelementptr i8, ptr %31, i64 4
  br label %44

77:                                               ; preds = %70
  %78 = call preserve_mostcc ptr @long_varint(ptr %31, i64 %42)
  br label %44

79:                                               ; preds = %44
  %80 = ptrtoint ptr %45 to i64
  %81 = ptrtoint ptr %12 to i64
  %82 = icmp ult i64 %80, %81
  br i1 %82, label %83, label %bailout, !prof !0

83:                                               ; preds = %79
  %84 = trunc i64 %49 to i32
  store i32 %84, ptr %22, align 1
  %85 = add i64 %19, 1
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
