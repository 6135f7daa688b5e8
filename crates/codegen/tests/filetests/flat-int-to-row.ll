; The least there is: one slot is loaded behind one bounds check and written as a varint.
; schema i64
; from flat to row
;
; 0  i64, int 0
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

leave:                                            ; preds = %81, %46, %34, %28, %next
  %15 = sub i64 %22, %2
  store ptr %23, ptr %0, align 1
  %16 = getelementptr i8, ptr %0, i64 16
  store ptr %24, ptr %16, align 1
  %17 = getelementptr i8, ptr %0, i64 32
  store ptr %25, ptr %17, align 1
  %memory2 = load ptr, ptr %1, align 1
  %start3 = load ptr, ptr %memory2, align 1
  %18 = ptrtoint ptr %start3 to i64
  %19 = ptrtoint ptr %26 to i64
  %20 = sub i64 %19, %18
  %21 = getelementptr i8, ptr %memory2, i64 8
  store i64 %20, ptr %21, align 1
  ret i64 %22

next:                                             ; preds = %85, %start
  %22 = phi i64 [ %2, %start ], [ %87, %85 ]
  %23 = phi ptr [ %slots, %start ], [ %41, %85 ]
  %24 = phi ptr [ %text, %start ], [ %24, %85 ]
  %25 = phi ptr [ %bytes, %start ], [ %25, %85 ]
  %26 = phi ptr [ %10, %start ], [ %47, %85 ]
  %27 = icmp ult i64 %22, %3
  br i1 %27, label %28, label %leave, !prof !0

28:                                               ; preds = %next
  %29 = sub i64 %22, %2
  %30 = ptrtoint ptr %26 to i64
  %31 = ptrtoint ptr %12 to i64
  %32 = sub i64 %31, %30
  %33 = icmp ugt i64 %32, 13
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
  %42 = shl i64 %slot, 1
  %43 = ashr i64 %slot, 63
  %44 = xor i64 %42, %43
  %45 = icmp ult i64 %44, 128
  br i1 %45, label %53, label %58

46:                                               ; preds = %79, %74, %67, %60, %53
  %47 = phi ptr [ %57, %53 ], [ %64, %60 ], [ %71, %67 ], [ %78, %74 ], [ %80, %79 ]
  %48 = ptrtoint ptr %26 to i64
  %49 = ptrtoint ptr %47 to i64
  %50 = sub i64 %49, %48
  %51 = sub i64 %50, 4
  %52 = icmp ult i64 %51, 4294967232
  br i1 %52, label %81, label %leave, !prof !0

53:                                               ; preds = %40
  %54 = shl i64 %44, 1
  %55 = or i64 %54, 1
  %56 = trunc i64 %55 to i8
  store i8 %56, ptr %35, align 1
  %57 = getelementptr i8, ptr %35, i64 1
  br label %46

58:                                               ; preds = %40
  %59 = icmp ult i64 %44, 16384
  br i1 %59, label %60, label %65

60:                                               ; preds = %58
  %61 = shl i64 %44, 2
  %62 = or i64 %61, 2
  %63 = trunc i64 %62 to i16
  store i16 %63, ptr %35, align 1
  %64 = getelementptr i8, ptr %35, i64 2
  br label %46

65:                                               ; preds = %58
  %66 = icmp ult i64 %44, 2097152
  br i1 %66, label %67, label %72

67:                                               ; preds = %65
  %68 = shl i64 %44, 3
  %69 = or i64 %68, 4
  %70 = trunc i64 %69 to i32
  store i32 %70, ptr %35, align 1
  %71 = getelementptr i8, ptr %35, i64 3
  br label %46

72:                                               ; preds = %65
  %73 = icmp ult i64 %44, 268435456
  br i1 %73, label %74, label %79

74:                                               ; preds = %72
  %75 = shl i64 %44, 4
  %76 = or i64 %75, 8
  %77 = trunc i64 %76 to i32
  store i32 %77, ptr %35, align 1
  %78 = getelementptr i8, ptr %35, i64 4
  br label %46

79:                                               ; preds = %72
  %80 = call preserve_mostcc ptr @long_varint(ptr %35, i64 %44)
  br label %46

81:                                               ; preds = %46
  %82 = ptrtoint ptr %47 to i64
  %83 = ptrtoint ptr %14 to i64
  %84 = icmp ult i64 %82, %83
  br i1 %84, label %85, label %leave, !prof !0

85:                                               ; preds = %81
  %86 = trunc i64 %51 to i32
  store i32 %86, ptr %26, align 1
  %87 = add i64 %22, 1
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
