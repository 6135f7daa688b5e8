; Parts are put where a function finds them that makes the object; the bytes may be an entry of a dictionary.
; schema (decimal,)
; from columns to cpython
;
; 0  tuple of 1, atomic
; 1  decimal, int 0, int 1, str 0
; 2  leave
; 3  end

@serow_py_tuple = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %4 = getelementptr i8, ptr %0, i64 8
  %columns = load ptr, ptr %4, align 1
  %first = load ptr, ptr %0, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next

leave:                                            ; preds = %text, %51, %entry, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %join, %start
  %8 = phi i64 [ %2, %start ], [ %50, %join ]
  %9 = icmp ult i64 %8, %3
  br i1 %9, label %10, label %leave, !prof !0

10:                                               ; preds = %next
  %11 = sub i64 %8, %2
  %12 = mul i64 %11, 8
  %13 = getelementptr i8, ptr %rows, i64 %12
  store i64 0, ptr %13, align 1
  %14 = mul i64 %11, 8
  %15 = getelementptr i8, ptr %first, i64 %14
  %16 = call ptr @serow_py_malloc(i64 48)
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
  store i64 1, ptr %23, align 1
  %24 = getelementptr i8, ptr %21, i64 24
  store i64 0, ptr %24, align 1
  store ptr %21, ptr %13, align 1
  %25 = getelementptr i8, ptr %columns, i64 112
  %26 = getelementptr i8, ptr %25, i64 32
  %is_dictionary = load i64, ptr %26, align 1
  %27 = icmp ne i64 %is_dictionary, 0
  br i1 %27, label %entry, label %text

entry:                                            ; preds = %19
  %word = load i64, ptr %15, align 1
  %28 = getelementptr i8, ptr %15, i64 2056
  %word1 = load i64, ptr %28, align 1
  %29 = getelementptr i8, ptr %15, i64 4112
  %word2 = load i64, ptr %29, align 1
  %30 = getelementptr i8, ptr %columns, i64 112
  %31 = getelementptr i8, ptr %30, i64 40
  %entries = load i64, ptr %31, align 1
  %32 = icmp ult i64 %word2, %entries
  br i1 %32, label %51, label %leave, !prof !0

text:                                             ; preds = %19
  %word3 = load i64, ptr %15, align 1
  %33 = getelementptr i8, ptr %15, i64 2056
  %word4 = load i64, ptr %33, align 1
  %34 = getelementptr i8, ptr %15, i64 4112
  %begin = load i64, ptr %34, align 1
  %35 = getelementptr i8, ptr %34, i64 8
  %end = load i64, ptr %35, align 1
  %36 = getelementptr i8, ptr %columns, i64 112
  %37 = getelementptr i8, ptr %36, i64 24
  %text5 = load ptr, ptr %37, align 1
  %38 = getelementptr i8, ptr %text5, i64 %begin
  %39 = getelementptr i8, ptr %36, i64 48
  %ascii = load i64, ptr %39, align 1
  %40 = icmp ne i64 %ascii, 0
  %41 = sub i64 %end, %begin
  %42 = getelementptr i8, ptr %1, i64 24
  store i64 %word3, ptr %42, align 1
  %43 = getelementptr i8, ptr %42, i64 8
  store i64 %word4, ptr %43, align 1
  %44 = getelementptr i8, ptr %42, i64 40
  store ptr %38, ptr %44, align 1
  %45 = getelementptr i8, ptr %42, i64 48
  store i64 %41, ptr %45, align 1
  %46 = getelementptr i8, ptr %42, i64 56
  store i64 -1, ptr %46, align 1
  %47 = call ptr @serow_py_make_logical(ptr %1, i64 9, i64 0)
  %48 = ptrtoint ptr %47 to i64
  %49 = icmp ne i64 %48, 0
  br i1 %49, label %60, label %leave, !prof !0

join:                                             ; preds = %60, %58
  %50 = add i64 %8, 1
  br label %next

51:                                               ; preds = %entry
  %52 = getelementptr i8, ptr %1, i64 24
  store i64 %word, ptr %52, align 1
  %53 = getelementptr i8, ptr %52, i64 8
  store i64 %word1, ptr %53, align 1
  %54 = getelementptr i8, ptr %52, i64 56
  store i64 %word2, ptr %54, align 1
  %55 = call ptr @serow_py_make_logical(ptr %1, i64 9, i64 0)
  %56 = ptrtoint ptr %55 to i64
  %57 = icmp ne i64 %56, 0
  br i1 %57, label %58, label %leave, !prof !0

58:                                               ; preds = %51
  %59 = getelementptr i8, ptr %21, i64 24
  store ptr %55, ptr %59, align 1
  br label %join

60:                                               ; preds = %text
  %61 = getelementptr i8, ptr %21, i64 24
  store ptr %47, ptr %61, align 1
  br label %join
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_make_logical(ptr, i64, i64) #0

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 2000, i32 1}
