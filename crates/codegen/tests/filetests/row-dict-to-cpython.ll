; A dict in a row is in no place of its own while it is made of its values.
; schema ({"a"?: bool}, f64)
; from row to cpython
;
; 0  tuple of 2
; 1  dict of 1, a
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

leave:                                            ; preds = %88, %83, %78, %join, %70, %present, %56, %43, %31, %26, %19, %11, %next1
  %6 = sub i64 %8, %2
  store ptr %9, ptr %0, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %6, ptr %7, align 1
  ret i64 %8

next1:                                            ; preds = %94, %start
  %8 = phi i64 [ %2, %start ], [ %95, %94 ]
  %9 = phi ptr [ %next, %start ], [ %84, %94 ]
  %10 = icmp ult i64 %8, %3
  br i1 %10, label %11, label %leave, !prof !0

11:                                               ; preds = %next1
  %12 = sub i64 %8, %2
  %13 = mul i64 %12, 8
  %14 = getelementptr i8, ptr %rows, i64 %13
  store i64 0, ptr %14, align 1
  %15 = ptrtoint ptr %9 to i64
  %16 = ptrtoint ptr %readable to i64
  %17 = sub i64 %16, %15
  %18 = icmp uge i64 %17, 4
  br i1 %18, label %19, label %leave, !prof !0

19:                                               ; preds = %11
  %20 = getelementptr i8, ptr %9, i64 4
  %len = load i32, ptr %9, align 1
  %21 = zext i32 %len to i64
  %22 = ptrtoint ptr %20 to i64
  %23 = ptrtoint ptr %end to i64
  %24 = sub i64 %23, %22
  %25 = icmp sge i64 %24, %21
  br i1 %25, label %26, label %leave, !prof !0

26:                                               ; preds = %19
  %27 = getelementptr i8, ptr %20, i64 %21
  %28 = call ptr @serow_py_malloc(i64 56)
  %29 = ptrtoint ptr %28 to i64
  %30 = icmp ne i64 %29, 0
  br i1 %30, label %31, label %leave, !prof !0

31:                                               ; preds = %26
  %32 = getelementptr i8, ptr %28, i64 112
  call void @llvm.prefetch.p0(ptr %32, i32 0, i32 3, i32 1)
  %33 = getelementptr i8, ptr %28, i64 176
  call void @llvm.prefetch.p0(ptr %33, i32 0, i32 3, i32 1)
  store i64 0, ptr %28, align 1
  %34 = getelementptr i8, ptr %28, i64 8
  store i64 0, ptr %34, align 1
  %35 = getelementptr i8, ptr %28, i64 16
  store i64 1, ptr %35, align 1
  %36 = getelementptr i8, ptr %35, i64 8
  store ptr @serow_py_tuple, ptr %36, align 1
  %37 = getelementptr i8, ptr %35, i64 16
  store i64 2, ptr %37, align 1
  %38 = getelementptr i8, ptr %35, i64 24
  store i64 0, ptr %38, align 1
  %39 = getelementptr i8, ptr %35, i64 32
  store i64 0, ptr %39, align 1
  store ptr %35, ptr %14, align 1
  %40 = call ptr @serow_py_malloc(i64 56)
  %41 = ptrtoint ptr %40 to i64
  %42 = icmp ne i64 %41, 0
  br i1 %42, label %43, label %leave, !prof !0

43:                                               ; preds = %31
  %44 = getelementptr i8, ptr %40, i64 112
  call void @llvm.prefetch.p0(ptr %44, i32 0, i32 3, i32 1)
  %45 = getelementptr i8, ptr %40, i64 176
  call void @llvm.prefetch.p0(ptr %45, i32 0, i32 3, i32 1)
  store i64 0, ptr %40, align 1
  %46 = getelementptr i8, ptr %40, i64 8
  store i64 0, ptr %46, align 1
  %47 = getelementptr i8, ptr %40, i64 16
  store i64 1, ptr %47, align 1
  %48 = getelementptr i8, ptr %47, i64 8
  store ptr @serow_py_tuple, ptr %48, align 1
  %49 = getelementptr i8, ptr %47, i64 16
  store i64 1, ptr %49, align 1
  %50 = getelementptr i8, ptr %47, i64 24
  store i64 0, ptr %50, align 1
  %51 = getelementptr i8, ptr %35, i64 24
  store ptr %47, ptr %51, align 1
  %52 = ptrtoint ptr %20 to i64
  %53 = ptrtoint ptr %readable to i64
  %54 = sub i64 %53, %52
  %55 = icmp uge i64 %54, 1
  br i1 %55, label %56, label %leave, !prof !0

56:                                               ; preds = %43
  %57 = getelementptr i8, ptr %20, i64 1
  %flag = load i8, ptr %20, align 1
  %58 = icmp ult i8 %flag, 2
  br i1 %58, label %59, label %leave, !prof !0

59:                                               ; preds = %56
  %60 = icmp eq i8 %flag, 1
  br i1 %60, label %present, label %absent

present:                                          ; preds = %59
  %61 = ptrtoint ptr %57 to i64
  %62 = ptrtoint ptr %readable to i64
  %63 = sub i64 %62, %61
  %64 = icmp uge i64 %63, 1
  br i1 %64, label %70, label %leave, !prof !0

absent:                                           ; preds = %59
  br label %join

join:                                             ; preds = %absent, %73
  %65 = phi ptr [ %71, %73 ], [ %57, %absent ]
  %66 = getelementptr i8, ptr %35, i64 24
  store ptr null, ptr %66, align 1
  %67 = call ptr @serow_py_build(ptr %1, ptr %47, i32 3, i32 1)
  %68 = ptrtoint ptr %67 to i64
  %69 = icmp ne i64 %68, 0
  br i1 %69, label %78, label %leave, !prof !0

70:                                               ; preds = %present
  %71 = getelementptr i8, ptr %57, i64 1
  %flag2 = load i8, ptr %57, align 1
  %72 = icmp ult i8 %flag2, 2
  br i1 %72, label %73, label %leave, !prof !0

73:                                               ; preds = %70
  %74 = icmp eq i8 %flag2, 1
  %75 = select i1 %74, ptr @serow_py_true, ptr @serow_py_false
  %count = load i64, ptr %75, align 1
  %76 = add i64 %count, 1
  store i64 %76, ptr %75, align 1
  %77 = getelementptr i8, ptr %47, i64 24
  store ptr %75, ptr %77, align 1
  br label %join

78:                                               ; preds = %join
  store ptr %67, ptr %66, align 1
  %79 = ptrtoint ptr %65 to i64
  %80 = ptrtoint ptr %readable to i64
  %81 = sub i64 %80, %79
  %82 = icmp uge i64 %81, 8
  br i1 %82, label %83, label %leave, !prof !0

83:                                               ; preds = %78
  %84 = getelementptr i8, ptr %65, i64 8
  %bits = load i64, ptr %65, align 1
  %85 = call ptr @serow_py_malloc(i64 24)
  %86 = ptrtoint ptr %85 to i64
  %87 = icmp ne i64 %86, 0
  br i1 %87, label %88, label %leave, !prof !0

88:                                               ; preds = %83
  %89 = getelementptr i8, ptr %85, i64 256
  call void @llvm.prefetch.p0(ptr %89, i32 0, i32 3, i32 1)
  store i64 1, ptr %85, align 1
  %90 = getelementptr i8, ptr %85, i64 8
  store ptr @serow_py_float, ptr %90, align 1
  %91 = getelementptr i8, ptr %85, i64 16
  store i64 %bits, ptr %91, align 1
  %92 = getelementptr i8, ptr %35, i64 32
  store ptr %85, ptr %92, align 1
  call void @serow_py_track(ptr %35)
  %93 = icmp eq ptr %84, %27
  br i1 %93, label %94, label %leave, !prof !0

94:                                               ; preds = %88
  %95 = add i64 %8, 1
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
