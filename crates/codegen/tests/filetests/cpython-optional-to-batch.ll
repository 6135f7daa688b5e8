; Columns under an optional count in memory, and what they count is committed at the end of the row.
; schema (i64?,)
; from cpython to batch
;
; 0  tuple of 1, acyclic
; 1  optional, bit 0, else to 3
; 2  i64, int 0
; 3  leave
; 4  end

@serow_py_tuple = external global i8
@serow_py_none = external global i8
@serow_py_int = external global i8

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

bailout:                                          ; preds = %88, %join, %80, %three, %present, %37, %fetched, %next
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
  %12 = phi i64 [ %2, %start ], [ %92, %90 ]
  %13 = phi i64 [ %size, %start ], [ %58, %90 ]
  %14 = phi i64 [ %zero_sized, %start ], [ %56, %90 ]
  %15 = phi i64 [ %containers, %start ], [ %57, %90 ]
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
  %44 = icmp eq ptr %object3, @serow_py_none
  %45 = xor i1 %44, true
  br i1 %45, label %present, label %absent

present:                                          ; preds = %40
  %46 = getelementptr i8, ptr %columns, i64 24
  %next4 = load ptr, ptr %46, align 1
  %47 = mul i64 %18, 1
  %48 = getelementptr i8, ptr %next4, i64 %47
  store i8 1, ptr %48, align 1
  %49 = getelementptr i8, ptr %object, i64 24
  %object5 = load ptr, ptr %49, align 1
  %50 = getelementptr i8, ptr %object5, i64 8
  %type6 = load ptr, ptr %50, align 1
  %51 = icmp eq ptr %type6, @serow_py_int
  br i1 %51, label %61, label %bailout, !prof !0

absent:                                           ; preds = %40
  %52 = getelementptr i8, ptr %columns, i64 24
  %next11 = load ptr, ptr %52, align 1
  %53 = mul i64 %18, 1
  %54 = getelementptr i8, ptr %next11, i64 %53
  store i8 0, ptr %54, align 1
  br label %join

join:                                             ; preds = %absent, %int
  %55 = phi i64 [ %42, %int ], [ %42, %absent ]
  %56 = phi i64 [ %14, %int ], [ %14, %absent ]
  %57 = phi i64 [ %41, %int ], [ %41, %absent ]
  %58 = add i64 %55, 16
  %59 = getelementptr i8, ptr %1, i64 40
  %full = load i64, ptr %59, align 1
  %60 = icmp ult i64 %58, %full
  br i1 %60, label %88, label %bailout, !prof !0

61:                                               ; preds = %present
  %62 = getelementptr i8, ptr %object5, i64 16
  %size7 = load i64, ptr %62, align 1
  %63 = getelementptr i8, ptr %object5, i64 24
  %digit = load i32, ptr %63, align 1
  %64 = zext i32 %digit to i64
  %65 = add i64 %size7, 1
  %66 = icmp ult i64 %65, 3
  br i1 %66, label %small, label %large, !prof !0

small:                                            ; preds = %61
  %67 = mul i64 %size7, %64
  br label %int

large:                                            ; preds = %61
  %68 = ashr i64 %size7, 63
  %69 = or i64 %68, 1
  %70 = mul i64 %size7, %69
  %71 = getelementptr i8, ptr %object5, i64 28
  %digit8 = load i32, ptr %71, align 1
  %72 = zext i32 %digit8 to i64
  %73 = shl i64 %72, 30
  %74 = or i64 %73, %64
  %75 = icmp ult i64 %70, 3
  br i1 %75, label %two, label %three

int:                                              ; preds = %84, %two, %small
  %76 = phi i64 [ %67, %small ], [ %78, %two ], [ %87, %84 ]
  %next10 = load ptr, ptr %columns, align 1
  %77 = getelementptr i8, ptr %next10, i64 8
  store ptr %77, ptr %columns, align 1
  store i64 %76, ptr %next10, align 1
  br label %join

two:                                              ; preds = %large
  %78 = mul i64 %69, %74
  br label %int

three:                                            ; preds = %large
  %79 = icmp ult i64 %70, 4
  br i1 %79, label %80, label %bailout, !prof !0

80:                                               ; preds = %three
  %81 = getelementptr i8, ptr %object5, i64 32
  %digit9 = load i32, ptr %81, align 1
  %82 = zext i32 %digit9 to i64
  %83 = icmp ult i64 %82, 8
  br i1 %83, label %84, label %bailout, !prof !0

84:                                               ; preds = %80
  %85 = shl i64 %82, 60
  %86 = or i64 %85, %74
  %87 = mul i64 %69, %86
  br label %int

88:                                               ; preds = %join
  %89 = icmp ult i64 %56, 3145729
  br i1 %89, label %90, label %bailout, !prof !0

90:                                               ; preds = %88
  %91 = getelementptr i8, ptr %columns, i64 8
  %next12 = load i64, ptr %columns, align 1
  store i64 %next12, ptr %91, align 1
  %92 = add i64 %12, 1
  br label %next
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
