; A map is a number, and then so many keys, each with its value after it.
; schema {i64: bool}
; from flat to row
;
; 0  sequence as map, int 0, to 4, 10 bytes each
; 1  i64, int 1
; 2  bool, bit 0
; 3  next, from 1
; 4  end

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

bailout:                                          ; preds = %138, %132, %after, %91, %element, %62, %45, %36, %30, %24, %next
  %13 = sub i64 %19, %2
  store ptr %20, ptr %0, align 1
  %14 = getelementptr i8, ptr %0, i64 16
  store ptr %21, ptr %14, align 1
  %memory4 = load ptr, ptr %1, align 1
  %start5 = load ptr, ptr %memory4, align 1
  %15 = ptrtoint ptr %start5 to i64
  %16 = ptrtoint ptr %22 to i64
  %17 = sub i64 %16, %15
  %18 = getelementptr i8, ptr %memory4, i64 8
  store i64 %17, ptr %18, align 1
  ret i64 %19

next:                                             ; preds = %142, %start
  %19 = phi i64 [ %2, %start ], [ %144, %142 ]
  %20 = phi ptr [ %slots, %start ], [ %78, %142 ]
  %21 = phi ptr [ %text, %start ], [ %79, %142 ]
  %22 = phi ptr [ %8, %start ], [ %80, %142 ]
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
  %63 = mul i64 %slot, 10
  %64 = ptrtoint ptr %46 to i64
  %65 = ptrtoint ptr %10 to i64
  %66 = sub i64 %65, %64
  %67 = icmp ugt i64 %66, %63
  br i1 %67, label %68, label %bailout, !prof !0

68:                                               ; preds = %62
  %69 = icmp ne i64 %slot, 0
  br i1 %69, label %element, label %after

element:                                          ; preds = %125, %68
  %70 = phi i64 [ 0, %68 ], [ %130, %125 ]
  %71 = phi ptr [ %37, %68 ], [ %126, %125 ]
  %72 = phi ptr [ %21, %68 ], [ %72, %125 ]
  %73 = phi ptr [ %46, %68 ], [ %129, %125 ]
  %74 = ptrtoint ptr %71 to i64
  %75 = ptrtoint ptr %slots_end to i64
  %76 = sub i64 %75, %74
  %77 = icmp uge i64 %76, 8
  br i1 %77, label %85, label %bailout, !prof !0

after:                                            ; preds = %125, %68
  %78 = phi ptr [ %37, %68 ], [ %126, %125 ]
  %79 = phi ptr [ %21, %68 ], [ %72, %125 ]
  %80 = phi ptr [ %46, %68 ], [ %129, %125 ]
  %81 = ptrtoint ptr %80 to i64
  %82 = ptrtoint ptr %10 to i64
  %83 = sub i64 %82, %81
  %84 = icmp ugt i64 %83, 13
  br i1 %84, label %132, label %bailout, !prof !0

85:                                               ; preds = %element
  %slot2 = load i64, ptr %71, align 1
  %86 = getelementptr i8, ptr %71, i64 8
  %87 = shl i64 %slot2, 1
  %88 = ashr i64 %slot2, 63
  %89 = xor i64 %87, %88
  %90 = icmp ult i64 %89, 128
  br i1 %90, label %97, label %102

91:                                               ; preds = %123, %118, %111, %104, %97
  %92 = phi ptr [ %101, %97 ], [ %108, %104 ], [ %115, %111 ], [ %122, %118 ], [ %124, %123 ]
  %93 = ptrtoint ptr %86 to i64
  %94 = ptrtoint ptr %slots_end to i64
  %95 = sub i64 %94, %93
  %96 = icmp uge i64 %95, 8
  br i1 %96, label %125, label %bailout, !prof !0

97:                                               ; preds = %85
  %98 = shl i64 %89, 1
  %99 = or i64 %98, 1
  %100 = trunc i64 %99 to i8
  store i8 %100, ptr %73, align 1
  %101 = getelementptr i8, ptr %73, i64 1
  br label %91

102:                                              ; preds = %85
  %103 = icmp ult i64 %89, 16384
  br i1 %103, label %104, label %109

104:                                              ; preds = %102
  %105 = shl i64 %89, 2
  %106 = or i64 %105, 2
  %107 = trunc i64 %106 to i16
  store i16 %107, ptr %73, align 1
  %108 = getelementptr i8, ptr %73, i64 2
  br label %91

109:                                              ; preds = %102
  %110 = icmp ult i64 %89, 2097152
  br i1 %110, label %111, label %116

111:                                              ; preds = %109
  %112 = shl i64 %89, 3
  %113 = or i64 %112, 4
  %114 = trunc i64 %113 to i32
  store i32 %114, ptr %73, align 1
  %115 = getelementptr i8, ptr %73, i64 3
  br label %91

116:                                              ; preds = %109
  %117 = icmp ult i64 %89, 268435456
  br i1 %117, label %118, label %123

118:                                              ; preds = %116
  %119 = shl i64 %89, 4
  %120 = or i64 %119, 8
  %121 = trunc i64 %120 to i32
  store i32 %121, ptr %73, align 1
  %122 = getelementptr i8, ptr %73, i64 4
  br label %91

123:                                              ; preds = %116
  %124 = call preserve_mostcc ptr @long_varint(ptr %73, i64 %89)
  br label %91

125:                                              ; preds = %91
  %slot3 = load i64, ptr %86, align 1
  %126 = getelementptr i8, ptr %86, i64 8
  %127 = icmp ne i64 %slot3, 0
  %128 = zext i1 %127 to i8
  store i8 %128, ptr %92, align 1
  %129 = getelementptr i8, ptr %92, i64 1
  %130 = add i64 %70, 1
  %131 = icmp ult i64 %130, %slot
  br i1 %131, label %element, label %after

132:                                              ; preds = %after
  %133 = ptrtoint ptr %22 to i64
  %134 = ptrtoint ptr %80 to i64
  %135 = sub i64 %134, %133
  %136 = sub i64 %135, 4
  %137 = icmp ult i64 %136, 4294967232
  br i1 %137, label %138, label %bailout, !prof !0

138:                                              ; preds = %132
  %139 = ptrtoint ptr %80 to i64
  %140 = ptrtoint ptr %12 to i64
  %141 = icmp ult i64 %139, %140
  br i1 %141, label %142, label %bailout, !prof !0

142:                                              ; preds = %138
  %143 = trunc i64 %136 to i32
  store i32 %143, ptr %22, align 1
  %144 = add i64 %19, 1
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
