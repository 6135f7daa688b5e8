; Text is looked at, and the string is made, by overlapping words.
; schema str
; from row to cpython
;
; 0  str, str 0
; 1  end

@serow_py_str = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %next = load ptr, ptr %0, align 1
  %4 = getelementptr i8, ptr %0, i64 8
  %end = load ptr, ptr %4, align 1
  %5 = getelementptr i8, ptr %0, i64 16
  %readable = load ptr, ptr %5, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next1

bailout:                                          ; preds = %str, %other3, %short2, %other, %35, %26, %19, %11, %next1
  %6 = sub i64 %8, %2
  store ptr %9, ptr %0, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %6, ptr %7, align 1
  ret i64 %8

next1:                                            ; preds = %126, %start
  %8 = phi i64 [ %2, %start ], [ %127, %126 ]
  %9 = phi ptr [ %next, %start ], [ %60, %126 ]
  %10 = icmp ult i64 %8, %3
  br i1 %10, label %11, label %bailout, !prof !0

11:                                               ; preds = %next1
  %12 = sub i64 %8, %2
  %13 = mul i64 %12, 8
  %14 = getelementptr i8, ptr %rows, i64 %13
  store i64 0, ptr %14, align 1
  %15 = ptrtoint ptr %9 to i64
  %16 = ptrtoint ptr %readable to i64
  %17 = sub i64 %16, %15
  %18 = icmp uge i64 %17, 4
  br i1 %18, label %19, label %bailout, !prof !0

19:                                               ; preds = %11
  %20 = getelementptr i8, ptr %9, i64 4
  %len = load i32, ptr %9, align 1
  %21 = zext i32 %len to i64
  %22 = ptrtoint ptr %20 to i64
  %23 = ptrtoint ptr %end to i64
  %24 = sub i64 %23, %22
  %25 = icmp sge i64 %24, %21
  br i1 %25, label %26, label %bailout, !prof !0

26:                                               ; preds = %19
  %27 = getelementptr i8, ptr %20, i64 %21
  %28 = ptrtoint ptr %20 to i64
  %29 = ptrtoint ptr %readable to i64
  %30 = sub i64 %29, %28
  %31 = icmp uge i64 %30, 9
  br i1 %31, label %32, label %bailout, !prof !0

32:                                               ; preds = %26
  %varint = load i64, ptr %20, align 1
  %33 = and i64 %varint, 1
  %34 = icmp ne i64 %33, 0
  br i1 %34, label %42, label %46

35:                                               ; preds = %53, %49, %42
  %36 = phi i64 [ %44, %42 ], [ %51, %49 ], [ %56, %53 ]
  %37 = phi ptr [ %45, %42 ], [ %52, %49 ], [ %58, %53 ]
  %38 = ptrtoint ptr %37 to i64
  %39 = ptrtoint ptr %readable to i64
  %40 = sub i64 %39, %38
  %41 = icmp uge i64 %40, %36
  br i1 %41, label %59, label %bailout, !prof !0

42:                                               ; preds = %32
  %43 = lshr i64 %varint, 1
  %44 = and i64 %43, 127
  %45 = getelementptr i8, ptr %20, i64 1
  br label %35

46:                                               ; preds = %32
  %47 = and i64 %varint, 2
  %48 = icmp ne i64 %47, 0
  br i1 %48, label %49, label %53

49:                                               ; preds = %46
  %50 = lshr i64 %varint, 2
  %51 = and i64 %50, 16383
  %52 = getelementptr i8, ptr %20, i64 2
  br label %35

53:                                               ; preds = %46
  %54 = or i64 %varint, 256
  %55 = call i64 @llvm.cttz.i64(i64 %54, i1 true)
  %56 = call preserve_mostcc i64 @long_varint_at(ptr %20, i64 %55)
  %57 = getelementptr i8, ptr %20, i64 %55
  %58 = getelementptr i8, ptr %57, i64 1
  br label %35

59:                                               ; preds = %35
  %60 = getelementptr i8, ptr %37, i64 %36
  %61 = ptrtoint ptr %37 to i64
  %62 = ptrtoint ptr %readable to i64
  %63 = sub i64 %62, %61
  %64 = sub i64 %36, 1
  %65 = icmp ult i64 %64, 64
  %66 = icmp uge i64 %63, 8
  %67 = and i1 %65, %66
  br i1 %67, label %short, label %other, !prof !0

short:                                            ; preds = %59
  %68 = call preserve_mostcc i64 @has_high_bits(ptr %37, i64 %36)
  %69 = icmp eq i64 %68, 0
  br i1 %69, label %ascii, label %other, !prof !0

other:                                            ; preds = %short, %59
  %70 = call i8 @serow_text(ptr %37, i64 %36)
  %71 = icmp ne i8 %70, 0
  br i1 %71, label %80, label %bailout, !prof !0

ascii:                                            ; preds = %80, %short
  %72 = phi i1 [ true, %short ], [ %81, %80 ]
  %73 = ptrtoint ptr %37 to i64
  %74 = and i64 %73, 4095
  %75 = icmp ult i64 %74, 4089
  %76 = sub i64 %36, 2
  %77 = icmp ult i64 %76, 63
  %78 = and i1 %77, %75
  %79 = and i1 %78, %72
  br i1 %79, label %short2, label %other3, !prof !0

80:                                               ; preds = %other
  %81 = icmp eq i8 %70, 2
  br label %ascii

short2:                                           ; preds = %ascii
  %82 = add i64 %36, 64
  %83 = and i64 %82, -16
  %84 = call ptr @serow_py_malloc(i64 %83)
  %85 = ptrtoint ptr %84 to i64
  %86 = icmp ne i64 %85, 0
  br i1 %86, label %92, label %bailout, !prof !0

other3:                                           ; preds = %ascii
  %87 = call ptr @serow_py_make_str(ptr %37, i64 %36)
  %88 = ptrtoint ptr %87 to i64
  %89 = icmp ne i64 %88, 0
  br i1 %89, label %125, label %bailout, !prof !0

str:                                              ; preds = %125, %copied
  %90 = phi ptr [ %84, %copied ], [ %87, %125 ]
  store ptr %90, ptr %14, align 1
  %91 = icmp eq ptr %60, %27
  br i1 %91, label %126, label %bailout, !prof !0

92:                                               ; preds = %short2
  %93 = getelementptr i8, ptr %84, i64 256
  call void @llvm.prefetch.p0(ptr %93, i32 0, i32 3, i32 1)
  store i64 1, ptr %84, align 1
  %94 = getelementptr i8, ptr %84, i64 8
  store ptr @serow_py_str, ptr %94, align 1
  %95 = getelementptr i8, ptr %84, i64 320
  call void @llvm.prefetch.p0(ptr %95, i32 0, i32 3, i32 1)
  %96 = getelementptr i8, ptr %84, i64 16
  store i64 %36, ptr %96, align 1
  %97 = getelementptr i8, ptr %84, i64 24
  store i64 -1, ptr %97, align 1
  %98 = getelementptr i8, ptr %84, i64 32
  store i64 228, ptr %98, align 1
  %99 = getelementptr i8, ptr %84, i64 40
  store i64 0, ptr %99, align 1
  %100 = getelementptr i8, ptr %84, i64 48
  %101 = icmp ult i64 %36, 8
  br i1 %101, label %word, label %some

word:                                             ; preds = %92
  %102 = load i64, ptr %37, align 1
  store i64 %102, ptr %100, align 1
  br label %copied

some:                                             ; preds = %92
  %103 = icmp ult i64 %36, 16
  br i1 %103, label %two, label %more

two:                                              ; preds = %some
  %104 = sub i64 %36, 8
  %105 = getelementptr i8, ptr %37, i64 %104
  %106 = load i64, ptr %105, align 1
  %107 = load i64, ptr %37, align 1
  store i64 %107, ptr %100, align 1
  %108 = getelementptr i8, ptr %100, i64 %104
  store i64 %106, ptr %108, align 1
  br label %copied

more:                                             ; preds = %some
  %109 = sub i64 %36, 16
  %110 = icmp ult i64 %109, 16
  %111 = select i1 %110, i64 %109, i64 16
  %112 = sub i64 %109, 16
  %113 = select i1 %110, i64 0, i64 %112
  %114 = load <16 x i8>, ptr %37, align 1
  store <16 x i8> %114, ptr %100, align 1
  %115 = getelementptr i8, ptr %37, i64 %111
  %116 = load <16 x i8>, ptr %115, align 1
  %117 = getelementptr i8, ptr %100, i64 %111
  store <16 x i8> %116, ptr %117, align 1
  %118 = getelementptr i8, ptr %37, i64 %113
  %119 = load <16 x i8>, ptr %118, align 1
  %120 = getelementptr i8, ptr %100, i64 %113
  store <16 x i8> %119, ptr %120, align 1
  %121 = getelementptr i8, ptr %37, i64 %109
  %122 = load <16 x i8>, ptr %121, align 1
  %123 = getelementptr i8, ptr %100, i64 %109
  store <16 x i8> %122, ptr %123, align 1
  br label %copied

copied:                                           ; preds = %more, %two, %word
  %124 = getelementptr i8, ptr %100, i64 %36
  store i8 0, ptr %124, align 1
  br label %str

125:                                              ; preds = %other3
  br label %str

126:                                              ; preds = %str
  %127 = add i64 %8, 1
  br label %next1
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.cttz.i64(i64, i1 immarg) #1

; Function Attrs: nounwind
define internal preserve_mostcc i64 @long_varint_at(ptr %0, i64 %1) #0 {
start:
  %2 = icmp ult i64 %1, 8
  br i1 %2, label %some, label %all

some:                                             ; preds = %start
  %3 = add i64 %1, 1
  %word = load i64, ptr %0, align 1
  %4 = mul i64 %3, 8
  %5 = sub i64 64, %4
  %6 = shl i64 %word, %5
  %7 = mul i64 %3, 7
  %8 = sub i64 64, %7
  %9 = lshr i64 %6, %8
  ret i64 %9

all:                                              ; preds = %start
  %10 = getelementptr i8, ptr %0, i64 1
  %word1 = load i64, ptr %10, align 1
  ret i64 %word1
}

; Function Attrs: nounwind
define internal preserve_mostcc i64 @has_high_bits(ptr %0, i64 %1) #0 {
start:
  %2 = icmp ult i64 %1, 8
  br i1 %2, label %word, label %some

word:                                             ; preds = %start
  %3 = shl i64 %1, 3
  %4 = sub i64 64, %3
  %5 = load i64, ptr %0, align 1
  %6 = shl i64 %5, %4
  %7 = and i64 %6, -9187201950435737472
  ret i64 %7

some:                                             ; preds = %start
  %8 = icmp ult i64 %1, 16
  br i1 %8, label %two, label %more

two:                                              ; preds = %some
  %9 = sub i64 %1, 8
  %10 = getelementptr i8, ptr %0, i64 %9
  %11 = load i64, ptr %0, align 1
  %12 = load i64, ptr %10, align 1
  %13 = or i64 %11, %12
  %14 = and i64 %13, -9187201950435737472
  ret i64 %14

more:                                             ; preds = %some
  %15 = sub i64 %1, 16
  %16 = icmp ult i64 %15, 16
  %17 = select i1 %16, i64 %15, i64 16
  %18 = sub i64 %15, 16
  %19 = select i1 %16, i64 0, i64 %18
  %20 = load i64, ptr %0, align 1
  %21 = getelementptr i8, ptr %0, i64 8
  %22 = load i64, ptr %21, align 1
  %23 = or i64 %20, %22
  %24 = or i64 0, %23
  %25 = getelementptr i8, ptr %0, i64 %17
  %26 = load i64, ptr %25, align 1
  %27 = getelementptr i8, ptr %25, i64 8
  %28 = load i64, ptr %27, align 1
  %29 = or i64 %26, %28
  %30 = or i64 %24, %29
  %31 = getelementptr i8, ptr %0, i64 %19
  %32 = load i64, ptr %31, align 1
  %33 = getelementptr i8, ptr %31, i64 8
  %34 = load i64, ptr %33, align 1
  %35 = or i64 %32, %34
  %36 = or i64 %30, %35
  %37 = getelementptr i8, ptr %0, i64 %15
  %38 = load i64, ptr %37, align 1
  %39 = getelementptr i8, ptr %37, i64 8
  %40 = load i64, ptr %39, align 1
  %41 = or i64 %38, %40
  %42 = or i64 %36, %41
  %43 = and i64 %42, -9187201950435737472
  ret i64 %43
}

; Function Attrs: nounwind
declare i8 @serow_text(ptr, i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #2

; Function Attrs: nounwind
declare ptr @serow_py_make_str(ptr, i64) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
