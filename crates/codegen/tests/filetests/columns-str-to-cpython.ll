; A column of strings is a dictionary in one frame and text in another.
; schema (i64, str)
; from columns to cpython
;
; 0  tuple of 2, atomic
; 1  i64, int 0
; 2  str, str 0
; 3  leave
; 4  end

@serow_py_tuple = external global i8
@serow_py_small_ints = external global i8
@serow_py_int = external global i8
@serow_py_str = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %4 = getelementptr i8, ptr %0, i64 8
  %columns = load ptr, ptr %4, align 1
  %first = load ptr, ptr %0, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next

leave:                                            ; preds = %other8, %short7, %entry, %long, %short, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %join, %start
  %8 = phi i64 [ %2, %start ], [ %80, %join ]
  %9 = icmp ult i64 %8, %3
  br i1 %9, label %10, label %leave, !prof !0

10:                                               ; preds = %next
  %11 = sub i64 %8, %2
  %12 = mul i64 %11, 8
  %13 = getelementptr i8, ptr %rows, i64 %12
  store i64 0, ptr %13, align 1
  %14 = mul i64 %11, 8
  %15 = getelementptr i8, ptr %first, i64 %14
  %16 = call ptr @serow_py_malloc(i64 56)
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
  store i64 2, ptr %23, align 1
  %24 = getelementptr i8, ptr %21, i64 24
  store i64 0, ptr %24, align 1
  %25 = getelementptr i8, ptr %21, i64 32
  store i64 0, ptr %25, align 1
  store ptr %21, ptr %13, align 1
  %word = load i64, ptr %15, align 1
  %26 = sub i64 %word, -5
  %27 = icmp ult i64 %26, 262
  br i1 %27, label %small, label %other

small:                                            ; preds = %19
  %28 = mul i64 %26, 8
  %29 = getelementptr i8, ptr @serow_py_small_ints, i64 %28
  %int1 = load ptr, ptr %29, align 1
  %count = load i64, ptr %int1, align 1
  %30 = add i64 %count, 1
  store i64 %30, ptr %int1, align 1
  br label %int

other:                                            ; preds = %19
  %31 = add i64 %word, 1152921504606846975
  %32 = icmp ult i64 %31, 2305843009213693951
  br i1 %32, label %short, label %long, !prof !0

short:                                            ; preds = %other
  %33 = call ptr @serow_py_malloc(i64 32)
  %34 = ptrtoint ptr %33 to i64
  %35 = icmp ne i64 %34, 0
  br i1 %35, label %44, label %leave, !prof !0

long:                                             ; preds = %other
  %36 = call ptr @serow_py_make_int(i64 %word)
  %37 = ptrtoint ptr %36 to i64
  %38 = icmp ne i64 %37, 0
  br i1 %38, label %60, label %leave, !prof !0

int:                                              ; preds = %60, %44, %small
  %39 = phi ptr [ %int1, %small ], [ %33, %44 ], [ %36, %60 ]
  %40 = getelementptr i8, ptr %21, i64 24
  store ptr %39, ptr %40, align 1
  %41 = getelementptr i8, ptr %columns, i64 56
  %42 = getelementptr i8, ptr %41, i64 32
  %is_dictionary = load i64, ptr %42, align 1
  %43 = icmp ne i64 %is_dictionary, 0
  br i1 %43, label %entry, label %text

44:                                               ; preds = %short
  store i64 1, ptr %33, align 1
  %45 = getelementptr i8, ptr %33, i64 8
  store ptr @serow_py_int, ptr %45, align 1
  %46 = ashr i64 %word, 63
  %47 = xor i64 %word, %46
  %48 = sub i64 %47, %46
  %49 = lshr i64 %48, 30
  %50 = and i64 %48, 1073741823
  %51 = shl i64 %49, 32
  %52 = or i64 %50, %51
  %53 = getelementptr i8, ptr %33, i64 24
  store i64 %52, ptr %53, align 1
  %54 = icmp ne i64 %49, 0
  %55 = zext i1 %54 to i64
  %56 = add i64 %55, 1
  %57 = xor i64 %56, %46
  %58 = sub i64 %57, %46
  %59 = getelementptr i8, ptr %33, i64 16
  store i64 %58, ptr %59, align 1
  br label %int

60:                                               ; preds = %long
  br label %int

entry:                                            ; preds = %int
  %61 = getelementptr i8, ptr %15, i64 2056
  %word2 = load i64, ptr %61, align 1
  %62 = getelementptr i8, ptr %columns, i64 56
  %63 = getelementptr i8, ptr %62, i64 40
  %entries = load i64, ptr %63, align 1
  %64 = icmp ult i64 %word2, %entries
  br i1 %64, label %81, label %leave, !prof !0

text:                                             ; preds = %int
  %65 = getelementptr i8, ptr %15, i64 2056
  %begin = load i64, ptr %65, align 1
  %66 = getelementptr i8, ptr %65, i64 8
  %end = load i64, ptr %66, align 1
  %67 = getelementptr i8, ptr %columns, i64 56
  %68 = getelementptr i8, ptr %67, i64 24
  %text6 = load ptr, ptr %68, align 1
  %69 = getelementptr i8, ptr %text6, i64 %begin
  %70 = getelementptr i8, ptr %67, i64 48
  %ascii = load i64, ptr %70, align 1
  %71 = icmp ne i64 %ascii, 0
  %72 = sub i64 %end, %begin
  %73 = ptrtoint ptr %69 to i64
  %74 = and i64 %73, 4095
  %75 = icmp ult i64 %74, 4089
  %76 = sub i64 %72, 2
  %77 = icmp ult i64 %76, 63
  %78 = and i1 %77, %75
  %79 = and i1 %78, %71
  br i1 %79, label %short7, label %other8, !prof !0

join:                                             ; preds = %str, %81
  %80 = add i64 %8, 1
  br label %next

81:                                               ; preds = %entry
  %82 = getelementptr i8, ptr %1, i64 16
  %dictionaries = load ptr, ptr %82, align 1
  %entries3 = load ptr, ptr %dictionaries, align 1
  %83 = mul i64 %word2, 8
  %84 = getelementptr i8, ptr %entries3, i64 %83
  %entry4 = load ptr, ptr %84, align 1
  %count5 = load i64, ptr %entry4, align 1
  %85 = add i64 %count5, 1
  store i64 %85, ptr %entry4, align 1
  %86 = getelementptr i8, ptr %21, i64 32
  store ptr %entry4, ptr %86, align 1
  br label %join

short7:                                           ; preds = %text
  %87 = add i64 %72, 64
  %88 = and i64 %87, -16
  %89 = call ptr @serow_py_malloc(i64 %88)
  %90 = ptrtoint ptr %89 to i64
  %91 = icmp ne i64 %90, 0
  br i1 %91, label %97, label %leave, !prof !0

other8:                                           ; preds = %text
  %92 = call ptr @serow_py_make_str(ptr %69, i64 %72)
  %93 = ptrtoint ptr %92 to i64
  %94 = icmp ne i64 %93, 0
  br i1 %94, label %133, label %leave, !prof !0

str:                                              ; preds = %133, %copied
  %95 = phi ptr [ %89, %copied ], [ %92, %133 ]
  %96 = getelementptr i8, ptr %21, i64 32
  store ptr %95, ptr %96, align 1
  br label %join

97:                                               ; preds = %short7
  store i64 1, ptr %89, align 1
  %98 = getelementptr i8, ptr %89, i64 8
  store ptr @serow_py_str, ptr %98, align 1
  %99 = getelementptr i8, ptr %89, i64 16
  store i64 %72, ptr %99, align 1
  %100 = getelementptr i8, ptr %89, i64 24
  store i64 -1, ptr %100, align 1
  %101 = getelementptr i8, ptr %89, i64 32
  store i64 228, ptr %101, align 1
  %102 = getelementptr i8, ptr %89, i64 40
  store i64 0, ptr %102, align 1
  %103 = getelementptr i8, ptr %89, i64 48
  %104 = icmp ult i64 %72, 8
  br i1 %104, label %word9, label %some

word9:                                            ; preds = %97
  %105 = load i64, ptr %69, align 1
  store i64 %105, ptr %103, align 1
  br label %copied

some:                                             ; preds = %97
  %106 = icmp ult i64 %72, 16
  br i1 %106, label %two, label %more

two:                                              ; preds = %some
  %107 = sub i64 %72, 8
  %108 = getelementptr i8, ptr %69, i64 %107
  %109 = load i64, ptr %108, align 1
  %110 = load i64, ptr %69, align 1
  store i64 %110, ptr %103, align 1
  %111 = getelementptr i8, ptr %103, i64 %107
  store i64 %109, ptr %111, align 1
  br label %copied

more:                                             ; preds = %some
  %112 = sub i64 %72, 16
  %113 = icmp ult i64 %112, 16
  %114 = select i1 %113, i64 %112, i64 16
  %115 = sub i64 %112, 16
  %116 = select i1 %113, i64 0, i64 %115
  %117 = getelementptr i8, ptr %103, i64 %114
  %118 = getelementptr i8, ptr %103, i64 %116
  %119 = getelementptr i8, ptr %103, i64 %112
  %120 = sub i64 %72, 16
  %121 = icmp ult i64 %120, 16
  %122 = select i1 %121, i64 %120, i64 16
  %123 = sub i64 %120, 16
  %124 = select i1 %121, i64 0, i64 %123
  %125 = getelementptr i8, ptr %69, i64 %122
  %126 = getelementptr i8, ptr %69, i64 %124
  %127 = getelementptr i8, ptr %69, i64 %120
  %128 = load <16 x i8>, ptr %69, align 1
  store <16 x i8> %128, ptr %103, align 1
  %129 = load <16 x i8>, ptr %125, align 1
  store <16 x i8> %129, ptr %117, align 1
  %130 = load <16 x i8>, ptr %126, align 1
  store <16 x i8> %130, ptr %118, align 1
  %131 = load <16 x i8>, ptr %127, align 1
  store <16 x i8> %131, ptr %119, align 1
  br label %copied

copied:                                           ; preds = %more, %two, %word9
  %132 = getelementptr i8, ptr %103, i64 %72
  store i8 0, ptr %132, align 1
  br label %str

133:                                              ; preds = %other8
  br label %str
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_make_int(i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_make_str(ptr, i64) #0

attributes #0 = { nounwind }

!0 = !{!"branch_weights", i32 2000, i32 1}
