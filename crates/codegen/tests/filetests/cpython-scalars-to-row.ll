; Singletons are compared by address, under the names by which the linker knows them.
; schema (f64, bool, null)
; from cpython to row
;
; 0  tuple of 3, acyclic
; 1  f64, float 0
; 2  bool, bit 0
; 3  null
; 4  leave
; 5  end

@serow_py_tuple = external global i8
@serow_py_float = external global i8
@serow_py_true = external global i8
@serow_py_false = external global i8
@serow_py_none = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %memory = load ptr, ptr %1, align 1
  %start1 = load ptr, ptr %memory, align 1
  %4 = getelementptr i8, ptr %memory, i64 8
  %len = load i64, ptr %4, align 1
  %5 = getelementptr i8, ptr %start1, i64 %len
  %6 = getelementptr i8, ptr %memory, i64 16
  %limit = load i64, ptr %6, align 1
  %7 = getelementptr i8, ptr %start1, i64 %limit
  %8 = getelementptr i8, ptr %1, i64 8
  %full = load i64, ptr %8, align 1
  %9 = getelementptr i8, ptr %start1, i64 %full
  %10 = getelementptr i8, ptr %1, i64 16
  %zero_sized = load i64, ptr %10, align 1
  br label %next

bailout:                                          ; preds = %77, %74, %67, %62, %55, %51, %48, %fetched, %21, %next
  %11 = sub i64 %17, %2
  %memory11 = load ptr, ptr %1, align 1
  %start12 = load ptr, ptr %memory11, align 1
  %12 = ptrtoint ptr %start12 to i64
  %13 = ptrtoint ptr %18 to i64
  %14 = sub i64 %13, %12
  %15 = getelementptr i8, ptr %memory11, i64 8
  store i64 %14, ptr %15, align 1
  %16 = getelementptr i8, ptr %1, i64 16
  store i64 %19, ptr %16, align 1
  ret i64 %17

next:                                             ; preds = %82, %start
  %17 = phi i64 [ %2, %start ], [ %84, %82 ]
  %18 = phi ptr [ %5, %start ], [ %64, %82 ]
  %19 = phi i64 [ %zero_sized, %start ], [ %68, %82 ]
  %20 = icmp ult i64 %17, %3
  br i1 %20, label %21, label %bailout, !prof !0

21:                                               ; preds = %next
  %22 = sub i64 %17, %2
  %23 = ptrtoint ptr %18 to i64
  %24 = ptrtoint ptr %7 to i64
  %25 = sub i64 %24, %23
  %26 = icmp ugt i64 %25, 13
  br i1 %26, label %27, label %bailout, !prof !0

27:                                               ; preds = %21
  %28 = getelementptr i8, ptr %18, i64 4
  %rows = load ptr, ptr %0, align 1
  %29 = getelementptr i8, ptr %0, i64 8
  %ahead = load i64, ptr %29, align 1
  %30 = add i64 %17, 16
  %31 = icmp ult i64 %30, %ahead
  br i1 %31, label %fetch, label %fetched

fetch:                                            ; preds = %27
  %32 = mul i64 %17, 8
  %33 = getelementptr i8, ptr %rows, i64 %32
  %34 = getelementptr i8, ptr %33, i64 128
  %later = load ptr, ptr %34, align 1
  call void @llvm.prefetch.p0(ptr %later, i32 0, i32 3, i32 1)
  %35 = getelementptr i8, ptr %later, i64 64
  call void @llvm.prefetch.p0(ptr %35, i32 0, i32 3, i32 1)
  %36 = getelementptr i8, ptr %33, i64 64
  %soon = load ptr, ptr %36, align 1
  %37 = getelementptr i8, ptr %soon, i64 8
  %type = load ptr, ptr %37, align 1
  %38 = icmp eq ptr %type, @serow_py_tuple
  br i1 %38, label %tuple, label %fetched

fetched:                                          ; preds = %fields, %tuple, %fetch, %27
  %39 = mul i64 %17, 8
  %40 = getelementptr i8, ptr %rows, i64 %39
  %object = load ptr, ptr %40, align 1
  %41 = getelementptr i8, ptr %object, i64 8
  %type5 = load ptr, ptr %41, align 1
  %42 = icmp eq ptr %type5, @serow_py_tuple
  br i1 %42, label %48, label %bailout, !prof !0

tuple:                                            ; preds = %fetch
  %43 = getelementptr i8, ptr %soon, i64 16
  %len2 = load i64, ptr %43, align 1
  %44 = icmp eq i64 %len2, 3
  br i1 %44, label %fields, label %fetched

fields:                                           ; preds = %tuple
  %45 = getelementptr i8, ptr %soon, i64 24
  %field = load ptr, ptr %45, align 1
  call void @llvm.prefetch.p0(ptr %field, i32 0, i32 3, i32 1)
  %46 = getelementptr i8, ptr %soon, i64 32
  %field3 = load ptr, ptr %46, align 1
  call void @llvm.prefetch.p0(ptr %field3, i32 0, i32 3, i32 1)
  %47 = getelementptr i8, ptr %soon, i64 40
  %field4 = load ptr, ptr %47, align 1
  call void @llvm.prefetch.p0(ptr %field4, i32 0, i32 3, i32 1)
  br label %fetched

48:                                               ; preds = %fetched
  %49 = getelementptr i8, ptr %object, i64 16
  %len6 = load i64, ptr %49, align 1
  %50 = icmp eq i64 %len6, 3
  br i1 %50, label %51, label %bailout, !prof !0

51:                                               ; preds = %48
  %52 = getelementptr i8, ptr %object, i64 24
  %object7 = load ptr, ptr %52, align 1
  %53 = getelementptr i8, ptr %object7, i64 8
  %type8 = load ptr, ptr %53, align 1
  %54 = icmp eq ptr %type8, @serow_py_float
  br i1 %54, label %55, label %bailout, !prof !0

55:                                               ; preds = %51
  %56 = getelementptr i8, ptr %object7, i64 16
  %bits = load i64, ptr %56, align 1
  store i64 %bits, ptr %28, align 1
  %57 = getelementptr i8, ptr %28, i64 8
  %58 = getelementptr i8, ptr %object, i64 32
  %object9 = load ptr, ptr %58, align 1
  %59 = icmp eq ptr %object9, @serow_py_true
  %60 = icmp eq ptr %object9, @serow_py_false
  %61 = or i1 %59, %60
  br i1 %61, label %62, label %bailout, !prof !0

62:                                               ; preds = %55
  %63 = zext i1 %59 to i8
  store i8 %63, ptr %57, align 1
  %64 = getelementptr i8, ptr %57, i64 1
  %65 = getelementptr i8, ptr %object, i64 40
  %object10 = load ptr, ptr %65, align 1
  %66 = icmp eq ptr %object10, @serow_py_none
  br i1 %66, label %67, label %bailout, !prof !0

67:                                               ; preds = %62
  %68 = add i64 %19, 1
  %69 = ptrtoint ptr %18 to i64
  %70 = ptrtoint ptr %64 to i64
  %71 = sub i64 %70, %69
  %72 = sub i64 %71, 4
  %73 = icmp ult i64 %72, 4294967232
  br i1 %73, label %74, label %bailout, !prof !0

74:                                               ; preds = %67
  %75 = ptrtoint ptr %64 to i64
  %76 = icmp ult i64 %68, 3145729
  br i1 %76, label %77, label %bailout, !prof !0

77:                                               ; preds = %74
  %78 = mul i64 %68, 16
  %79 = add i64 %75, %78
  %80 = ptrtoint ptr %9 to i64
  %81 = icmp ult i64 %79, %80
  br i1 %81, label %82, label %bailout, !prof !0

82:                                               ; preds = %77
  %83 = trunc i64 %72 to i32
  store i32 %83, ptr %18, align 1
  %84 = add i64 %17, 1
  br label %next
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
