; A dict in a row is in no place of its own while it is made of its values.
; schema ({"a"?: bool}, f64)
; from row to cpython
;
; 0  tuple of 2
; 1  struct of 1: dict, a
; 2  maybe, bit 0, else to 4
; 3  bool, bit 1
; 4  leave
; 5  f64, float 0
; 6  leave
; 7  end

@serow_py_tuple = external global i8
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
  %rows = load ptr, ptr %1, align 1
  br label %next1

bailout:                                          ; preds = %94, %89, %84, %79, %join, %71, %present, %57, %44, %32, %27, %20, %11, %next1
  %6 = sub i64 %8, %2
  store ptr %9, ptr %0, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %6, ptr %7, align 1
  ret i64 %8

next1:                                            ; preds = %100, %start
  %8 = phi i64 [ %2, %start ], [ %101, %100 ]
  %9 = phi ptr [ %next, %start ], [ %90, %100 ]
  %10 = icmp ult i64 %8, %3
  br i1 %10, label %11, label %bailout, !prof !0

11:                                               ; preds = %next1
  %12 = sub i64 %8, %2
  %13 = getelementptr i8, ptr %1, i64 96
  store i64 0, ptr %13, align 1
  %14 = mul i64 %12, 8
  %15 = getelementptr i8, ptr %rows, i64 %14
  store i64 0, ptr %15, align 1
  %16 = ptrtoint ptr %9 to i64
  %17 = ptrtoint ptr %readable to i64
  %18 = sub i64 %17, %16
  %19 = icmp uge i64 %18, 4
  br i1 %19, label %20, label %bailout, !prof !0

20:                                               ; preds = %11
  %21 = getelementptr i8, ptr %9, i64 4
  %len = load i32, ptr %9, align 1
  %22 = zext i32 %len to i64
  %23 = ptrtoint ptr %21 to i64
  %24 = ptrtoint ptr %end to i64
  %25 = sub i64 %24, %23
  %26 = icmp sge i64 %25, %22
  br i1 %26, label %27, label %bailout, !prof !0

27:                                               ; preds = %20
  %28 = getelementptr i8, ptr %21, i64 %22
  %29 = call ptr @serow_py_malloc(i64 56)
  %30 = ptrtoint ptr %29 to i64
  %31 = icmp ne i64 %30, 0
  br i1 %31, label %32, label %bailout, !prof !0

32:                                               ; preds = %27
  %33 = getelementptr i8, ptr %29, i64 112
  call void @llvm.prefetch.p0(ptr %33, i32 0, i32 3, i32 1)
  %34 = getelementptr i8, ptr %29, i64 176
  call void @llvm.prefetch.p0(ptr %34, i32 0, i32 3, i32 1)
  store i64 0, ptr %29, align 1
  %35 = getelementptr i8, ptr %29, i64 8
  store i64 0, ptr %35, align 1
  %36 = getelementptr i8, ptr %29, i64 16
  store i64 1, ptr %36, align 1
  %37 = getelementptr i8, ptr %36, i64 8
  store ptr @serow_py_tuple, ptr %37, align 1
  %38 = getelementptr i8, ptr %36, i64 16
  store i64 2, ptr %38, align 1
  %39 = getelementptr i8, ptr %36, i64 24
  store i64 0, ptr %39, align 1
  %40 = getelementptr i8, ptr %36, i64 32
  store i64 0, ptr %40, align 1
  store ptr %36, ptr %15, align 1
  %41 = call ptr @serow_py_malloc(i64 56)
  %42 = ptrtoint ptr %41 to i64
  %43 = icmp ne i64 %42, 0
  br i1 %43, label %44, label %bailout, !prof !0

44:                                               ; preds = %32
  %45 = getelementptr i8, ptr %41, i64 112
  call void @llvm.prefetch.p0(ptr %45, i32 0, i32 3, i32 1)
  %46 = getelementptr i8, ptr %41, i64 176
  call void @llvm.prefetch.p0(ptr %46, i32 0, i32 3, i32 1)
  store i64 0, ptr %41, align 1
  %47 = getelementptr i8, ptr %41, i64 8
  store i64 0, ptr %47, align 1
  %48 = getelementptr i8, ptr %41, i64 16
  store i64 1, ptr %48, align 1
  %49 = getelementptr i8, ptr %48, i64 8
  store ptr @serow_py_tuple, ptr %49, align 1
  %50 = getelementptr i8, ptr %48, i64 16
  store i64 1, ptr %50, align 1
  %51 = getelementptr i8, ptr %48, i64 24
  store i64 0, ptr %51, align 1
  %52 = getelementptr i8, ptr %36, i64 24
  store ptr %48, ptr %52, align 1
  %53 = ptrtoint ptr %21 to i64
  %54 = ptrtoint ptr %readable to i64
  %55 = sub i64 %54, %53
  %56 = icmp uge i64 %55, 1
  br i1 %56, label %57, label %bailout, !prof !0

57:                                               ; preds = %44
  %58 = getelementptr i8, ptr %21, i64 1
  %flag = load i8, ptr %21, align 1
  %59 = icmp ult i8 %flag, 2
  br i1 %59, label %60, label %bailout, !prof !0

60:                                               ; preds = %57
  %61 = icmp eq i8 %flag, 1
  br i1 %61, label %present, label %absent

present:                                          ; preds = %60
  %62 = ptrtoint ptr %58 to i64
  %63 = ptrtoint ptr %readable to i64
  %64 = sub i64 %63, %62
  %65 = icmp uge i64 %64, 1
  br i1 %65, label %71, label %bailout, !prof !0

absent:                                           ; preds = %60
  br label %join

join:                                             ; preds = %absent, %74
  %66 = phi ptr [ %72, %74 ], [ %58, %absent ]
  %67 = ptrtoint ptr %66 to i64
  %68 = ptrtoint ptr %28 to i64
  %69 = sub i64 %68, %67
  %70 = icmp sge i64 %69, 0
  br i1 %70, label %79, label %bailout, !prof !0

71:                                               ; preds = %present
  %72 = getelementptr i8, ptr %58, i64 1
  %flag2 = load i8, ptr %58, align 1
  %73 = icmp ult i8 %flag2, 2
  br i1 %73, label %74, label %bailout, !prof !0

74:                                               ; preds = %71
  %75 = icmp eq i8 %flag2, 1
  %76 = select i1 %75, ptr @serow_py_true, ptr @serow_py_false
  %count = load i64, ptr %76, align 1
  %77 = add i64 %count, 1
  store i64 %77, ptr %76, align 1
  %78 = getelementptr i8, ptr %48, i64 24
  store ptr %76, ptr %78, align 1
  br label %join

79:                                               ; preds = %join
  %80 = getelementptr i8, ptr %36, i64 24
  store ptr null, ptr %80, align 1
  %81 = call ptr @serow_py_build(ptr %1, ptr %48, i32 3, i32 0)
  %82 = ptrtoint ptr %81 to i64
  %83 = icmp ne i64 %82, 0
  br i1 %83, label %84, label %bailout, !prof !0

84:                                               ; preds = %79
  store ptr %81, ptr %80, align 1
  %85 = ptrtoint ptr %66 to i64
  %86 = ptrtoint ptr %readable to i64
  %87 = sub i64 %86, %85
  %88 = icmp uge i64 %87, 8
  br i1 %88, label %89, label %bailout, !prof !0

89:                                               ; preds = %84
  %90 = getelementptr i8, ptr %66, i64 8
  %bits = load i64, ptr %66, align 1
  %91 = call ptr @serow_py_malloc(i64 24)
  %92 = ptrtoint ptr %91 to i64
  %93 = icmp ne i64 %92, 0
  br i1 %93, label %94, label %bailout, !prof !0

94:                                               ; preds = %89
  %95 = getelementptr i8, ptr %91, i64 256
  call void @llvm.prefetch.p0(ptr %95, i32 0, i32 3, i32 1)
  store i64 1, ptr %91, align 1
  %96 = getelementptr i8, ptr %91, i64 8
  store ptr @serow_py_float, ptr %96, align 1
  %97 = getelementptr i8, ptr %91, i64 16
  store i64 %bits, ptr %97, align 1
  %98 = getelementptr i8, ptr %36, i64 32
  store ptr %91, ptr %98, align 1
  call void @serow_py_track(ptr %36)
  %99 = icmp eq ptr %90, %28
  br i1 %99, label %100, label %bailout, !prof !0

100:                                              ; preds = %94
  %101 = add i64 %8, 1
  br label %next1
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare ptr @serow_py_build(ptr, ptr, i32, i32) #0

; Function Attrs: nounwind
declare void @serow_py_track(ptr) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
