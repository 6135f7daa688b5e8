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

leave:                                            ; preds = %92, %after, %81, %element, %59, %38, %29, %22, %14, %next1
  %7 = sub i64 %10, %2
  store ptr %11, ptr %0, align 1
  %8 = getelementptr i8, ptr %0, i64 24
  store i64 %12, ptr %8, align 1
  %9 = getelementptr i8, ptr %1, i64 8
  store i64 %7, ptr %9, align 1
  ret i64 %10

next1:                                            ; preds = %94, %start
  %10 = phi i64 [ %2, %start ], [ %95, %94 ]
  %11 = phi ptr [ %next, %start ], [ %76, %94 ]
  %12 = phi i64 [ %left, %start ], [ %77, %94 ]
  %13 = icmp ult i64 %10, %3
  br i1 %13, label %14, label %leave, !prof !0

14:                                               ; preds = %next1
  %15 = sub i64 %10, %2
  %16 = mul i64 %15, 8
  %17 = getelementptr i8, ptr %rows, i64 %16
  store i64 0, ptr %17, align 1
  %18 = ptrtoint ptr %11 to i64
  %19 = ptrtoint ptr %readable to i64
  %20 = sub i64 %19, %18
  %21 = icmp uge i64 %20, 4
  br i1 %21, label %22, label %leave, !prof !0

22:                                               ; preds = %14
  %23 = getelementptr i8, ptr %11, i64 4
  %len = load i32, ptr %11, align 1
  %24 = zext i32 %len to i64
  %25 = ptrtoint ptr %23 to i64
  %26 = ptrtoint ptr %end to i64
  %27 = sub i64 %26, %25
  %28 = icmp sge i64 %27, %24
  br i1 %28, label %29, label %leave, !prof !0

29:                                               ; preds = %22
  %30 = getelementptr i8, ptr %23, i64 %24
  %31 = ptrtoint ptr %23 to i64
  %32 = ptrtoint ptr %readable to i64
  %33 = sub i64 %32, %31
  %34 = icmp uge i64 %33, 9
  br i1 %34, label %35, label %leave, !prof !0

35:                                               ; preds = %29
  %varint = load i64, ptr %23, align 1
  %36 = and i64 %varint, 1
  %37 = icmp ne i64 %36, 0
  br i1 %37, label %42, label %46

38:                                               ; preds = %53, %49, %42
  %39 = phi i64 [ %44, %42 ], [ %51, %49 ], [ %56, %53 ]
  %40 = phi ptr [ %45, %42 ], [ %52, %49 ], [ %58, %53 ]
  %41 = icmp ule i64 %39, %12
  br i1 %41, label %59, label %leave, !prof !0

42:                                               ; preds = %35
  %43 = lshr i64 %varint, 1
  %44 = and i64 %43, 127
  %45 = getelementptr i8, ptr %23, i64 1
  br label %38

46:                                               ; preds = %35
  %47 = and i64 %varint, 2
  %48 = icmp ne i64 %47, 0
  br i1 %48, label %49, label %53

49:                                               ; preds = %46
  %50 = lshr i64 %varint, 2
  %51 = and i64 %50, 16383
  %52 = getelementptr i8, ptr %23, i64 2
  br label %38

53:                                               ; preds = %46
  %54 = or i64 %varint, 256
  %55 = call i64 @llvm.cttz.i64(i64 %54, i1 true)
  %56 = call preserve_mostcc i64 @long_varint_at(ptr %23, i64 %55)
  %57 = getelementptr i8, ptr %23, i64 %55
  %58 = getelementptr i8, ptr %57, i64 1
  br label %38

59:                                               ; preds = %38
  %60 = sub i64 %12, %39
  %61 = call ptr @serow_py_make_tuple(i64 %39)
  %62 = ptrtoint ptr %61 to i64
  %63 = icmp ne i64 %62, 0
  br i1 %63, label %64, label %leave, !prof !0

64:                                               ; preds = %59
  store ptr %61, ptr %17, align 1
  %65 = getelementptr i8, ptr %61, i64 24
  %66 = icmp ne i64 %39, 0
  br i1 %66, label %element, label %after

element:                                          ; preds = %86, %64
  %67 = phi i64 [ 0, %64 ], [ %90, %86 ]
  %68 = phi ptr [ %40, %64 ], [ %82, %86 ]
  %69 = phi i64 [ %60, %64 ], [ %69, %86 ]
  %70 = mul i64 %67, 8
  %71 = getelementptr i8, ptr %65, i64 %70
  %72 = ptrtoint ptr %68 to i64
  %73 = ptrtoint ptr %readable to i64
  %74 = sub i64 %73, %72
  %75 = icmp uge i64 %74, 8
  br i1 %75, label %81, label %leave, !prof !0

after:                                            ; preds = %86, %64
  %76 = phi ptr [ %40, %64 ], [ %82, %86 ]
  %77 = phi i64 [ %60, %64 ], [ %69, %86 ]
  store ptr null, ptr %17, align 1
  %78 = call ptr @serow_py_build(ptr %1, ptr %61, i32 1, i32 0)
  %79 = ptrtoint ptr %78 to i64
  %80 = icmp ne i64 %79, 0
  br i1 %80, label %92, label %leave, !prof !0

81:                                               ; preds = %element
  %82 = getelementptr i8, ptr %68, i64 8
  %bits = load i64, ptr %68, align 1
  %83 = call ptr @serow_py_malloc(i64 24)
  %84 = ptrtoint ptr %83 to i64
  %85 = icmp ne i64 %84, 0
  br i1 %85, label %86, label %leave, !prof !0

86:                                               ; preds = %81
  %87 = getelementptr i8, ptr %83, i64 256
  call void @llvm.prefetch.p0(ptr %87, i32 0, i32 3, i32 1)
  store i64 1, ptr %83, align 1
  %88 = getelementptr i8, ptr %83, i64 8
  store ptr @serow_py_float, ptr %88, align 1
  %89 = getelementptr i8, ptr %83, i64 16
  store i64 %bits, ptr %89, align 1
  store ptr %83, ptr %71, align 1
  %90 = add i64 %67, 1
  %91 = icmp ult i64 %90, %39
  br i1 %91, label %element, label %after

92:                                               ; preds = %after
  store ptr %78, ptr %17, align 1
  %93 = icmp eq ptr %76, %30
  br i1 %93, label %94, label %leave, !prof !0

94:                                               ; preds = %92
  %95 = add i64 %10, 1
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
