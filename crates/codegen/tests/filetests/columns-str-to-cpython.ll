; A column of strings is a dictionary in one frame and text in another.
; schema (i64, str)
; from columns to cpython
;
; 0  tuple of 2, acyclic
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

bailout:                                          ; preds = %other8, %short7, %entry, %long, %short, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %join, %start
  %8 = phi i64 [ %2, %start ], [ %83, %join ]
  %9 = icmp ult i64 %8, %3
  br i1 %9, label %10, label %bailout, !prof !0

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
  br i1 %18, label %19, label %bailout, !prof !0

19:                                               ; preds = %10
  %20 = getelementptr i8, ptr %16, i64 112
  call void @llvm.prefetch.p0(ptr %20, i32 0, i32 3, i32 1)
  %21 = getelementptr i8, ptr %16, i64 176
  call void @llvm.prefetch.p0(ptr %21, i32 0, i32 3, i32 1)
  store i64 0, ptr %16, align 1
  %22 = getelementptr i8, ptr %16, i64 8
  store i64 0, ptr %22, align 1
  %23 = getelementptr i8, ptr %16, i64 16
  store i64 1, ptr %23, align 1
  %24 = getelementptr i8, ptr %23, i64 8
  store ptr @serow_py_tuple, ptr %24, align 1
  %25 = getelementptr i8, ptr %23, i64 16
  store i64 2, ptr %25, align 1
  %26 = getelementptr i8, ptr %23, i64 24
  store i64 0, ptr %26, align 1
  %27 = getelementptr i8, ptr %23, i64 32
  store i64 0, ptr %27, align 1
  store ptr %23, ptr %13, align 1
  %word = load i64, ptr %15, align 1
  %28 = sub i64 %word, -5
  %29 = icmp ult i64 %28, 262
  br i1 %29, label %small, label %other

small:                                            ; preds = %19
  %30 = mul i64 %28, 8
  %31 = getelementptr i8, ptr @serow_py_small_ints, i64 %30
  %int1 = load ptr, ptr %31, align 1
  %count = load i64, ptr %int1, align 1
  %32 = add i64 %count, 1
  store i64 %32, ptr %int1, align 1
  br label %int

other:                                            ; preds = %19
  %33 = add i64 %word, 1152921504606846975
  %34 = icmp ult i64 %33, 2305843009213693951
  br i1 %34, label %short, label %long, !prof !0

short:                                            ; preds = %other
  %35 = call ptr @serow_py_malloc(i64 32)
  %36 = ptrtoint ptr %35 to i64
  %37 = icmp ne i64 %36, 0
  br i1 %37, label %46, label %bailout, !prof !0

long:                                             ; preds = %other
  %38 = call ptr @serow_py_make_int(i64 %word)
  %39 = ptrtoint ptr %38 to i64
  %40 = icmp ne i64 %39, 0
  br i1 %40, label %63, label %bailout, !prof !0

int:                                              ; preds = %63, %46, %small
  %41 = phi ptr [ %int1, %small ], [ %35, %46 ], [ %38, %63 ]
  %42 = getelementptr i8, ptr %23, i64 24
  store ptr %41, ptr %42, align 1
  %43 = getelementptr i8, ptr %columns, i64 64
  %44 = getelementptr i8, ptr %43, i64 32
  %is_dictionary = load i64, ptr %44, align 1
  %45 = icmp ne i64 %is_dictionary, 0
  br i1 %45, label %entry, label %text

46:                                               ; preds = %short
  %47 = getelementptr i8, ptr %35, i64 256
  call void @llvm.prefetch.p0(ptr %47, i32 0, i32 3, i32 1)
  store i64 1, ptr %35, align 1
  %48 = getelementptr i8, ptr %35, i64 8
  store ptr @serow_py_int, ptr %48, align 1
  %49 = ashr i64 %word, 63
  %50 = xor i64 %word, %49
  %51 = sub i64 %50, %49
  %52 = lshr i64 %51, 30
  %53 = and i64 %51, 1073741823
  %54 = shl i64 %52, 32
  %55 = or i64 %53, %54
  %56 = getelementptr i8, ptr %35, i64 24
  store i64 %55, ptr %56, align 1
  %57 = icmp ne i64 %52, 0
  %58 = zext i1 %57 to i64
  %59 = add i64 %58, 1
  %60 = xor i64 %59, %49
  %61 = sub i64 %60, %49
  %62 = getelementptr i8, ptr %35, i64 16
  store i64 %61, ptr %62, align 1
  br label %int

63:                                               ; preds = %long
  br label %int

entry:                                            ; preds = %int
  %64 = getelementptr i8, ptr %15, i64 2056
  %word2 = load i64, ptr %64, align 1
  %65 = getelementptr i8, ptr %columns, i64 64
  %66 = getelementptr i8, ptr %65, i64 40
  %entries = load i64, ptr %66, align 1
  %67 = icmp ult i64 %word2, %entries
  br i1 %67, label %84, label %bailout, !prof !0

text:                                             ; preds = %int
  %68 = getelementptr i8, ptr %15, i64 2056
  %69 = getelementptr i8, ptr %columns, i64 64
  %begin = load i64, ptr %68, align 1
  %70 = getelementptr i8, ptr %68, i64 8
  %end = load i64, ptr %70, align 1
  %71 = getelementptr i8, ptr %69, i64 24
  %text6 = load ptr, ptr %71, align 1
  %72 = getelementptr i8, ptr %text6, i64 %begin
  %73 = getelementptr i8, ptr %69, i64 48
  %ascii = load i64, ptr %73, align 1
  %74 = icmp ne i64 %ascii, 0
  %75 = sub i64 %end, %begin
  %76 = ptrtoint ptr %72 to i64
  %77 = and i64 %76, 4095
  %78 = icmp ult i64 %77, 4089
  %79 = sub i64 %75, 2
  %80 = icmp ult i64 %79, 63
  %81 = and i1 %80, %78
  %82 = and i1 %81, %74
  br i1 %82, label %short7, label %other8, !prof !0

join:                                             ; preds = %str, %84
  %83 = add i64 %8, 1
  br label %next

84:                                               ; preds = %entry
  %85 = getelementptr i8, ptr %1, i64 16
  %dictionaries = load ptr, ptr %85, align 1
  %entries3 = load ptr, ptr %dictionaries, align 1
  %86 = mul i64 %word2, 8
  %87 = getelementptr i8, ptr %entries3, i64 %86
  %entry4 = load ptr, ptr %87, align 1
  %count5 = load i64, ptr %entry4, align 1
  %88 = add i64 %count5, 1
  store i64 %88, ptr %entry4, align 1
  %89 = getelementptr i8, ptr %23, i64 32
  store ptr %entry4, ptr %89, align 1
  br label %join

short7:                                           ; preds = %text
  %90 = add i64 %75, 64
  %91 = and i64 %90, -16
  %92 = call ptr @serow_py_malloc(i64 %91)
  %93 = ptrtoint ptr %92 to i64
  %94 = icmp ne i64 %93, 0
  br i1 %94, label %100, label %bailout, !prof !0

other8:                                           ; preds = %text
  %95 = call ptr @serow_py_make_str(ptr %72, i64 %75)
  %96 = ptrtoint ptr %95 to i64
  %97 = icmp ne i64 %96, 0
  br i1 %97, label %133, label %bailout, !prof !0

str:                                              ; preds = %133, %copied
  %98 = phi ptr [ %92, %copied ], [ %95, %133 ]
  %99 = getelementptr i8, ptr %23, i64 32
  store ptr %98, ptr %99, align 1
  br label %join

100:                                              ; preds = %short7
  %101 = getelementptr i8, ptr %92, i64 256
  call void @llvm.prefetch.p0(ptr %101, i32 0, i32 3, i32 1)
  store i64 1, ptr %92, align 1
  %102 = getelementptr i8, ptr %92, i64 8
  store ptr @serow_py_str, ptr %102, align 1
  %103 = getelementptr i8, ptr %92, i64 320
  call void @llvm.prefetch.p0(ptr %103, i32 0, i32 3, i32 1)
  %104 = getelementptr i8, ptr %92, i64 16
  store i64 %75, ptr %104, align 1
  %105 = getelementptr i8, ptr %92, i64 24
  store i64 -1, ptr %105, align 1
  %106 = getelementptr i8, ptr %92, i64 32
  store i64 228, ptr %106, align 1
  %107 = getelementptr i8, ptr %92, i64 40
  store i64 0, ptr %107, align 1
  %108 = getelementptr i8, ptr %92, i64 48
  %109 = icmp ult i64 %75, 8
  br i1 %109, label %word9, label %some

word9:                                            ; preds = %100
  %110 = load i64, ptr %72, align 1
  store i64 %110, ptr %108, align 1
  br label %copied

some:                                             ; preds = %100
  %111 = icmp ult i64 %75, 16
  br i1 %111, label %two, label %more

two:                                              ; preds = %some
  %112 = sub i64 %75, 8
  %113 = getelementptr i8, ptr %72, i64 %112
  %114 = load i64, ptr %113, align 1
  %115 = load i64, ptr %72, align 1
  store i64 %115, ptr %108, align 1
  %116 = getelementptr i8, ptr %108, i64 %112
  store i64 %114, ptr %116, align 1
  br label %copied

more:                                             ; preds = %some
  %117 = sub i64 %75, 16
  %118 = icmp ult i64 %117, 16
  %119 = select i1 %118, i64 %117, i64 16
  %120 = sub i64 %117, 16
  %121 = select i1 %118, i64 0, i64 %120
  %122 = load <16 x i8>, ptr %72, align 1
  store <16 x i8> %122, ptr %108, align 1
  %123 = getelementptr i8, ptr %72, i64 %119
  %124 = load <16 x i8>, ptr %123, align 1
  %125 = getelementptr i8, ptr %108, i64 %119
  store <16 x i8> %124, ptr %125, align 1
  %126 = getelementptr i8, ptr %72, i64 %121
  %127 = load <16 x i8>, ptr %126, align 1
  %128 = getelementptr i8, ptr %108, i64 %121
  store <16 x i8> %127, ptr %128, align 1
  %129 = getelementptr i8, ptr %72, i64 %117
  %130 = load <16 x i8>, ptr %129, align 1
  %131 = getelementptr i8, ptr %108, i64 %117
  store <16 x i8> %130, ptr %131, align 1
  br label %copied

copied:                                           ; preds = %more, %two, %word9
  %132 = getelementptr i8, ptr %108, i64 %75
  store i8 0, ptr %132, align 1
  br label %str

133:                                              ; preds = %other8
  br label %str
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare ptr @serow_py_make_int(i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_make_str(ptr, i64) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
