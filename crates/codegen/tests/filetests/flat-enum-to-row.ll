; A member of an enum is its index, which must be one.
; schema enum Color{RED, GREEN}
; from flat to row
;
; 0  enum Color, int 0, RED, GREEN
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

leave:                                            ; preds = %83, %48, %40, %34, %28, %next
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

next:                                             ; preds = %87, %start
  %22 = phi i64 [ %2, %start ], [ %89, %87 ]
  %23 = phi ptr [ %slots, %start ], [ %41, %87 ]
  %24 = phi ptr [ %text, %start ], [ %24, %87 ]
  %25 = phi ptr [ %bytes, %start ], [ %25, %87 ]
  %26 = phi ptr [ %10, %start ], [ %49, %87 ]
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
  %42 = icmp ult i64 %slot, 2
  br i1 %42, label %43, label %leave, !prof !0

43:                                               ; preds = %40
  %44 = shl i64 %slot, 1
  %45 = ashr i64 %slot, 63
  %46 = xor i64 %44, %45
  %47 = icmp ult i64 %46, 128
  br i1 %47, label %55, label %60

48:                                               ; preds = %81, %76, %69, %62, %55
  %49 = phi ptr [ %59, %55 ], [ %66, %62 ], [ %73, %69 ], [ %80, %76 ], [ %82, %81 ]
  %50 = ptrtoint ptr %26 to i64
  %51 = ptrtoint ptr %49 to i64
  %52 = sub i64 %51, %50
  %53 = sub i64 %52, 4
  %54 = icmp ult i64 %53, 4294967232
  br i1 %54, label %83, label %leave, !prof !0

55:                                               ; preds = %43
  %56 = shl i64 %46, 1
  %57 = or i64 %56, 1
  %58 = trunc i64 %57 to i8
  store i8 %58, ptr %35, align 1
  %59 = getelementptr i8, ptr %35, i64 1
  br label %48

60:                                               ; preds = %43
  %61 = icmp ult i64 %46, 16384
  br i1 %61, label %62, label %67

62:                                               ; preds = %60
  %63 = shl i64 %46, 2
  %64 = or i64 %63, 2
  %65 = trunc i64 %64 to i16
  store i16 %65, ptr %35, align 1
  %66 = getelementptr i8, ptr %35, i64 2
  br label %48

67:                                               ; preds = %60
  %68 = icmp ult i64 %46, 2097152
  br i1 %68, label %69, label %74

69:                                               ; preds = %67
  %70 = shl i64 %46, 3
  %71 = or i64 %70, 4
  %72 = trunc i64 %71 to i32
  store i32 %72, ptr %35, align 1
  %73 = getelementptr i8, ptr %35, i64 3
  br label %48

74:                                               ; preds = %67
  %75 = icmp ult i64 %46, 268435456
  br i1 %75, label %76, label %81

76:                                               ; preds = %74
  %77 = shl i64 %46, 4
  %78 = or i64 %77, 8
  %79 = trunc i64 %78 to i32
  store i32 %79, ptr %35, align 1
  %80 = getelementptr i8, ptr %35, i64 4
  br label %48

81:                                               ; preds = %74
  %82 = call preserve_mostcc ptr @long_varint(ptr %35, i64 %46)
  br label %48

83:                                               ; preds = %48
  %84 = ptrtoint ptr %49 to i64
  %85 = ptrtoint ptr %14 to i64
  %86 = icmp ult i64 %84, %85
  br i1 %86, label %87, label %leave, !prof !0

87:                                               ; preds = %83
  %88 = trunc i64 %53 to i32
  store i32 %88, ptr %26, align 1
  %89 = add i64 %22, 1
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
