; One value a row: all stand at fixed distances from one address.
; schema (i64, f64, bool)
; from columns to cpython
;
; 0  tuple of 3, acyclic
; 1  i64, int 0
; 2  f64, float 0
; 3  bool, bit 0
; 4  leave
; 5  end

@serow_py_tuple = external global i8
@serow_py_small_ints = external global i8
@serow_py_int = external global i8
@serow_py_float = external global i8
@serow_py_true = external global i8
@serow_py_false = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %4 = getelementptr i8, ptr %0, i64 8
  %columns = load ptr, ptr %4, align 1
  %first = load ptr, ptr %0, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next

bailout:                                          ; preds = %int, %long, %short, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %66, %start
  %8 = phi i64 [ %2, %start ], [ %76, %66 ]
  %9 = icmp ult i64 %8, %3
  br i1 %9, label %10, label %bailout, !prof !0

10:                                               ; preds = %next
  %11 = sub i64 %8, %2
  %12 = mul i64 %11, 8
  %13 = getelementptr i8, ptr %rows, i64 %12
  store i64 0, ptr %13, align 1
  %14 = mul i64 %11, 8
  %15 = getelementptr i8, ptr %first, i64 %14
  %16 = call ptr @serow_py_malloc(i64 64)
  %17 = ptrtoint ptr %16 to i64
  %18 = icmp ne i64 %17, 0
  br i1 %18, label %19, label %bailout, !prof !0

19:                                               ; preds = %10
  %20 = getelementptr i8, ptr %16, i64 128
  call void @llvm.prefetch.p0(ptr %20, i32 0, i32 3, i32 1)
  %21 = getelementptr i8, ptr %16, i64 192
  call void @llvm.prefetch.p0(ptr %21, i32 0, i32 3, i32 1)
  store i64 0, ptr %16, align 1
  %22 = getelementptr i8, ptr %16, i64 8
  store i64 0, ptr %22, align 1
  %23 = getelementptr i8, ptr %16, i64 16
  store i64 1, ptr %23, align 1
  %24 = getelementptr i8, ptr %23, i64 8
  store ptr @serow_py_tuple, ptr %24, align 1
  %25 = getelementptr i8, ptr %23, i64 16
  store i64 3, ptr %25, align 1
  %26 = getelementptr i8, ptr %23, i64 24
  store i64 0, ptr %26, align 1
  %27 = getelementptr i8, ptr %23, i64 32
  store i64 0, ptr %27, align 1
  %28 = getelementptr i8, ptr %23, i64 40
  store i64 0, ptr %28, align 1
  store ptr %23, ptr %13, align 1
  %word = load i64, ptr %15, align 1
  %29 = sub i64 %word, -5
  %30 = icmp ult i64 %29, 262
  br i1 %30, label %small, label %other

small:                                            ; preds = %19
  %31 = mul i64 %29, 8
  %32 = getelementptr i8, ptr @serow_py_small_ints, i64 %31
  %int1 = load ptr, ptr %32, align 1
  %count = load i64, ptr %int1, align 1
  %33 = add i64 %count, 1
  store i64 %33, ptr %int1, align 1
  br label %int

other:                                            ; preds = %19
  %34 = add i64 %word, 1152921504606846975
  %35 = icmp ult i64 %34, 2305843009213693951
  br i1 %35, label %short, label %long, !prof !0

short:                                            ; preds = %other
  %36 = call ptr @serow_py_malloc(i64 32)
  %37 = ptrtoint ptr %36 to i64
  %38 = icmp ne i64 %37, 0
  br i1 %38, label %48, label %bailout, !prof !0

long:                                             ; preds = %other
  %39 = call ptr @serow_py_make_int(i64 %word)
  %40 = ptrtoint ptr %39 to i64
  %41 = icmp ne i64 %40, 0
  br i1 %41, label %65, label %bailout, !prof !0

int:                                              ; preds = %65, %48, %small
  %42 = phi ptr [ %int1, %small ], [ %36, %48 ], [ %39, %65 ]
  %43 = getelementptr i8, ptr %23, i64 24
  store ptr %42, ptr %43, align 1
  %44 = getelementptr i8, ptr %15, i64 2056
  %word2 = load i64, ptr %44, align 1
  %45 = call ptr @serow_py_malloc(i64 24)
  %46 = ptrtoint ptr %45 to i64
  %47 = icmp ne i64 %46, 0
  br i1 %47, label %66, label %bailout, !prof !0

48:                                               ; preds = %short
  %49 = getelementptr i8, ptr %36, i64 256
  call void @llvm.prefetch.p0(ptr %49, i32 0, i32 3, i32 1)
  store i64 1, ptr %36, align 1
  %50 = getelementptr i8, ptr %36, i64 8
  store ptr @serow_py_int, ptr %50, align 1
  %51 = ashr i64 %word, 63
  %52 = xor i64 %word, %51
  %53 = sub i64 %52, %51
  %54 = lshr i64 %53, 30
  %55 = and i64 %53, 1073741823
  %56 = shl i64 %54, 32
  %57 = or i64 %55, %56
  %58 = getelementptr i8, ptr %36, i64 24
  store i64 %57, ptr %58, align 1
  %59 = icmp ne i64 %54, 0
  %60 = zext i1 %59 to i64
  %61 = add i64 %60, 1
  %62 = xor i64 %61, %51
  %63 = sub i64 %62, %51
  %64 = getelementptr i8, ptr %36, i64 16
  store i64 %63, ptr %64, align 1
  br label %int

65:                                               ; preds = %long
  br label %int

66:                                               ; preds = %int
  %67 = getelementptr i8, ptr %45, i64 256
  call void @llvm.prefetch.p0(ptr %67, i32 0, i32 3, i32 1)
  store i64 1, ptr %45, align 1
  %68 = getelementptr i8, ptr %45, i64 8
  store ptr @serow_py_float, ptr %68, align 1
  %69 = getelementptr i8, ptr %45, i64 16
  store i64 %word2, ptr %69, align 1
  %70 = getelementptr i8, ptr %23, i64 32
  store ptr %45, ptr %70, align 1
  %71 = getelementptr i8, ptr %15, i64 4112
  %word3 = load i64, ptr %71, align 1
  %72 = icmp ne i64 %word3, 0
  %73 = select i1 %72, ptr @serow_py_true, ptr @serow_py_false
  %count4 = load i64, ptr %73, align 1
  %74 = add i64 %count4, 1
  store i64 %74, ptr %73, align 1
  %75 = getelementptr i8, ptr %23, i64 40
  store ptr %73, ptr %75, align 1
  %76 = add i64 %8, 1
  br label %next
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare ptr @serow_py_make_int(i64) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
