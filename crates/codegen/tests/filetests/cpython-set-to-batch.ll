; A set's elements are where a function says, as many as it says.
; schema {bool}
; from cpython to batch
;
; 0  sequence as set, int 0, to 3, 1 bytes each
; 1  bool, bit 0
; 2  next, from 1
; 3  end

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

bailout:                                          ; preds = %64, %after, %54, %element, %fetched, %next
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

next:                                             ; preds = %66, %start
  %12 = phi i64 [ %2, %start ], [ %69, %66 ]
  %13 = phi i64 [ %size, %start ], [ %51, %66 ]
  %14 = phi i64 [ %zero_sized, %start ], [ %49, %66 ]
  %15 = phi i64 [ %containers, %start ], [ %50, %66 ]
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
  %29 = call ptr @serow_py_view(ptr %0, ptr %object, i32 0)
  %30 = ptrtoint ptr %29 to i64
  %31 = icmp ne i64 %30, 0
  br i1 %31, label %32, label %bailout, !prof !0

32:                                               ; preds = %fetched
  %33 = getelementptr i8, ptr %0, i64 88
  %len = load i64, ptr %33, align 1
  %34 = mul i64 %len, 8
  %35 = add i64 %13, %34
  %next1 = load ptr, ptr %columns, align 1
  %36 = mul i64 %18, 8
  %37 = getelementptr i8, ptr %next1, i64 %36
  store i64 %len, ptr %37, align 1
  %38 = icmp ne i64 %len, 0
  br i1 %38, label %element, label %after

element:                                          ; preds = %60, %32
  %39 = phi i64 [ 0, %32 ], [ %62, %60 ]
  %40 = phi i64 [ %35, %32 ], [ %40, %60 ]
  %41 = phi i64 [ %14, %32 ], [ %41, %60 ]
  %42 = phi i64 [ %15, %32 ], [ %42, %60 ]
  %43 = mul i64 %39, 8
  %44 = getelementptr i8, ptr %29, i64 %43
  %object2 = load ptr, ptr %44, align 1
  %45 = icmp eq ptr %object2, @serow_py_true
  %46 = icmp eq ptr %object2, @serow_py_false
  %47 = or i1 %45, %46
  br i1 %47, label %54, label %bailout, !prof !0

after:                                            ; preds = %60, %32
  %48 = phi i64 [ %35, %32 ], [ %40, %60 ]
  %49 = phi i64 [ %14, %32 ], [ %41, %60 ]
  %50 = phi i64 [ %15, %32 ], [ %42, %60 ]
  %51 = add i64 %48, 16
  %52 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %52, align 1
  %53 = icmp ult i64 %51, %full
  br i1 %53, label %64, label %bailout, !prof !0

54:                                               ; preds = %element
  %55 = zext i1 %45 to i8
  %56 = getelementptr i8, ptr %columns, i64 24
  %next3 = load ptr, ptr %56, align 1
  %57 = getelementptr i8, ptr %56, i64 16
  %limit = load i64, ptr %57, align 1
  %58 = ptrtoint ptr %next3 to i64
  %59 = icmp ult i64 %58, %limit
  br i1 %59, label %60, label %bailout, !prof !0

60:                                               ; preds = %54
  %61 = getelementptr i8, ptr %next3, i64 1
  store ptr %61, ptr %56, align 1
  store i8 %55, ptr %next3, align 1
  %62 = add i64 %39, 1
  %63 = icmp ult i64 %62, %len
  br i1 %63, label %element, label %after

64:                                               ; preds = %after
  %65 = icmp ult i64 %49, 3145729
  br i1 %65, label %66, label %bailout, !prof !0

66:                                               ; preds = %64
  %67 = getelementptr i8, ptr %columns, i64 24
  %68 = getelementptr i8, ptr %67, i64 8
  %next4 = load i64, ptr %67, align 1
  store i64 %next4, ptr %68, align 1
  %69 = add i64 %12, 1
  br label %next
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare ptr @serow_py_view(ptr, ptr, i32) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
