; A value that is made of parts is read by a function, which leaves the parts in memory.
; schema (date,)
; from cpython to batch
;
; 0  tuple of 1, acyclic
; 1  date, int 0
; 2  leave
; 3  end

@serow_py_tuple = external global i8

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

bailout:                                          ; preds = %53, %46, %40, %37, %fetched, %next
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

next:                                             ; preds = %55, %start
  %12 = phi i64 [ %2, %start ], [ %56, %55 ]
  %13 = phi i64 [ %size, %start ], [ %50, %55 ]
  %14 = phi i64 [ %zero_sized, %start ], [ %14, %55 ]
  %15 = phi i64 [ %containers, %start ], [ %41, %55 ]
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
  %26 = getelementptr i8, ptr %23, i64 64
  %soon = load ptr, ptr %26, align 1
  %27 = getelementptr i8, ptr %soon, i64 8
  %type = load ptr, ptr %27, align 1
  %28 = icmp eq ptr %type, @serow_py_tuple
  br i1 %28, label %tuple, label %fetched

fetched:                                          ; preds = %fields, %tuple, %fetch, %17
  %29 = mul i64 %12, 8
  %30 = getelementptr i8, ptr %rows, i64 %29
  %object = load ptr, ptr %30, align 1
  %31 = getelementptr i8, ptr %object, i64 8
  %type1 = load ptr, ptr %31, align 1
  %32 = icmp eq ptr %type1, @serow_py_tuple
  br i1 %32, label %37, label %bailout, !prof !0

tuple:                                            ; preds = %fetch
  %33 = getelementptr i8, ptr %soon, i64 16
  %len = load i64, ptr %33, align 1
  %34 = icmp eq i64 %len, 1
  br i1 %34, label %fields, label %fetched

fields:                                           ; preds = %tuple
  %35 = getelementptr i8, ptr %soon, i64 24
  %field = load ptr, ptr %35, align 1
  call void @llvm.prefetch.p0(ptr %field, i32 0, i32 3, i32 1)
  %36 = getelementptr i8, ptr %field, i64 48
  call void @llvm.prefetch.p0(ptr %36, i32 0, i32 3, i32 1)
  br label %fetched

37:                                               ; preds = %fetched
  %38 = getelementptr i8, ptr %object, i64 16
  %len2 = load i64, ptr %38, align 1
  %39 = icmp eq i64 %len2, 1
  br i1 %39, label %40, label %bailout, !prof !0

40:                                               ; preds = %37
  %41 = add i64 %15, 1
  %42 = add i64 %13, 16
  %43 = getelementptr i8, ptr %object, i64 24
  %object3 = load ptr, ptr %43, align 1
  %44 = call i8 @serow_py_read_logical(ptr %0, ptr %object3, i64 3)
  %45 = icmp ne i8 %44, 0
  br i1 %45, label %46, label %bailout, !prof !0

46:                                               ; preds = %40
  %47 = getelementptr i8, ptr %0, i64 16
  %part = load i64, ptr %47, align 1
  %next4 = load ptr, ptr %columns, align 1
  %48 = mul i64 %18, 8
  %49 = getelementptr i8, ptr %next4, i64 %48
  store i64 %part, ptr %49, align 1
  %50 = add i64 %42, 8
  %51 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %51, align 1
  %52 = icmp ult i64 %50, %full
  br i1 %52, label %53, label %bailout, !prof !0

53:                                               ; preds = %46
  %54 = icmp ult i64 %14, 3145729
  br i1 %54, label %55, label %bailout, !prof !0

55:                                               ; preds = %53
  %56 = add i64 %12, 1
  br label %next
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare i8 @serow_py_read_logical(ptr, ptr, i64) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
