; Text of flat rows is taken from their second stream, and looked at only where the stream is not known to be ASCII.
; schema (str,)
; from flat to row
;
; 0  tuple of 1, atomic
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

leave:                                            ; preds = %88, %join, %long, %look, %40, %34, %28, %next
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

next:                                             ; preds = %92, %start
  %22 = phi i64 [ %2, %start ], [ %94, %92 ]
  %23 = phi ptr [ %slots, %start ], [ %41, %92 ]
  %24 = phi ptr [ %text, %start ], [ %47, %92 ]
  %25 = phi ptr [ %bytes, %start ], [ %25, %92 ]
  %26 = phi ptr [ %10, %start ], [ %67, %92 ]
  %27 = icmp ult i64 %22, %3
  br i1 %27, label %28, label %leave, !prof !0

28:                                               ; preds = %next
  %29 = sub i64 %22, %2
  %30 = ptrtoint ptr %26 to i64
  %31 = ptrtoint ptr %12 to i64
  %32 = sub i64 %31, %30
  %33 = icmp ugt i64 %32, 77
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
  %42 = ptrtoint ptr %24 to i64
  %43 = ptrtoint ptr %text_end to i64
  %44 = sub i64 %43, %42
  %45 = icmp uge i64 %44, %slot
  br i1 %45, label %46, label %leave, !prof !0

46:                                               ; preds = %40
  %47 = getelementptr i8, ptr %24, i64 %slot
  %48 = getelementptr i8, ptr %0, i64 48
  %known = load i64, ptr %48, align 1
  %49 = icmp ne i64 %known, 0
  br i1 %49, label %ascii, label %look, !prof !0

look:                                             ; preds = %46
  %50 = call i8 @serow_is_ascii(ptr %24, i64 %slot)
  %51 = icmp eq i8 %50, 1
  br i1 %51, label %ascii, label %leave, !prof !0

ascii:                                            ; preds = %look, %46
  %52 = ptrtoint ptr %24 to i64
  %53 = and i64 %52, 4095
  %54 = icmp ult i64 %53, 4033
  %55 = sub i64 %slot, 1
  %56 = icmp ult i64 %55, 64
  %57 = and i1 %56, %54
  br i1 %57, label %short, label %long, !prof !0

short:                                            ; preds = %ascii
  %58 = shl i64 %slot, 1
  %59 = or i64 %58, 1
  %60 = trunc i64 %59 to i8
  store i8 %60, ptr %35, align 1
  %61 = getelementptr i8, ptr %35, i64 1
  %62 = load <16 x i8>, ptr %24, align 1
  store <16 x i8> %62, ptr %61, align 1
  %63 = icmp ult i64 %slot, 17
  br i1 %63, label %85, label %73

long:                                             ; preds = %ascii
  %64 = call preserve_mostcc ptr @long_str(ptr %35, ptr %12, ptr %24, i64 %slot, i64 77)
  %65 = ptrtoint ptr %64 to i64
  %66 = icmp ne i64 %65, 0
  br i1 %66, label %87, label %leave, !prof !0

join:                                             ; preds = %87, %85
  %67 = phi ptr [ %86, %85 ], [ %64, %87 ]
  %68 = ptrtoint ptr %26 to i64
  %69 = ptrtoint ptr %67 to i64
  %70 = sub i64 %69, %68
  %71 = sub i64 %70, 4
  %72 = icmp ult i64 %71, 4294967232
  br i1 %72, label %88, label %leave, !prof !0

73:                                               ; preds = %short
  %74 = getelementptr i8, ptr %24, i64 16
  %75 = load <16 x i8>, ptr %74, align 1
  %76 = getelementptr i8, ptr %61, i64 16
  store <16 x i8> %75, ptr %76, align 1
  %77 = icmp ult i64 %slot, 33
  br i1 %77, label %85, label %78

78:                                               ; preds = %73
  %79 = getelementptr i8, ptr %24, i64 32
  %80 = load <16 x i8>, ptr %79, align 1
  %81 = getelementptr i8, ptr %61, i64 32
  store <16 x i8> %80, ptr %81, align 1
  %82 = getelementptr i8, ptr %24, i64 48
  %83 = load <16 x i8>, ptr %82, align 1
  %84 = getelementptr i8, ptr %61, i64 48
  store <16 x i8> %83, ptr %84, align 1
  br label %85

85:                                               ; preds = %78, %73, %short
  %86 = getelementptr i8, ptr %61, i64 %slot
  br label %join

87:                                               ; preds = %long
  br label %join

88:                                               ; preds = %join
  %89 = ptrtoint ptr %67 to i64
  %90 = ptrtoint ptr %14 to i64
  %91 = icmp ult i64 %89, %90
  br i1 %91, label %92, label %leave, !prof !0

92:                                               ; preds = %88
  %93 = trunc i64 %71 to i32
  store i32 %93, ptr %26, align 1
  %94 = add i64 %22, 1
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
