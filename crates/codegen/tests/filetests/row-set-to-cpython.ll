; A set is made of a tuple of its elements.
; schema frozenset{f64}
; from row to cpython
;
; 0  sequence as frozenset, int 0, to 3, 8 bytes each
; 1  f64, float 0
; 2  next, from 1
; 3  end

@serow_py_float = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %next = load ptr, ptr %0, align 1
  %4 = getelementptr i8, ptr %0, i64 8
  %end = load ptr, ptr %4, align 1
  %5 = getelementptr i8, ptr %0, i64 16
  %readable = load ptr, ptr %5, align 1
  %6 = getelementptr i8, ptr %0, i64 24
  %left = load i64, ptr %6, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next1

bailout:                                          ; preds = %98, %94, %after, %83, %element, %60, %39, %30, %23, %14, %next1
  %7 = sub i64 %10, %2
  store ptr %11, ptr %0, align 1
  %8 = getelementptr i8, ptr %0, i64 24
  store i64 %12, ptr %8, align 1
  %9 = getelementptr i8, ptr %1, i64 8
  store i64 %7, ptr %9, align 1
  ret i64 %10

next1:                                            ; preds = %100, %start
  %10 = phi i64 [ %2, %start ], [ %101, %100 ]
  %11 = phi ptr [ %next, %start ], [ %77, %100 ]
  %12 = phi i64 [ %left, %start ], [ %78, %100 ]
  %13 = icmp ult i64 %10, %3
  br i1 %13, label %14, label %bailout, !prof !0

14:                                               ; preds = %next1
  %15 = sub i64 %10, %2
  %16 = getelementptr i8, ptr %1, i64 96
  store i64 0, ptr %16, align 1
  %17 = mul i64 %15, 8
  %18 = getelementptr i8, ptr %rows, i64 %17
  store i64 0, ptr %18, align 1
  %19 = ptrtoint ptr %11 to i64
  %20 = ptrtoint ptr %readable to i64
  %21 = sub i64 %20, %19
  %22 = icmp uge i64 %21, 4
  br i1 %22, label %23, label %bailout, !prof !0

23:                                               ; preds = %14
  %24 = getelementptr i8, ptr %11, i64 4
  %len = load i32, ptr %11, align 1
  %25 = zext i32 %len to i64
  %26 = ptrtoint ptr %24 to i64
  %27 = ptrtoint ptr %end to i64
  %28 = sub i64 %27, %26
  %29 = icmp sge i64 %28, %25
  br i1 %29, label %30, label %bailout, !prof !0

30:                                               ; preds = %23
  %31 = getelementptr i8, ptr %24, i64 %25
  %32 = ptrtoint ptr %24 to i64
  %33 = ptrtoint ptr %readable to i64
  %34 = sub i64 %33, %32
  %35 = icmp uge i64 %34, 9
  br i1 %35, label %36, label %bailout, !prof !0

36:                                               ; preds = %30
  %varint = load i64, ptr %24, align 1
  %37 = and i64 %varint, 1
  %38 = icmp ne i64 %37, 0
  br i1 %38, label %43, label %47

39:                                               ; preds = %54, %50, %43
  %40 = phi i64 [ %45, %43 ], [ %52, %50 ], [ %57, %54 ]
  %41 = phi ptr [ %46, %43 ], [ %53, %50 ], [ %59, %54 ]
  %42 = icmp ule i64 %40, %12
  br i1 %42, label %60, label %bailout, !prof !0

43:                                               ; preds = %36
  %44 = lshr i64 %varint, 1
  %45 = and i64 %44, 127
  %46 = getelementptr i8, ptr %24, i64 1
  br label %39

47:                                               ; preds = %36
  %48 = and i64 %varint, 2
  %49 = icmp ne i64 %48, 0
  br i1 %49, label %50, label %54

50:                                               ; preds = %47
  %51 = lshr i64 %varint, 2
  %52 = and i64 %51, 16383
  %53 = getelementptr i8, ptr %24, i64 2
  br label %39

54:                                               ; preds = %47
  %55 = or i64 %varint, 256
  %56 = call i64 @llvm.cttz.i64(i64 %55, i1 true)
  %57 = call preserve_mostcc i64 @long_varint_at(ptr %24, i64 %56)
  %58 = getelementptr i8, ptr %24, i64 %56
  %59 = getelementptr i8, ptr %58, i64 1
  br label %39

60:                                               ; preds = %39
  %61 = sub i64 %12, %40
  %62 = call ptr @serow_py_make_tuple(i64 %40)
  %63 = ptrtoint ptr %62 to i64
  %64 = icmp ne i64 %63, 0
  br i1 %64, label %65, label %bailout, !prof !0

65:                                               ; preds = %60
  store ptr %62, ptr %18, align 1
  %66 = getelementptr i8, ptr %62, i64 24
  %67 = icmp ne i64 %40, 0
  br i1 %67, label %element, label %after

element:                                          ; preds = %88, %65
  %68 = phi i64 [ 0, %65 ], [ %92, %88 ]
  %69 = phi ptr [ %41, %65 ], [ %84, %88 ]
  %70 = phi i64 [ %61, %65 ], [ %70, %88 ]
  %71 = mul i64 %68, 8
  %72 = getelementptr i8, ptr %66, i64 %71
  %73 = ptrtoint ptr %69 to i64
  %74 = ptrtoint ptr %readable to i64
  %75 = sub i64 %74, %73
  %76 = icmp uge i64 %75, 8
  br i1 %76, label %83, label %bailout, !prof !0

after:                                            ; preds = %88, %65
  %77 = phi ptr [ %41, %65 ], [ %84, %88 ]
  %78 = phi i64 [ %61, %65 ], [ %70, %88 ]
  %79 = ptrtoint ptr %77 to i64
  %80 = ptrtoint ptr %31 to i64
  %81 = sub i64 %80, %79
  %82 = icmp sge i64 %81, 0
  br i1 %82, label %94, label %bailout, !prof !0

83:                                               ; preds = %element
  %84 = getelementptr i8, ptr %69, i64 8
  %bits = load i64, ptr %69, align 1
  %85 = call ptr @serow_py_malloc(i64 24)
  %86 = ptrtoint ptr %85 to i64
  %87 = icmp ne i64 %86, 0
  br i1 %87, label %88, label %bailout, !prof !0

88:                                               ; preds = %83
  %89 = getelementptr i8, ptr %85, i64 256
  call void @llvm.prefetch.p0(ptr %89, i32 0, i32 3, i32 1)
  store i64 1, ptr %85, align 1
  %90 = getelementptr i8, ptr %85, i64 8
  store ptr @serow_py_float, ptr %90, align 1
  %91 = getelementptr i8, ptr %85, i64 16
  store i64 %bits, ptr %91, align 1
  store ptr %85, ptr %72, align 1
  %92 = add i64 %68, 1
  %93 = icmp ult i64 %92, %40
  br i1 %93, label %element, label %after

94:                                               ; preds = %after
  store ptr null, ptr %18, align 1
  %95 = call ptr @serow_py_build(ptr %1, ptr %62, i32 1, i32 0)
  %96 = ptrtoint ptr %95 to i64
  %97 = icmp ne i64 %96, 0
  br i1 %97, label %98, label %bailout, !prof !0

98:                                               ; preds = %94
  store ptr %95, ptr %18, align 1
  %99 = icmp eq ptr %77, %31
  br i1 %99, label %100, label %bailout, !prof !0

100:                                              ; preds = %98
  %101 = add i64 %10, 1
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

; Function Attrs: nounwind
declare ptr @serow_py_make_tuple(i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #2

; Function Attrs: nounwind
declare ptr @serow_py_build(ptr, ptr, i32, i32) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
