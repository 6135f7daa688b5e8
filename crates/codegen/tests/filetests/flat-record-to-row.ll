; A record's names take no room: its fields stand one after another, as a tuple's do.
; schema Part{key: i64, size: f64}
; from flat to row
;
; 0  struct of 2: Part, key, size
; 1  i64, int 0
; 2  f64, float 0
; 3  leave
; 4  end

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

bailout:                                          ; preds = %84, %76, %42, %30, %24, %next
  %13 = sub i64 %19, %2
  store ptr %20, ptr %0, align 1
  %14 = getelementptr i8, ptr %0, i64 16
  store ptr %21, ptr %14, align 1
  %memory3 = load ptr, ptr %1, align 1
  %start4 = load ptr, ptr %memory3, align 1
  %15 = ptrtoint ptr %start4 to i64
  %16 = ptrtoint ptr %22 to i64
  %17 = sub i64 %16, %15
  %18 = getelementptr i8, ptr %memory3, i64 8
  store i64 %17, ptr %18, align 1
  ret i64 %19

next:                                             ; preds = %88, %start
  %19 = phi i64 [ %2, %start ], [ %90, %88 ]
  %20 = phi ptr [ %slots, %start ], [ %77, %88 ]
  %21 = phi ptr [ %text, %start ], [ %21, %88 ]
  %22 = phi ptr [ %8, %start ], [ %78, %88 ]
  %23 = icmp ult i64 %19, %3
  br i1 %23, label %24, label %bailout, !prof !0

24:                                               ; preds = %next
  %25 = sub i64 %19, %2
  %26 = ptrtoint ptr %22 to i64
  %27 = ptrtoint ptr %10 to i64
  %28 = sub i64 %27, %26
  %29 = icmp ugt i64 %28, 21
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
  %38 = shl i64 %slot, 1
  %39 = ashr i64 %slot, 63
  %40 = xor i64 %38, %39
  %41 = icmp ult i64 %40, 128
  br i1 %41, label %48, label %53

42:                                               ; preds = %74, %69, %62, %55, %48
  %43 = phi ptr [ %52, %48 ], [ %59, %55 ], [ %66, %62 ], [ %73, %69 ], [ %75, %74 ]
  %44 = ptrtoint ptr %37 to i64
  %45 = ptrtoint ptr %slots_end to i64
  %46 = sub i64 %45, %44
  %47 = icmp uge i64 %46, 8
  br i1 %47, label %76, label %bailout, !prof !0

48:                                               ; preds = %36
  %49 = shl i64 %40, 1
  %50 = or i64 %49, 1
  %51 = trunc i64 %50 to i8
  store i8 %51, ptr %31, align 1
  %52 = getelementptr i8, ptr %31, i64 1
  br label %42

53:                                               ; preds = %36
  %54 = icmp ult i64 %40, 16384
  br i1 %54, label %55, label %60

55:                                               ; preds = %53
  %56 = shl i64 %40, 2
  %57 = or i64 %56, 2
  %58 = trunc i64 %57 to i16
  store i16 %58, ptr %31, align 1
  %59 = getelementptr i8, ptr %31, i64 2
  br label %42

60:                                               ; preds = %53
  %61 = icmp ult i64 %40, 2097152
  br i1 %61, label %62, label %67

62:                                               ; preds = %60
  %63 = shl i64 %40, 3
  %64 = or i64 %63, 4
  %65 = trunc i64 %64 to i32
  store i32 %65, ptr %31, align 1
  %66 = getelementptr i8, ptr %31, i64 3
  br label %42

67:                                               ; preds = %60
  %68 = icmp ult i64 %40, 268435456
  br i1 %68, label %69, label %74

69:                                               ; preds = %67
  %70 = shl i64 %40, 4
  %71 = or i64 %70, 8
  %72 = trunc i64 %71 to i32
  store i32 %72, ptr %31, align 1
  %73 = getelementptr i8, ptr %31, i64 4
  br label %42

74:                                               ; preds = %67
  %75 = call preserve_mostcc ptr @long_varint(ptr %31, i64 %40)
  br label %42

76:                                               ; preds = %42
  %slot2 = load i64, ptr %37, align 1
  %77 = getelementptr i8, ptr %37, i64 8
  store i64 %slot2, ptr %43, align 1
  %78 = getelementptr i8, ptr %43, i64 8
  %79 = ptrtoint ptr %22 to i64
  %80 = ptrtoint ptr %78 to i64
  %81 = sub i64 %80, %79
  %82 = sub i64 %81, 4
  %83 = icmp ult i64 %82, 4294967232
  br i1 %83, label %84, label %bailout, !prof !0

84:                                               ; preds = %76
  %85 = ptrtoint ptr %78 to i64
  %86 = ptrtoint ptr %12 to i64
  %87 = icmp ult i64 %85, %86
  br i1 %87, label %88, label %bailout, !prof !0

88:                                               ; preds = %84
  %89 = trunc i64 %82 to i32
  store i32 %89, ptr %22, align 1
  %90 = add i64 %19, 1
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
