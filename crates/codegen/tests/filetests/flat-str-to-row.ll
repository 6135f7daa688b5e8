; Text of flat rows is taken from their second stream, and looked at only where the stream is not known to be ASCII.
; schema (str,)
; from flat to row
;
; 0  tuple of 1, acyclic
; 1  str, str 0
; 2  leave
; 3  end

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

bailout:                                          ; preds = %84, %join, %long, %look, %36, %30, %24, %next
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

next:                                             ; preds = %88, %start
  %19 = phi i64 [ %2, %start ], [ %90, %88 ]
  %20 = phi ptr [ %slots, %start ], [ %37, %88 ]
  %21 = phi ptr [ %text, %start ], [ %43, %88 ]
  %22 = phi ptr [ %8, %start ], [ %63, %88 ]
  %23 = icmp ult i64 %19, %3
  br i1 %23, label %24, label %bailout, !prof !0

24:                                               ; preds = %next
  %25 = sub i64 %19, %2
  %26 = ptrtoint ptr %22 to i64
  %27 = ptrtoint ptr %10 to i64
  %28 = sub i64 %27, %26
  %29 = icmp ugt i64 %28, 77
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
  %38 = ptrtoint ptr %21 to i64
  %39 = ptrtoint ptr %text_end to i64
  %40 = sub i64 %39, %38
  %41 = icmp uge i64 %40, %slot
  br i1 %41, label %42, label %bailout, !prof !0

42:                                               ; preds = %36
  %43 = getelementptr i8, ptr %21, i64 %slot
  %44 = getelementptr i8, ptr %0, i64 48
  %known = load i64, ptr %44, align 1
  %45 = icmp ne i64 %known, 0
  br i1 %45, label %ascii, label %look, !prof !0

look:                                             ; preds = %42
  %46 = call i8 @serow_is_ascii(ptr %21, i64 %slot)
  %47 = icmp eq i8 %46, 1
  br i1 %47, label %ascii, label %bailout, !prof !0

ascii:                                            ; preds = %look, %42
  %48 = ptrtoint ptr %21 to i64
  %49 = and i64 %48, 4095
  %50 = icmp ult i64 %49, 4033
  %51 = sub i64 %slot, 1
  %52 = icmp ult i64 %51, 64
  %53 = and i1 %52, %50
  br i1 %53, label %short, label %long, !prof !0

short:                                            ; preds = %ascii
  %54 = shl i64 %slot, 1
  %55 = or i64 %54, 1
  %56 = trunc i64 %55 to i8
  store i8 %56, ptr %31, align 1
  %57 = getelementptr i8, ptr %31, i64 1
  %58 = load <16 x i8>, ptr %21, align 1
  store <16 x i8> %58, ptr %57, align 1
  %59 = icmp ult i64 %slot, 17
  br i1 %59, label %81, label %69

long:                                             ; preds = %ascii
  %60 = call preserve_mostcc ptr @long_str(ptr %31, ptr %10, ptr %21, i64 %slot, i64 77)
  %61 = ptrtoint ptr %60 to i64
  %62 = icmp ne i64 %61, 0
  br i1 %62, label %83, label %bailout, !prof !0

join:                                             ; preds = %83, %81
  %63 = phi ptr [ %82, %81 ], [ %60, %83 ]
  %64 = ptrtoint ptr %22 to i64
  %65 = ptrtoint ptr %63 to i64
  %66 = sub i64 %65, %64
  %67 = sub i64 %66, 4
  %68 = icmp ult i64 %67, 4294967232
  br i1 %68, label %84, label %bailout, !prof !0

69:                                               ; preds = %short
  %70 = getelementptr i8, ptr %21, i64 16
  %71 = load <16 x i8>, ptr %70, align 1
  %72 = getelementptr i8, ptr %57, i64 16
  store <16 x i8> %71, ptr %72, align 1
  %73 = icmp ult i64 %slot, 33
  br i1 %73, label %81, label %74

74:                                               ; preds = %69
  %75 = getelementptr i8, ptr %21, i64 32
  %76 = load <16 x i8>, ptr %75, align 1
  %77 = getelementptr i8, ptr %57, i64 32
  store <16 x i8> %76, ptr %77, align 1
  %78 = getelementptr i8, ptr %21, i64 48
  %79 = load <16 x i8>, ptr %78, align 1
  %80 = getelementptr i8, ptr %57, i64 48
  store <16 x i8> %79, ptr %80, align 1
  br label %81

81:                                               ; preds = %74, %69, %short
  %82 = getelementptr i8, ptr %57, i64 %slot
  br label %join

83:                                               ; preds = %long
  br label %join

84:                                               ; preds = %join
  %85 = ptrtoint ptr %63 to i64
  %86 = ptrtoint ptr %12 to i64
  %87 = icmp ult i64 %85, %86
  br i1 %87, label %88, label %bailout, !prof !0

88:                                               ; preds = %84
  %89 = trunc i64 %67 to i32
  store i32 %89, ptr %22, align 1
  %90 = add i64 %19, 1
  br label %next
}

; Function Attrs: nounwind
declare i8 @serow_is_ascii(ptr, i64) #0

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

; Function Attrs: nounwind
define internal preserve_mostcc ptr @long_str(ptr %0, ptr %1, ptr %2, i64 %3, i64 %4) #0 {
start:
  %5 = icmp ult i64 %3, 4294967232
  br i1 %5, label %checked, label %none

checked:                                          ; preds = %start
  %6 = ptrtoint ptr %0 to i64
  %7 = ptrtoint ptr %1 to i64
  %8 = sub i64 %7, %6
  %9 = add i64 %3, %4
  %10 = icmp ugt i64 %8, %9
  br i1 %10, label %fits, label %none

fits:                                             ; preds = %checked
  %11 = icmp ult i64 %3, 128
  br i1 %11, label %one, label %more

none:                                             ; preds = %checked, %start
  ret ptr null

one:                                              ; preds = %fits
  %12 = shl i64 %3, 1
  %13 = or i64 %12, 1
  %14 = trunc i64 %13 to i8
  store i8 %14, ptr %0, align 1
  %15 = getelementptr i8, ptr %0, i64 1
  br label %copy

more:                                             ; preds = %fits
  %16 = call preserve_mostcc ptr @long_varint(ptr %0, i64 %3)
  br label %copy

copy:                                             ; preds = %more, %one
  %17 = phi ptr [ %15, %one ], [ %16, %more ]
  call void @serow_copy(ptr %17, ptr %2, i64 %3)
  %18 = getelementptr i8, ptr %17, i64 %3
  ret ptr %18
}

; Function Attrs: nounwind
declare void @serow_copy(ptr, ptr, i64) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
