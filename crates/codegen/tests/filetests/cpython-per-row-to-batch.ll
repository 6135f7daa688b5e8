; A column of one value a row needs no counter: the row number is where the value goes.
; schema (i64, f64)
; from cpython to batch
;
; 0  tuple of 2, acyclic
; 1  i64, int 0
; 2  f64, float 0
; 3  leave
; 4  end

@serow_py_tuple = external global i8
@serow_py_int = external global i8
@serow_py_float = external global i8

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

bailout:                                          ; preds = %85, %77, %int, %69, %three, %40, %37, %fetched, %next
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

next:                                             ; preds = %87, %start
  %12 = phi i64 [ %2, %start ], [ %88, %87 ]
  %13 = phi i64 [ %size, %start ], [ %82, %87 ]
  %14 = phi i64 [ %zero_sized, %start ], [ %14, %87 ]
  %15 = phi i64 [ %containers, %start ], [ %41, %87 ]
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
  %type2 = load ptr, ptr %31, align 1
  %32 = icmp eq ptr %type2, @serow_py_tuple
  br i1 %32, label %37, label %bailout, !prof !0

tuple:                                            ; preds = %fetch
  %33 = getelementptr i8, ptr %soon, i64 16
  %len = load i64, ptr %33, align 1
  %34 = icmp eq i64 %len, 2
  br i1 %34, label %fields, label %fetched

fields:                                           ; preds = %tuple
  %35 = getelementptr i8, ptr %soon, i64 24
  %field = load ptr, ptr %35, align 1
  call void @llvm.prefetch.p0(ptr %field, i32 0, i32 3, i32 1)
  %36 = getelementptr i8, ptr %soon, i64 32
  %field1 = load ptr, ptr %36, align 1
  call void @llvm.prefetch.p0(ptr %field1, i32 0, i32 3, i32 1)
  br label %fetched

37:                                               ; preds = %fetched
  %38 = getelementptr i8, ptr %object, i64 16
  %len3 = load i64, ptr %38, align 1
  %39 = icmp eq i64 %len3, 2
  br i1 %39, label %40, label %bailout, !prof !0

40:                                               ; preds = %37
  %41 = add i64 %15, 1
  %42 = add i64 %13, 16
  %43 = getelementptr i8, ptr %object, i64 24
  %object4 = load ptr, ptr %43, align 1
  %44 = getelementptr i8, ptr %object4, i64 8
  %type5 = load ptr, ptr %44, align 1
  %45 = icmp eq ptr %type5, @serow_py_int
  br i1 %45, label %46, label %bailout, !prof !0

46:                                               ; preds = %40
  %47 = getelementptr i8, ptr %object4, i64 16
  %size6 = load i64, ptr %47, align 1
  %48 = getelementptr i8, ptr %object4, i64 24
  %digit = load i32, ptr %48, align 1
  %49 = zext i32 %digit to i64
  %50 = add i64 %size6, 1
  %51 = icmp ult i64 %50, 3
  br i1 %51, label %small, label %large, !prof !0

small:                                            ; preds = %46
  %52 = mul i64 %size6, %49
  br label %int

large:                                            ; preds = %46
  %53 = ashr i64 %size6, 63
  %54 = or i64 %53, 1
  %55 = mul i64 %size6, %54
  %56 = getelementptr i8, ptr %object4, i64 28
  %digit7 = load i32, ptr %56, align 1
  %57 = zext i32 %digit7 to i64
  %58 = shl i64 %57, 30
  %59 = or i64 %58, %49
  %60 = icmp ult i64 %55, 3
  br i1 %60, label %two, label %three

int:                                              ; preds = %73, %two, %small
  %61 = phi i64 [ %52, %small ], [ %67, %two ], [ %76, %73 ]
  %next9 = load ptr, ptr %columns, align 1
  %62 = mul i64 %18, 8
  %63 = getelementptr i8, ptr %next9, i64 %62
  store i64 %61, ptr %63, align 1
  %64 = getelementptr i8, ptr %object, i64 32
  %object10 = load ptr, ptr %64, align 1
  %65 = getelementptr i8, ptr %object10, i64 8
  %type11 = load ptr, ptr %65, align 1
  %66 = icmp eq ptr %type11, @serow_py_float
  br i1 %66, label %77, label %bailout, !prof !0

two:                                              ; preds = %large
  %67 = mul i64 %54, %59
  br label %int

three:                                            ; preds = %large
  %68 = icmp ult i64 %55, 4
  br i1 %68, label %69, label %bailout, !prof !0

69:                                               ; preds = %three
  %70 = getelementptr i8, ptr %object4, i64 32
  %digit8 = load i32, ptr %70, align 1
  %71 = zext i32 %digit8 to i64
  %72 = icmp ult i64 %71, 8
  br i1 %72, label %73, label %bailout, !prof !0

73:                                               ; preds = %69
  %74 = shl i64 %71, 60
  %75 = or i64 %74, %59
  %76 = mul i64 %54, %75
  br label %int

77:                                               ; preds = %int
  %78 = getelementptr i8, ptr %object10, i64 16
  %bits = load i64, ptr %78, align 1
  %79 = getelementptr i8, ptr %columns, i64 24
  %next12 = load ptr, ptr %79, align 1
  %80 = mul i64 %18, 8
  %81 = getelementptr i8, ptr %next12, i64 %80
  store i64 %bits, ptr %81, align 1
  %82 = add i64 %42, 16
  %83 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %83, align 1
  %84 = icmp ult i64 %82, %full
  br i1 %84, label %85, label %bailout, !prof !0

85:                                               ; preds = %77
  %86 = icmp ult i64 %14, 3145729
  br i1 %86, label %87, label %bailout, !prof !0

87:                                               ; preds = %85
  %88 = add i64 %12, 1
  br label %next
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
