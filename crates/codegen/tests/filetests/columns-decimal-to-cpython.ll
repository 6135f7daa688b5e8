; Parts are put where a function finds them that makes the object; the bytes may be an entry of a dictionary.
; schema (decimal,)
; from columns to cpython
;
; 0  tuple of 1, acyclic
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

bailout:                                          ; preds = %text, %53, %entry, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %join, %start
  %8 = phi i64 [ %2, %start ], [ %52, %join ]
  %9 = icmp ult i64 %8, %3
  br i1 %9, label %10, label %bailout, !prof !0

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
  br i1 %18, label %19, label %bailout, !prof !0

19:                                               ; preds = %10
  %20 = getelementptr i8, ptr %16, i64 96
  call void @llvm.prefetch.p0(ptr %20, i32 0, i32 3, i32 1)
  %21 = getelementptr i8, ptr %16, i64 160
  call void @llvm.prefetch.p0(ptr %21, i32 0, i32 3, i32 1)
  store i64 0, ptr %16, align 1
  %22 = getelementptr i8, ptr %16, i64 8
  store i64 0, ptr %22, align 1
  %23 = getelementptr i8, ptr %16, i64 16
  store i64 1, ptr %23, align 1
  %24 = getelementptr i8, ptr %23, i64 8
  store ptr @serow_py_tuple, ptr %24, align 1
  %25 = getelementptr i8, ptr %23, i64 16
  store i64 1, ptr %25, align 1
  %26 = getelementptr i8, ptr %23, i64 24
  store i64 0, ptr %26, align 1
  store ptr %23, ptr %13, align 1
  %27 = getelementptr i8, ptr %columns, i64 128
  %28 = getelementptr i8, ptr %27, i64 32
  %is_dictionary = load i64, ptr %28, align 1
  %29 = icmp ne i64 %is_dictionary, 0
  br i1 %29, label %entry, label %text

entry:                                            ; preds = %19
  %word = load i64, ptr %15, align 1
  %30 = getelementptr i8, ptr %15, i64 2056
  %word1 = load i64, ptr %30, align 1
  %31 = getelementptr i8, ptr %15, i64 4112
  %word2 = load i64, ptr %31, align 1
  %32 = getelementptr i8, ptr %columns, i64 128
  %33 = getelementptr i8, ptr %32, i64 40
  %entries = load i64, ptr %33, align 1
  %34 = icmp ult i64 %word2, %entries
  br i1 %34, label %53, label %bailout, !prof !0

text:                                             ; preds = %19
  %word3 = load i64, ptr %15, align 1
  %35 = getelementptr i8, ptr %15, i64 2056
  %word4 = load i64, ptr %35, align 1
  %36 = getelementptr i8, ptr %15, i64 4112
  %37 = getelementptr i8, ptr %columns, i64 128
  %begin = load i64, ptr %36, align 1
  %38 = getelementptr i8, ptr %36, i64 8
  %end = load i64, ptr %38, align 1
  %39 = getelementptr i8, ptr %37, i64 24
  %text5 = load ptr, ptr %39, align 1
  %40 = getelementptr i8, ptr %text5, i64 %begin
  %41 = getelementptr i8, ptr %37, i64 48
  %ascii = load i64, ptr %41, align 1
  %42 = icmp ne i64 %ascii, 0
  %43 = sub i64 %end, %begin
  %44 = getelementptr i8, ptr %1, i64 24
  store i64 %word3, ptr %44, align 1
  %45 = getelementptr i8, ptr %44, i64 8
  store i64 %word4, ptr %45, align 1
  %46 = getelementptr i8, ptr %44, i64 40
  store ptr %40, ptr %46, align 1
  %47 = getelementptr i8, ptr %44, i64 48
  store i64 %43, ptr %47, align 1
  %48 = getelementptr i8, ptr %44, i64 56
  store i64 -1, ptr %48, align 1
  %49 = call ptr @serow_py_make_logical(ptr %1, i64 9, i64 0)
  %50 = ptrtoint ptr %49 to i64
  %51 = icmp ne i64 %50, 0
  br i1 %51, label %62, label %bailout, !prof !0

join:                                             ; preds = %62, %60
  %52 = add i64 %8, 1
  br label %next

53:                                               ; preds = %entry
  %54 = getelementptr i8, ptr %1, i64 24
  store i64 %word, ptr %54, align 1
  %55 = getelementptr i8, ptr %54, i64 8
  store i64 %word1, ptr %55, align 1
  %56 = getelementptr i8, ptr %54, i64 56
  store i64 %word2, ptr %56, align 1
  %57 = call ptr @serow_py_make_logical(ptr %1, i64 9, i64 0)
  %58 = ptrtoint ptr %57 to i64
  %59 = icmp ne i64 %58, 0
  br i1 %59, label %60, label %bailout, !prof !0

60:                                               ; preds = %53
  %61 = getelementptr i8, ptr %23, i64 24
  store ptr %57, ptr %61, align 1
  br label %join

62:                                               ; preds = %text
  %63 = getelementptr i8, ptr %23, i64 24
  store ptr %49, ptr %63, align 1
  br label %join
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare ptr @serow_py_make_logical(ptr, i64, i64) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
