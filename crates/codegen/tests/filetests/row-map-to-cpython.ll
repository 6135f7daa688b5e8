; Keys and values of a map stand in one tuple, until a function makes the dict.
; schema {bool: f64}
; from row to cpython
;
; 0  sequence as map, int 0, to 4, 9 bytes each
; 1  bool, bit 0
; 2  f64, float 0
; 3  next, from 1
; 4  end

@serow_py_true = external global i8
@serow_py_false = external global i8
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

leave:                                            ; preds = %105, %after, %93, %85, %82, %element, %59, %38, %29, %22, %14, %next1
  %7 = sub i64 %10, %2
  store ptr %11, ptr %0, align 1
  %8 = getelementptr i8, ptr %0, i64 24
  store i64 %12, ptr %8, align 1
  %9 = getelementptr i8, ptr %1, i64 8
  store i64 %7, ptr %9, align 1
  ret i64 %10

next1:                                            ; preds = %107, %start
  %10 = phi i64 [ %2, %start ], [ %108, %107 ]
  %11 = phi ptr [ %next, %start ], [ %77, %107 ]
  %12 = phi i64 [ %left, %start ], [ %78, %107 ]
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
  %61 = mul i64 %39, 2
  %62 = call ptr @serow_py_make_tuple(i64 %61)
  %63 = ptrtoint ptr %62 to i64
  %64 = icmp ne i64 %63, 0
  br i1 %64, label %65, label %leave, !prof !0

65:                                               ; preds = %59
  store ptr %62, ptr %17, align 1
  %66 = getelementptr i8, ptr %62, i64 24
  %67 = icmp ne i64 %39, 0
  br i1 %67, label %element, label %after

element:                                          ; preds = %98, %65
  %68 = phi i64 [ 0, %65 ], [ %103, %98 ]
  %69 = phi ptr [ %40, %65 ], [ %94, %98 ]
  %70 = phi i64 [ %60, %65 ], [ %70, %98 ]
  %71 = mul i64 %68, 16
  %72 = getelementptr i8, ptr %66, i64 %71
  %73 = ptrtoint ptr %69 to i64
  %74 = ptrtoint ptr %readable to i64
  %75 = sub i64 %74, %73
  %76 = icmp uge i64 %75, 1
  br i1 %76, label %82, label %leave, !prof !0

after:                                            ; preds = %98, %65
  %77 = phi ptr [ %40, %65 ], [ %94, %98 ]
  %78 = phi i64 [ %60, %65 ], [ %70, %98 ]
  store ptr null, ptr %17, align 1
  %79 = call ptr @serow_py_build(ptr %1, ptr %62, i32 2, i32 0)
  %80 = ptrtoint ptr %79 to i64
  %81 = icmp ne i64 %80, 0
  br i1 %81, label %105, label %leave, !prof !0

82:                                               ; preds = %element
  %83 = getelementptr i8, ptr %69, i64 1
  %flag = load i8, ptr %69, align 1
  %84 = icmp ult i8 %flag, 2
  br i1 %84, label %85, label %leave, !prof !0

85:                                               ; preds = %82
  %86 = icmp eq i8 %flag, 1
  %87 = select i1 %86, ptr @serow_py_true, ptr @serow_py_false
  %count = load i64, ptr %87, align 1
  %88 = add i64 %count, 1
  store i64 %88, ptr %87, align 1
  store ptr %87, ptr %72, align 1
  %89 = ptrtoint ptr %83 to i64
  %90 = ptrtoint ptr %readable to i64
  %91 = sub i64 %90, %89
  %92 = icmp uge i64 %91, 8
  br i1 %92, label %93, label %leave, !prof !0

93:                                               ; preds = %85
  %94 = getelementptr i8, ptr %83, i64 8
  %bits = load i64, ptr %83, align 1
  %95 = call ptr @serow_py_malloc(i64 24)
  %96 = ptrtoint ptr %95 to i64
  %97 = icmp ne i64 %96, 0
  br i1 %97, label %98, label %leave, !prof !0

98:                                               ; preds = %93
  %99 = getelementptr i8, ptr %95, i64 256
  call void @llvm.prefetch.p0(ptr %99, i32 0, i32 3, i32 1)
  store i64 1, ptr %95, align 1
  %100 = getelementptr i8, ptr %95, i64 8
  store ptr @serow_py_float, ptr %100, align 1
  %101 = getelementptr i8, ptr %95, i64 16
  store i64 %bits, ptr %101, align 1
  %102 = getelementptr i8, ptr %72, i64 8
  store ptr %95, ptr %102, align 1
  %103 = add i64 %68, 1
  %104 = icmp ult i64 %103, %39
  br i1 %104, label %element, label %after

105:                                              ; preds = %after
  store ptr %79, ptr %17, align 1
  %106 = icmp eq ptr %77, %30
  br i1 %106, label %107, label %leave, !prof !0

107:                                              ; preds = %105
  %108 = add i64 %10, 1
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
