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

bailout:                                          ; preds = %111, %107, %after, %95, %87, %84, %element, %60, %39, %30, %23, %14, %next1
  %7 = sub i64 %10, %2
  store ptr %11, ptr %0, align 1
  %8 = getelementptr i8, ptr %0, i64 24
  store i64 %12, ptr %8, align 1
  %9 = getelementptr i8, ptr %1, i64 8
  store i64 %7, ptr %9, align 1
  ret i64 %10

next1:                                            ; preds = %113, %start
  %10 = phi i64 [ %2, %start ], [ %114, %113 ]
  %11 = phi ptr [ %next, %start ], [ %78, %113 ]
  %12 = phi i64 [ %left, %start ], [ %79, %113 ]
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
  %62 = mul i64 %40, 2
  %63 = call ptr @serow_py_make_tuple(i64 %62)
  %64 = ptrtoint ptr %63 to i64
  %65 = icmp ne i64 %64, 0
  br i1 %65, label %66, label %bailout, !prof !0

66:                                               ; preds = %60
  store ptr %63, ptr %18, align 1
  %67 = getelementptr i8, ptr %63, i64 24
  %68 = icmp ne i64 %40, 0
  br i1 %68, label %element, label %after

element:                                          ; preds = %100, %66
  %69 = phi i64 [ 0, %66 ], [ %105, %100 ]
  %70 = phi ptr [ %41, %66 ], [ %96, %100 ]
  %71 = phi i64 [ %61, %66 ], [ %71, %100 ]
  %72 = mul i64 %69, 16
  %73 = getelementptr i8, ptr %67, i64 %72
  %74 = ptrtoint ptr %70 to i64
  %75 = ptrtoint ptr %readable to i64
  %76 = sub i64 %75, %74
  %77 = icmp uge i64 %76, 1
  br i1 %77, label %84, label %bailout, !prof !0

after:                                            ; preds = %100, %66
  %78 = phi ptr [ %41, %66 ], [ %96, %100 ]
  %79 = phi i64 [ %61, %66 ], [ %71, %100 ]
  %80 = ptrtoint ptr %78 to i64
  %81 = ptrtoint ptr %31 to i64
  %82 = sub i64 %81, %80
  %83 = icmp sge i64 %82, 0
  br i1 %83, label %107, label %bailout, !prof !0

84:                                               ; preds = %element
  %85 = getelementptr i8, ptr %70, i64 1
  %flag = load i8, ptr %70, align 1
  %86 = icmp ult i8 %flag, 2
  br i1 %86, label %87, label %bailout, !prof !0

87:                                               ; preds = %84
  %88 = icmp eq i8 %flag, 1
  %89 = select i1 %88, ptr @serow_py_true, ptr @serow_py_false
  %count = load i64, ptr %89, align 1
  %90 = add i64 %count, 1
  store i64 %90, ptr %89, align 1
  store ptr %89, ptr %73, align 1
  %91 = ptrtoint ptr %85 to i64
  %92 = ptrtoint ptr %readable to i64
  %93 = sub i64 %92, %91
  %94 = icmp uge i64 %93, 8
  br i1 %94, label %95, label %bailout, !prof !0

95:                                               ; preds = %87
  %96 = getelementptr i8, ptr %85, i64 8
  %bits = load i64, ptr %85, align 1
  %97 = call ptr @serow_py_malloc(i64 24)
  %98 = ptrtoint ptr %97 to i64
  %99 = icmp ne i64 %98, 0
  br i1 %99, label %100, label %bailout, !prof !0

100:                                              ; preds = %95
  %101 = getelementptr i8, ptr %97, i64 256
  call void @llvm.prefetch.p0(ptr %101, i32 0, i32 3, i32 1)
  store i64 1, ptr %97, align 1
  %102 = getelementptr i8, ptr %97, i64 8
  store ptr @serow_py_float, ptr %102, align 1
  %103 = getelementptr i8, ptr %97, i64 16
  store i64 %bits, ptr %103, align 1
  %104 = getelementptr i8, ptr %73, i64 8
  store ptr %97, ptr %104, align 1
  %105 = add i64 %69, 1
  %106 = icmp ult i64 %105, %40
  br i1 %106, label %element, label %after

107:                                              ; preds = %after
  store ptr null, ptr %18, align 1
  %108 = call ptr @serow_py_build(ptr %1, ptr %63, i32 2, i32 0)
  %109 = ptrtoint ptr %108 to i64
  %110 = icmp ne i64 %109, 0
  br i1 %110, label %111, label %bailout, !prof !0

111:                                              ; preds = %107
  store ptr %108, ptr %18, align 1
  %112 = icmp eq ptr %78, %31
  br i1 %112, label %113, label %bailout, !prof !0

113:                                              ; preds = %111
  %114 = add i64 %10, 1
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
