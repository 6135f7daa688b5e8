; One value a row: all stand at fixed distances from one address.
; schema (i64, f64, bool)
; from columns to cpython
;
; 0  tuple of 3, atomic
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

leave:                                            ; preds = %int, %long, %short, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %63, %start
  %8 = phi i64 [ %2, %start ], [ %72, %63 ]
  %9 = icmp ult i64 %8, %3
  br i1 %9, label %10, label %leave, !prof !0

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
  br i1 %18, label %19, label %leave, !prof !0

19:                                               ; preds = %10
  store i64 0, ptr %16, align 1
  %20 = getelementptr i8, ptr %16, i64 8
  store i64 0, ptr %20, align 1
  %21 = getelementptr i8, ptr %16, i64 16
  store i64 1, ptr %21, align 1
  %22 = getelementptr i8, ptr %21, i64 8
  store ptr @serow_py_tuple, ptr %22, align 1
  %23 = getelementptr i8, ptr %21, i64 16
  store i64 3, ptr %23, align 1
  %24 = getelementptr i8, ptr %21, i64 24
  store i64 0, ptr %24, align 1
  %25 = getelementptr i8, ptr %21, i64 32
  store i64 0, ptr %25, align 1
  %26 = getelementptr i8, ptr %21, i64 40
  store i64 0, ptr %26, align 1
  store ptr %21, ptr %13, align 1
  %word = load i64, ptr %15, align 1
  %27 = sub i64 %word, -5
  %28 = icmp ult i64 %27, 262
  br i1 %28, label %small, label %other

small:                                            ; preds = %19
  %29 = mul i64 %27, 8
  %30 = getelementptr i8, ptr @serow_py_small_ints, i64 %29
  %int1 = load ptr, ptr %30, align 1
  %count = load i64, ptr %int1, align 1
  %31 = add i64 %count, 1
  store i64 %31, ptr %int1, align 1
  br label %int

other:                                            ; preds = %19
  %32 = add i64 %word, 1152921504606846975
  %33 = icmp ult i64 %32, 2305843009213693951
  br i1 %33, label %short, label %long, !prof !0

short:                                            ; preds = %other
  %34 = call ptr @serow_py_malloc(i64 32)
  %35 = ptrtoint ptr %34 to i64
  %36 = icmp ne i64 %35, 0
  br i1 %36, label %46, label %leave, !prof !0

long:                                             ; preds = %other
  %37 = call ptr @serow_py_make_int(i64 %word)
  %38 = ptrtoint ptr %37 to i64
  %39 = icmp ne i64 %38, 0
  br i1 %39, label %62, label %leave, !prof !0

int:                                              ; preds = %62, %46, %small
  %40 = phi ptr [ %int1, %small ], [ %34, %46 ], [ %37, %62 ]
  %41 = getelementptr i8, ptr %21, i64 24
  store ptr %40, ptr %41, align 1
  %42 = getelementptr i8, ptr %15, i64 2056
  %word2 = load i64, ptr %42, align 1
  %43 = call ptr @serow_py_malloc(i64 24)
  %44 = ptrtoint ptr %43 to i64
  %45 = icmp ne i64 %44, 0
  br i1 %45, label %63, label %leave, !prof !0

46:                                               ; preds = %short
  store i64 1, ptr %34, align 1
  %47 = getelementptr i8, ptr %34, i64 8
  store ptr @serow_py_int, ptr %47, align 1
  %48 = ashr i64 %word, 63
  %49 = xor i64 %word, %48
  %50 = sub i64 %49, %48
  %51 = lshr i64 %50, 30
  %52 = and i64 %50, 1073741823
  %53 = shl i64 %51, 32
  %54 = or i64 %52, %53
  %55 = getelementptr i8, ptr %34, i64 24
  store i64 %54, ptr %55, align 1
  %56 = icmp ne i64 %51, 0
  %57 = zext i1 %56 to i64
  %58 = add i64 %57, 1
  %59 = xor i64 %58, %48
  %60 = sub i64 %59, %48
  %61 = getelementptr i8, ptr %34, i64 16
  store i64 %60, ptr %61, align 1
  br label %int

62:                                               ; preds = %long
  br label %int

63:                                               ; preds = %int
  store i64 1, ptr %43, align 1
  %64 = getelementptr i8, ptr %43, i64 8
  store ptr @serow_py_float, ptr %64, align 1
  %65 = getelementptr i8, ptr %43, i64 16
  store i64 %word2, ptr %65, align 1
  %66 = getelementptr i8, ptr %21, i64 32
  store ptr %43, ptr %66, align 1
  %67 = getelementptr i8, ptr %15, i64 4112
  %word3 = load i64, ptr %67, align 1
  %68 = icmp ne i64 %word3, 0
  %69 = select i1 %68, ptr @serow_py_true, ptr @serow_py_false
  %count4 = load i64, ptr %69, align 1
  %70 = add i64 %count4, 1
  store i64 %70, ptr %69, align 1
  %71 = getelementptr i8, ptr %21, i64 40
  store ptr %69, ptr %71, align 1
  %72 = add i64 %8, 1
  br label %next
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_make_int(i64) #0

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 2000, i32 1}
