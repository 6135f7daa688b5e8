; A function says which member it is.
; schema enum Color{RED, GREEN}
; from cpython to row
;
; 0  enum 0 of 2, int 0: Color, RED, GREEN
; 1  end

define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %memory = load ptr, ptr %1, align 1
  %start1 = load ptr, ptr %memory, align 1
  %4 = getelementptr i8, ptr %memory, i64 8
  %len = load i64, ptr %4, align 1
  %5 = getelementptr i8, ptr %start1, i64 %len
  %6 = getelementptr i8, ptr %memory, i64 16
  %limit = load i64, ptr %6, align 1
  %7 = getelementptr i8, ptr %start1, i64 %limit
  %8 = getelementptr i8, ptr %1, i64 8
  %full = load i64, ptr %8, align 1
  %9 = getelementptr i8, ptr %start1, i64 %full
  br label %next

bailout:                                          ; preds = %77, %42, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory2 = load ptr, ptr %1, align 1
  %start3 = load ptr, ptr %memory2, align 1
  %11 = ptrtoint ptr %start3 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory2, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %81, %start
  %15 = phi i64 [ %2, %start ], [ %83, %81 ]
  %16 = phi ptr [ %5, %start ], [ %43, %81 ]
  %17 = icmp ult i64 %15, %3
  br i1 %17, label %18, label %bailout, !prof !0

18:                                               ; preds = %next
  %19 = sub i64 %15, %2
  %20 = ptrtoint ptr %16 to i64
  %21 = ptrtoint ptr %7 to i64
  %22 = sub i64 %21, %20
  %23 = icmp ugt i64 %22, 13
  br i1 %23, label %24, label %bailout, !prof !0

24:                                               ; preds = %18
  %25 = getelementptr i8, ptr %16, i64 4
  %rows = load ptr, ptr %0, align 1
  %26 = getelementptr i8, ptr %0, i64 8
  %ahead = load i64, ptr %26, align 1
  %27 = add i64 %15, 16
  %28 = icmp ult i64 %27, %ahead
  br i1 %28, label %fetch, label %fetched

fetch:                                            ; preds = %24
  %29 = mul i64 %15, 8
  %30 = getelementptr i8, ptr %rows, i64 %29
  %31 = getelementptr i8, ptr %30, i64 128
  %later = load ptr, ptr %31, align 1
  call void @llvm.prefetch.p0(ptr %later, i32 0, i32 3, i32 1)
  %32 = getelementptr i8, ptr %later, i64 64
  call void @llvm.prefetch.p0(ptr %32, i32 0, i32 3, i32 1)
  br label %fetched

fetched:                                          ; preds = %fetch, %24
  %33 = mul i64 %15, 8
  %34 = getelementptr i8, ptr %rows, i64 %33
  %object = load ptr, ptr %34, align 1
  %35 = call i64 @serow_py_member_of(ptr %0, ptr %object, i32 0)
  %36 = icmp ult i64 %35, 2
  br i1 %36, label %37, label %bailout, !prof !0

37:                                               ; preds = %fetched
  %38 = shl i64 %35, 1
  %39 = ashr i64 %35, 63
  %40 = xor i64 %38, %39
  %41 = icmp ult i64 %40, 128
  br i1 %41, label %49, label %54

42:                                               ; preds = %75, %70, %63, %56, %49
  %43 = phi ptr [ %53, %49 ], [ %60, %56 ], [ %67, %63 ], [ %74, %70 ], [ %76, %75 ]
  %44 = ptrtoint ptr %16 to i64
  %45 = ptrtoint ptr %43 to i64
  %46 = sub i64 %45, %44
  %47 = sub i64 %46, 4
  %48 = icmp ult i64 %47, 4294967232
  br i1 %48, label %77, label %bailout, !prof !0

49:                                               ; preds = %37
  %50 = shl i64 %40, 1
  %51 = or i64 %50, 1
  %52 = trunc i64 %51 to i8
  store i8 %52, ptr %25, align 1
  %53 = getelementptr i8, ptr %25, i64 1
  br label %42

54:                                               ; preds = %37
  %55 = icmp ult i64 %40, 16384
  br i1 %55, label %56, label %61

56:                                               ; preds = %54
  %57 = shl i64 %40, 2
  %58 = or i64 %57, 2
  %59 = trunc i64 %58 to i16
  store i16 %59, ptr %25, align 1
  %60 = getelementptr i8, ptr %25, i64 2
  br label %42

61:                                               ; preds = %54
  %62 = icmp ult i64 %40, 2097152
  br i1 %62, label %63, label %68

63:                                               ; preds = %61
  %64 = shl i64 %40, 3
  %65 = or i64 %64, 4
  %66 = trunc i64 %65 to i32
  store i32 %66, ptr %25, align 1
  %67 = getelementptr i8, ptr %25, i64 3
  br label %42

68:                                               ; preds = %61
  %69 = icmp ult i64 %40, 268435456
  br i1 %69, label %70, label %75

70:                                               ; preds = %68
  %71 = shl i64 %40, 4
  %72 = or i64 %71, 8
  %73 = trunc i64 %72 to i32
  store i32 %73, ptr %25, align 1
  %74 = getelementptr i8, ptr %25, i64 4
  br label %42

75:                                               ; preds = %68
  %76 = call preserve_mostcc ptr @long_varint(ptr %25, i64 %40)
  br label %42

77:                                               ; preds = %42
  %78 = ptrtoint ptr %43 to i64
  %79 = ptrtoint ptr %9 to i64
  %80 = icmp ult i64 %78, %79
  br i1 %80, label %81, label %bailout, !prof !0

81:                                               ; preds = %77
  %82 = trunc i64 %47 to i32
  store i32 %82, ptr %16, align 1
  %83 = add i64 %15, 1
  br label %next
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare i64 @serow_py_member_of(ptr, ptr, i32) #0

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
declare i64 @llvm.ctlz.i64(i64, i1 immarg) #2

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
