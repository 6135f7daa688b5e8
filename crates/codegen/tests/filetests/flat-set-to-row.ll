; A set is a number, and then so many elements.
; schema frozenset{i64}
; from flat to row
;
; 0  sequence as frozenset, int 0, to 3, 9 bytes each
; 1  i64, int 1
; 2  next, from 1
; 3  end

define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %slots = load ptr, ptr %0, align 1
  %4 = getelementptr i8, ptr %0, i64 8
  %slots_end = load ptr, ptr %4, align 1
  %5 = getelementptr i8, ptr %0, i64 16
  %text = load ptr, ptr %5, align 1
  %6 = getelementptr i8, ptr %0, i64 24
  %text_end = load ptr, ptr %6, align 1
  %memory = load ptr, ptr %1, align 1
  %start1 = load ptr, ptr %memory, align 1
  %7 = getelementptr i8, ptr %memory, i64 8
  %len = load i64, ptr %7, align 1
  %8 = getelementptr i8, ptr %start1, i64 %len
  %9 = getelementptr i8, ptr %memory, i64 16
  %limit = load i64, ptr %9, align 1
  %10 = getelementptr i8, ptr %start1, i64 %limit
  %11 = getelementptr i8, ptr %1, i64 8
  %full = load i64, ptr %11, align 1
  %12 = getelementptr i8, ptr %start1, i64 %full
  br label %next

bailout:                                          ; preds = %129, %123, %after, %element, %62, %45, %36, %30, %24, %next
  %13 = sub i64 %19, %2
  store ptr %20, ptr %0, align 1
  %14 = getelementptr i8, ptr %0, i64 16
  store ptr %21, ptr %14, align 1
  %memory3 = load ptr, ptr %1, align 1
  %start4 = load ptr, ptr %memory3, align 1
  %15 = ptrtoint ptr %start4 to i64
  %16 = ptrtoint ptr %22 to i64
  %17 = sub i64 %16, %15
  %18 = getelementptr i8, ptr %memory3, i64 8
  store i64 %17, ptr %18, align 1
  ret i64 %19

next:                                             ; preds = %133, %start
  %19 = phi i64 [ %2, %start ], [ %135, %133 ]
  %20 = phi ptr [ %slots, %start ], [ %78, %133 ]
  %21 = phi ptr [ %text, %start ], [ %79, %133 ]
  %22 = phi ptr [ %8, %start ], [ %80, %133 ]
  %23 = icmp ult i64 %19, %3
  br i1 %23, label %24, label %bailout, !prof !0

24:                                               ; preds = %next
  %25 = sub i64 %19, %2
  %26 = ptrtoint ptr %22 to i64
  %27 = ptrtoint ptr %10 to i64
  %28 = sub i64 %27, %26
  %29 = icmp ugt i64 %28, 13
  br i1 %29, label %30, label %bailout, !prof !0

30:                                               ; preds = %24
  %31 = getelementptr i8, ptr %22, i64 4
  %32 = ptrtoint ptr %20 to i64
  %33 = ptrtoint ptr %slots_end to i64
  %34 = sub i64 %33, %32
  %35 = icmp uge i64 %34, 8
  br i1 %35, label %36, label %bailout, !prof !0

36:                                               ; preds = %30
  %slot = load i64, ptr %20, align 1
  %37 = getelementptr i8, ptr %20, i64 8
  %38 = ptrtoint ptr %37 to i64
  %39 = ptrtoint ptr %slots_end to i64
  %40 = sub i64 %39, %38
  %41 = lshr i64 %40, 3
  %42 = icmp ule i64 %slot, %41
  br i1 %42, label %43, label %bailout, !prof !0

43:                                               ; preds = %36
  %44 = icmp ult i64 %slot, 128
  br i1 %44, label %48, label %53

45:                                               ; preds = %60, %55, %48
  %46 = phi ptr [ %52, %48 ], [ %59, %55 ], [ %61, %60 ]
  %47 = icmp ult i64 %slot, 4294967296
  br i1 %47, label %62, label %bailout, !prof !0

48:                                               ; preds = %43
  %49 = shl i64 %slot, 1
  %50 = or i64 %49, 1
  %51 = trunc i64 %50 to i8
  store i8 %51, ptr %31, align 1
  %52 = getelementptr i8, ptr %31, i64 1
  br label %45

53:                                               ; preds = %43
  %54 = icmp ult i64 %slot, 16384
  br i1 %54, label %55, label %60

55:                                               ; preds = %53
  %56 = shl i64 %slot, 2
  %57 = or i64 %56, 2
  %58 = trunc i64 %57 to i16
  store i16 %58, ptr %31, align 1
  %59 = getelementptr i8, ptr %31, i64 2
  br label %45

60:                                               ; preds = %53
  %61 = call preserve_mostcc ptr @long_varint(ptr %31, i64 %slot)
  br label %45

62:                                               ; preds = %45
  %63 = mul i64 %slot, 9
  %64 = ptrtoint ptr %46 to i64
  %65 = ptrtoint ptr %10 to i64
  %66 = sub i64 %65, %64
  %67 = icmp ugt i64 %66, %63
  br i1 %67, label %68, label %bailout, !prof !0

68:                                               ; preds = %62
  %69 = icmp ne i64 %slot, 0
  br i1 %69, label %element, label %after

element:                                          ; preds = %91, %68
  %70 = phi i64 [ 0, %68 ], [ %93, %91 ]
  %71 = phi ptr [ %37, %68 ], [ %86, %91 ]
  %72 = phi ptr [ %21, %68 ], [ %72, %91 ]
  %73 = phi ptr [ %46, %68 ], [ %92, %91 ]
  %74 = ptrtoint ptr %71 to i64
  %75 = ptrtoint ptr %slots_end to i64
  %76 = sub i64 %75, %74
  %77 = icmp uge i64 %76, 8
  br i1 %77, label %85, label %bailout, !prof !0

after:                                            ; preds = %91, %68
  %78 = phi ptr [ %37, %68 ], [ %86, %91 ]
  %79 = phi ptr [ %21, %68 ], [ %72, %91 ]
  %80 = phi ptr [ %46, %68 ], [ %92, %91 ]
  %81 = ptrtoint ptr %80 to i64
  %82 = ptrtoint ptr %10 to i64
  %83 = sub i64 %82, %81
  %84 = icmp ugt i64 %83, 13
  br i1 %84, label %123, label %bailout, !prof !0

85:                                               ; preds = %element
  %slot2 = load i64, ptr %71, align 1
  %86 = getelementptr i8, ptr %71, i64 8
  %87 = shl i64 %slot2, 1
  %88 = ashr i64 %slot2, 63
  %89 = xor i64 %87, %88
  %90 = icmp ult i64 %89, 128
  br i1 %90, label %95, label %100

91:                                               ; preds = %121, %116, %109, %102, %95
  %92 = phi ptr [ %99, %95 ], [ %106, %102 ], [ %113, %109 ], [ %120, %116 ], [ %122, %121 ]
  %93 = add i64 %70, 1
  %94 = icmp ult i64 %93, %slot
  br i1 %94, label %element, label %after

95:                                               ; preds = %85
  %96 = shl i64 %89, 1
  %97 = or i64 %96, 1
  %98 = trunc i64 %97 to i8
  store i8 %98, ptr %73, align 1
  %99 = getelementptr i8, ptr %73, i64 1
  br label %91

100:                                              ; preds = %85
  %101 = icmp ult i64 %89, 16384
  br i1 %101, label %102, label %107

102:                                              ; preds = %100
  %103 = shl i64 %89, 2
  %104 = or i64 %103, 2
  %105 = trunc i64 %104 to i16
  store i16 %105, ptr %73, align 1
  %106 = getelementptr i8, ptr %73, i64 2
  br label %91

107:                                              ; preds = %100
  %108 = icmp ult i64 %89, 2097152
  br i1 %108, label %109, label %114

109:                                              ; preds = %107
  %110 = shl i64 %89, 3
  %111 = or i64 %110, 4
  %112 = trunc i64 %111 to i32
  store i32 %112, ptr %73, align 1
  %113 = getelementptr i8, ptr %73, i64 3
  br label %91

114:                                              ; preds = %107
  %115 = icmp ult i64 %89, 268435456
  br i1 %115, label %116, label %121

116:                                              ; preds = %114
  %117 = shl i64 %89, 4
  %118 = or i64 %117, 8
  %119 = trunc i64 %118 to i32
  store i32 %119, ptr %73, align 1
  %120 = getelementptr i8, ptr %73, i64 4
  br label %91

121:                                              ; preds = %114
  %122 = call preserve_mostcc ptr @long_varint(ptr %73, i64 %89)
  br label %91

123:                                              ; preds = %after
  %124 = ptrtoint ptr %22 to i64
  %125 = ptrtoint ptr %80 to i64
  %126 = sub i64 %125, %124
  %127 = sub i64 %126, 4
  %128 = icmp ult i64 %127, 4294967232
  br i1 %128, label %129, label %bailout, !prof !0

129:                                              ; preds = %123
  %130 = ptrtoint ptr %80 to i64
  %131 = ptrtoint ptr %12 to i64
  %132 = icmp ult i64 %130, %131
  br i1 %132, label %133, label %bailout, !prof !0

133:                                              ; preds = %129
  %134 = trunc i64 %127 to i32
  store i32 %134, ptr %22, align 1
  %135 = add i64 %19, 1
  br label %next
}

; Function Attrs: nounwind
define internal preserve_mostcc ptr @long_varint(ptr %0, i64 %1) #0 {
start:
  %2 = call i64 @llvm.ctlz.i64(i64 %1, i1 true)
  %3 = sub i64 64, %2
  %4 = icmp ult i64 %3, 57
  br i1 %4, label %some, label %all

some:                                             ; preds = %start
  %5 = add i64 %3, 6
  %6 = mul i64 %5, 37
  %7 = lshr i64 %6, 8
  %8 = sub i64 %7, 1
  %9 = shl i64 1, %8
  %10 = shl i64 %1, %7
  %11 = or i64 %10, %9
  store i64 %11, ptr %0, align 1
  %12 = getelementptr i8, ptr %0, i64 %7
  ret ptr %12

all:                                              ; preds = %start
  store i8 0, ptr %0, align 1
  %13 = getelementptr i8, ptr %0, i64 1
  store i64 %1, ptr %13, align 1
  %14 = getelementptr i8, ptr %0, i64 9
  ret ptr %14
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.ctlz.i64(i64, i1 immarg) #1

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
