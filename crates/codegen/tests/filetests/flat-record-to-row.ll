; A record's names take no room: its fields stand one after another, as a tuple's do.
; schema Part{key: i64, size: f64}
; from flat to row
;
; 0  record Part of 2, key, size
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

leave:                                            ; preds = %88, %80, %46, %34, %28, %next
  %15 = sub i64 %22, %2
  store ptr %23, ptr %0, align 1
  %16 = getelementptr i8, ptr %0, i64 16
  store ptr %24, ptr %16, align 1
  %17 = getelementptr i8, ptr %0, i64 32
  store ptr %25, ptr %17, align 1
  %memory3 = load ptr, ptr %1, align 1
  %start4 = load ptr, ptr %memory3, align 1
  %18 = ptrtoint ptr %start4 to i64
  %19 = ptrtoint ptr %26 to i64
  %20 = sub i64 %19, %18
  %21 = getelementptr i8, ptr %memory3, i64 8
  store i64 %20, ptr %21, align 1
  ret i64 %22

next:                                             ; preds = %92, %start
  %22 = phi i64 [ %2, %start ], [ %94, %92 ]
  %23 = phi ptr [ %slots, %start ], [ %81, %92 ]
  %24 = phi ptr [ %text, %start ], [ %24, %92 ]
  %25 = phi ptr [ %bytes, %start ], [ %25, %92 ]
  %26 = phi ptr [ %10, %start ], [ %82, %92 ]
  %27 = icmp ult i64 %22, %3
  br i1 %27, label %28, label %leave, !prof !0

28:                                               ; preds = %next
  %29 = sub i64 %22, %2
  %30 = ptrtoint ptr %26 to i64
  %31 = ptrtoint ptr %12 to i64
  %32 = sub i64 %31, %30
  %33 = icmp ugt i64 %32, 21
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
  br i1 %45, label %52, label %57

46:                                               ; preds = %78, %73, %66, %59, %52
  %47 = phi ptr [ %56, %52 ], [ %63, %59 ], [ %70, %66 ], [ %77, %73 ], [ %79, %78 ]
  %48 = ptrtoint ptr %41 to i64
  %49 = ptrtoint ptr %slots_end to i64
  %50 = sub i64 %49, %48
  %51 = icmp uge i64 %50, 8
  br i1 %51, label %80, label %leave, !prof !0

52:                                               ; preds = %40
  %53 = shl i64 %44, 1
  %54 = or i64 %53, 1
  %55 = trunc i64 %54 to i8
  store i8 %55, ptr %35, align 1
  %56 = getelementptr i8, ptr %35, i64 1
  br label %46

57:                                               ; preds = %40
  %58 = icmp ult i64 %44, 16384
  br i1 %58, label %59, label %64

59:                                               ; preds = %57
  %60 = shl i64 %44, 2
  %61 = or i64 %60, 2
  %62 = trunc i64 %61 to i16
  store i16 %62, ptr %35, align 1
  %63 = getelementptr i8, ptr %35, i64 2
  br label %46

64:                                               ; preds = %57
  %65 = icmp ult i64 %44, 2097152
  br i1 %65, label %66, label %71

66:                                               ; preds = %64
  %67 = shl i64 %44, 3
  %68 = or i64 %67, 4
  %69 = trunc i64 %68 to i32
  store i32 %69, ptr %35, align 1
  %70 = getelementptr i8, ptr %35, i64 3
  br label %46

71:                                               ; preds = %64
  %72 = icmp ult i64 %44, 268435456
  br i1 %72, label %73, label %78

73:                                               ; preds = %71
  %74 = shl i64 %44, 4
  %75 = or i64 %74, 8
  %76 = trunc i64 %75 to i32
  store i32 %76, ptr %35, align 1
  %77 = getelementptr i8, ptr %35, i64 4
  br label %46

78:                                               ; preds = %71
  %79 = call preserve_mostcc ptr @long_varint(ptr %35, i64 %44)
  br label %46

80:                                               ; preds = %46
  %slot2 = load i64, ptr %41, align 1
  %81 = getelementptr i8, ptr %41, i64 8
  store i64 %slot2, ptr %47, align 1
  %82 = getelementptr i8, ptr %47, i64 8
  %83 = ptrtoint ptr %26 to i64
  %84 = ptrtoint ptr %82 to i64
  %85 = sub i64 %84, %83
  %86 = sub i64 %85, 4
  %87 = icmp ult i64 %86, 4294967232
  br i1 %87, label %88, label %leave, !prof !0

88:                                               ; preds = %80
  %89 = ptrtoint ptr %82 to i64
  %90 = ptrtoint ptr %14 to i64
  %91 = icmp ult i64 %89, %90
  br i1 %91, label %92, label %leave, !prof !0

92:                                               ; preds = %88
  %93 = trunc i64 %86 to i32
  store i32 %93, ptr %26, align 1
  %94 = add i64 %22, 1
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
