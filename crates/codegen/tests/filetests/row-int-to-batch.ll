; A varint has a branch for each of its lengths up to four, and is in the record or not, which is
; seen at the record's end.
; schema i64
; from row to batch
;
; 0  i64, int 0
; 1  end

define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %next = load ptr, ptr %0, align 1
  %4 = getelementptr i8, ptr %0, i64 8
  %end = load ptr, ptr %4, align 1
  %5 = getelementptr i8, ptr %0, i64 16
  %readable = load ptr, ptr %5, align 1
  %columns = load ptr, ptr %1, align 1
  %6 = getelementptr i8, ptr %1, i64 32
  %size = load i64, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 16
  %zero_sized = load i64, ptr %7, align 1
  %8 = getelementptr i8, ptr %1, i64 24
  %containers = load i64, ptr %8, align 1
  br label %next1

bailout:                                          ; preds = %87, %83, %42, %33, %26, %20, %next1
  %9 = sub i64 %14, %2
  store ptr %15, ptr %0, align 1
  %10 = getelementptr i8, ptr %1, i64 8
  store i64 %9, ptr %10, align 1
  %11 = getelementptr i8, ptr %1, i64 32
  store i64 %16, ptr %11, align 1
  %12 = getelementptr i8, ptr %1, i64 16
  store i64 %17, ptr %12, align 1
  %13 = getelementptr i8, ptr %1, i64 24
  store i64 %18, ptr %13, align 1
  ret i64 %14

next1:                                            ; preds = %89, %start
  %14 = phi i64 [ %2, %start ], [ %90, %89 ]
  %15 = phi ptr [ %next, %start ], [ %44, %89 ]
  %16 = phi i64 [ %size, %start ], [ %84, %89 ]
  %17 = phi i64 [ %zero_sized, %start ], [ %17, %89 ]
  %18 = phi i64 [ %containers, %start ], [ %18, %89 ]
  %19 = icmp ult i64 %14, %3
  br i1 %19, label %20, label %bailout, !prof !0

20:                                               ; preds = %next1
  %21 = sub i64 %14, %2
  %22 = ptrtoint ptr %15 to i64
  %23 = ptrtoint ptr %readable to i64
  %24 = sub i64 %23, %22
  %25 = icmp uge i64 %24, 4
  br i1 %25, label %26, label %bailout, !prof !0

26:                                               ; preds = %20
  %27 = getelementptr i8, ptr %15, i64 4
  %len = load i32, ptr %15, align 1
  %28 = zext i32 %len to i64
  %29 = ptrtoint ptr %27 to i64
  %30 = ptrtoint ptr %end to i64
  %31 = sub i64 %30, %29
  %32 = icmp sge i64 %31, %28
  br i1 %32, label %33, label %bailout, !prof !0

33:                                               ; preds = %26
  %34 = getelementptr i8, ptr %27, i64 %28
  %35 = ptrtoint ptr %27 to i64
  %36 = ptrtoint ptr %readable to i64
  %37 = sub i64 %36, %35
  %38 = icmp uge i64 %37, 9
  br i1 %38, label %39, label %bailout, !prof !0

39:                                               ; preds = %33
  %varint = load i64, ptr %27, align 1
  %40 = and i64 %varint, 1
  %41 = icmp ne i64 %40, 0
  br i1 %41, label %52, label %56

42:                                               ; preds = %77, %73, %66, %59, %52
  %43 = phi i64 [ %54, %52 ], [ %61, %59 ], [ %68, %66 ], [ %75, %73 ], [ %80, %77 ]
  %44 = phi ptr [ %55, %52 ], [ %62, %59 ], [ %69, %66 ], [ %76, %73 ], [ %82, %77 ]
  %45 = and i64 %43, 1
  %46 = sub i64 0, %45
  %47 = lshr i64 %43, 1
  %48 = xor i64 %47, %46
  %next2 = load ptr, ptr %columns, align 1
  %49 = mul i64 %21, 8
  %50 = getelementptr i8, ptr %next2, i64 %49
  store i64 %48, ptr %50, align 1
  %51 = icmp eq ptr %44, %34
  br i1 %51, label %83, label %bailout, !prof !0

52:                                               ; preds = %39
  %53 = lshr i64 %varint, 1
  %54 = and i64 %53, 127
  %55 = getelementptr i8, ptr %27, i64 1
  br label %42

56:                                               ; preds = %39
  %57 = and i64 %varint, 2
  %58 = icmp ne i64 %57, 0
  br i1 %58, label %59, label %63

59:                                               ; preds = %56
  %60 = lshr i64 %varint, 2
  %61 = and i64 %60, 16383
  %62 = getelementptr i8, ptr %27, i64 2
  br label %42

63:                                               ; preds = %56
  %64 = and i64 %varint, 4
  %65 = icmp ne i64 %64, 0
  br i1 %65, label %66, label %70

66:                                               ; preds = %63
  %67 = lshr i64 %varint, 3
  %68 = and i64 %67, 2097151
  %69 = getelementptr i8, ptr %27, i64 3
  br label %42

70:                                               ; preds = %63
  %71 = and i64 %varint, 8
  %72 = icmp ne i64 %71, 0
  br i1 %72, label %73, label %77

73:                                               ; preds = %70
  %74 = lshr i64 %varint, 4
  %75 = and i64 %74, 268435455
  %76 = getelementptr i8, ptr %27, i64 4
  br label %42

77:                                               ; preds = %70
  %78 = or i64 %varint, 256
  %79 = call i64 @llvm.cttz.i64(i64 %78, i1 true)
  %80 = call preserve_mostcc i64 @long_varint_at(ptr %27, i64 %79)
  %81 = getelementptr i8, ptr %27, i64 %79
  %82 = getelementptr i8, ptr %81, i64 1
  br label %42

83:                                               ; preds = %42
  %84 = add i64 %16, 8
  %85 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %85, align 1
  %86 = icmp ult i64 %84, %full
  br i1 %86, label %87, label %bailout, !prof !0

87:                                               ; preds = %83
  %88 = icmp ult i64 %17, 3145729
  br i1 %88, label %89, label %bailout, !prof !0

89:                                               ; preds = %87
  %90 = add i64 %14, 1
  br label %next1
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.cttz.i64(i64, i1 immarg) #1

; Function Attrs: nounwind
define internal preserve_mostcc i64 @long_varint_at(ptr %0, i64 %1) #0 {
start:
  %2 = icmp ult i64 %1, 8
  br i1 %2, label %some, label %all

some:                                             ; preds = %start
  %3 = add i64 %1, 1
  %word = load i64, ptr %0, align 1
  %4 = mul i64 %3, 8
  %5 = sub i64 64, %4
  %6 = shl i64 %word, %5
  %7 = mul i64 %3, 7
  %8 = sub i64 64, %7
  %9 = lshr i64 %6, %8
  ret i64 %9

all:                                              ; preds = %start
  %10 = getelementptr i8, ptr %0, i64 1
  %word1 = load i64, ptr %10, align 1
  ret i64 %word1
}

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
