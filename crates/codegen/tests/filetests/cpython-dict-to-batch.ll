; The runs of a row before are given back when a row begins.
; schema {"a": i64, "b"?: bool}
; from cpython to batch
;
; 0  struct of 2: dict, a, b
; 1  i64, int 0
; 2  maybe, bit 0, else to 4
; 3  bool, bit 1
; 4  leave
; 5  end

@serow_py_int = external global i8
@serow_py_true = external global i8
@serow_py_false = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %columns = load ptr, ptr %1, align 1
  %4 = getelementptr i8, ptr %1, i64 32
  %size = load i64, ptr %4, align 1
  %5 = getelementptr i8, ptr %1, i64 16
  %zero_sized = load i64, ptr %5, align 1
  %6 = getelementptr i8, ptr %1, i64 24
  %containers = load i64, ptr %6, align 1
  br label %next

bailout:                                          ; preds = %88, %join, %present, %60, %three, %32, %fetched, %next
  %7 = sub i64 %12, %2
  %8 = getelementptr i8, ptr %1, i64 8
  store i64 %7, ptr %8, align 1
  %9 = getelementptr i8, ptr %1, i64 32
  store i64 %13, ptr %9, align 1
  %10 = getelementptr i8, ptr %1, i64 16
  store i64 %14, ptr %10, align 1
  %11 = getelementptr i8, ptr %1, i64 24
  store i64 %15, ptr %11, align 1
  ret i64 %12

next:                                             ; preds = %90, %start
  %12 = phi i64 [ %2, %start ], [ %93, %90 ]
  %13 = phi i64 [ %size, %start ], [ %81, %90 ]
  %14 = phi i64 [ %zero_sized, %start ], [ %79, %90 ]
  %15 = phi i64 [ %containers, %start ], [ %80, %90 ]
  %16 = icmp ult i64 %12, %3
  br i1 %16, label %17, label %bailout, !prof !0

17:                                               ; preds = %next
  %18 = sub i64 %12, %2
  %rows = load ptr, ptr %0, align 1
  %19 = getelementptr i8, ptr %0, i64 8
  %ahead = load i64, ptr %19, align 1
  %20 = add i64 %12, 16
  %21 = icmp ult i64 %20, %ahead
  br i1 %21, label %fetch, label %fetched

fetch:                                            ; preds = %17
  %22 = mul i64 %12, 8
  %23 = getelementptr i8, ptr %rows, i64 %22
  %24 = getelementptr i8, ptr %23, i64 128
  %later = load ptr, ptr %24, align 1
  call void @llvm.prefetch.p0(ptr %later, i32 0, i32 3, i32 1)
  %25 = getelementptr i8, ptr %later, i64 64
  call void @llvm.prefetch.p0(ptr %25, i32 0, i32 3, i32 1)
  br label %fetched

fetched:                                          ; preds = %fetch, %17
  %26 = mul i64 %12, 8
  %27 = getelementptr i8, ptr %rows, i64 %26
  %28 = getelementptr i8, ptr %0, i64 96
  store i64 0, ptr %28, align 1
  %object = load ptr, ptr %27, align 1
  %29 = call ptr @serow_py_view(ptr %0, ptr %object, i32 3)
  %30 = ptrtoint ptr %29 to i64
  %31 = icmp ne i64 %30, 0
  br i1 %31, label %32, label %bailout, !prof !0

32:                                               ; preds = %fetched
  %33 = add i64 %15, 1
  %34 = add i64 %13, 16
  %object1 = load ptr, ptr %29, align 1
  %35 = getelementptr i8, ptr %object1, i64 8
  %type = load ptr, ptr %35, align 1
  %36 = icmp eq ptr %type, @serow_py_int
  br i1 %36, label %37, label %bailout, !prof !0

37:                                               ; preds = %32
  %38 = getelementptr i8, ptr %object1, i64 16
  %size2 = load i64, ptr %38, align 1
  %39 = getelementptr i8, ptr %object1, i64 24
  %digit = load i32, ptr %39, align 1
  %40 = zext i32 %digit to i64
  %41 = add i64 %size2, 1
  %42 = icmp ult i64 %41, 3
  br i1 %42, label %small, label %large, !prof !0

small:                                            ; preds = %37
  %43 = mul i64 %size2, %40
  br label %int

large:                                            ; preds = %37
  %44 = ashr i64 %size2, 63
  %45 = or i64 %44, 1
  %46 = mul i64 %size2, %45
  %47 = getelementptr i8, ptr %object1, i64 28
  %digit3 = load i32, ptr %47, align 1
  %48 = zext i32 %digit3 to i64
  %49 = shl i64 %48, 30
  %50 = or i64 %49, %40
  %51 = icmp ult i64 %46, 3
  br i1 %51, label %two, label %three

int:                                              ; preds = %64, %two, %small
  %52 = phi i64 [ %43, %small ], [ %58, %two ], [ %67, %64 ]
  %next5 = load ptr, ptr %columns, align 1
  %53 = mul i64 %18, 8
  %54 = getelementptr i8, ptr %next5, i64 %53
  store i64 %52, ptr %54, align 1
  %55 = getelementptr i8, ptr %29, i64 8
  %object6 = load ptr, ptr %55, align 1
  %56 = ptrtoint ptr %object6 to i64
  %57 = icmp ne i64 %56, 0
  br i1 %57, label %present, label %absent

two:                                              ; preds = %large
  %58 = mul i64 %45, %50
  br label %int

three:                                            ; preds = %large
  %59 = icmp ult i64 %46, 4
  br i1 %59, label %60, label %bailout, !prof !0

60:                                               ; preds = %three
  %61 = getelementptr i8, ptr %object1, i64 32
  %digit4 = load i32, ptr %61, align 1
  %62 = zext i32 %digit4 to i64
  %63 = icmp ult i64 %62, 8
  br i1 %63, label %64, label %bailout, !prof !0

64:                                               ; preds = %60
  %65 = shl i64 %62, 60
  %66 = or i64 %65, %50
  %67 = mul i64 %45, %66
  br label %int

present:                                          ; preds = %int
  %68 = getelementptr i8, ptr %columns, i64 24
  %next7 = load ptr, ptr %68, align 1
  %69 = mul i64 %18, 1
  %70 = getelementptr i8, ptr %next7, i64 %69
  store i8 1, ptr %70, align 1
  %71 = getelementptr i8, ptr %29, i64 8
  %object8 = load ptr, ptr %71, align 1
  %72 = icmp eq ptr %object8, @serow_py_true
  %73 = icmp eq ptr %object8, @serow_py_false
  %74 = or i1 %72, %73
  br i1 %74, label %84, label %bailout, !prof !0

absent:                                           ; preds = %int
  %75 = getelementptr i8, ptr %columns, i64 24
  %next10 = load ptr, ptr %75, align 1
  %76 = mul i64 %18, 1
  %77 = getelementptr i8, ptr %next10, i64 %76
  store i8 0, ptr %77, align 1
  br label %join

join:                                             ; preds = %absent, %84
  %78 = phi i64 [ %34, %84 ], [ %34, %absent ]
  %79 = phi i64 [ %14, %84 ], [ %14, %absent ]
  %80 = phi i64 [ %33, %84 ], [ %33, %absent ]
  %81 = add i64 %78, 24
  %82 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %82, align 1
  %83 = icmp ult i64 %81, %full
  br i1 %83, label %88, label %bailout, !prof !0

84:                                               ; preds = %present
  %85 = zext i1 %72 to i8
  %86 = getelementptr i8, ptr %columns, i64 48
  %next9 = load ptr, ptr %86, align 1
  %87 = getelementptr i8, ptr %next9, i64 1
  store ptr %87, ptr %86, align 1
  store i8 %85, ptr %next9, align 1
  br label %join

88:                                               ; preds = %join
  %89 = icmp ult i64 %79, 3145729
  br i1 %89, label %90, label %bailout, !prof !0

90:                                               ; preds = %88
  %91 = getelementptr i8, ptr %columns, i64 48
  %92 = getelementptr i8, ptr %91, i64 8
  %next11 = load i64, ptr %91, align 1
  store i64 %next11, ptr %92, align 1
  %93 = add i64 %12, 1
  br label %next
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare ptr @serow_py_view(ptr, ptr, i32) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
