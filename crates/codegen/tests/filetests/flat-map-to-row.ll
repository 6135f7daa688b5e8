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
  %7 = getelementptr i8, ptr %0, i64 32
  %bytes = load ptr, ptr %7, align 1
  %8 = getelementptr i8, ptr %0, i64 40
  %bytes_end = load ptr, ptr %8, align 1
  %memory = load ptr, ptr %1, align 1
  %start1 = load ptr, ptr %memory, align 1
  %9 = getelementptr i8, ptr %memory, i64 8
  %len = load i64, ptr %9, align 1
  %10 = getelementptr i8, ptr %start1, i64 %len
  %11 = getelementptr i8, ptr %memory, i64 16
  %limit = load i64, ptr %11, align 1
  %12 = getelementptr i8, ptr %start1, i64 %limit
  %13 = getelementptr i8, ptr %1, i64 8
  %full = load i64, ptr %13, align 1
  %14 = getelementptr i8, ptr %start1, i64 %full
  br label %next

leave:                                            ; preds = %144, %138, %after, %97, %element, %66, %49, %40, %34, %28, %next
  %15 = sub i64 %22, %2
  store ptr %23, ptr %0, align 1
  %16 = getelementptr i8, ptr %0, i64 16
  store ptr %24, ptr %16, align 1
  %17 = getelementptr i8, ptr %0, i64 32
  store ptr %25, ptr %17, align 1
  %memory4 = load ptr, ptr %1, align 1
  %start5 = load ptr, ptr %memory4, align 1
  %18 = ptrtoint ptr %start5 to i64
  %19 = ptrtoint ptr %26 to i64
  %20 = sub i64 %19, %18
  %21 = getelementptr i8, ptr %memory4, i64 8
  store i64 %20, ptr %21, align 1
  ret i64 %22

next:                                             ; preds = %148, %start
  %22 = phi i64 [ %2, %start ], [ %150, %148 ]
  %23 = phi ptr [ %slots, %start ], [ %83, %148 ]
  %24 = phi ptr [ %text, %start ], [ %84, %148 ]
  %25 = phi ptr [ %bytes, %start ], [ %85, %148 ]
  %26 = phi ptr [ %10, %start ], [ %86, %148 ]
  %27 = icmp ult i64 %22, %3
  br i1 %27, label %28, label %leave, !prof !0

28:                                               ; preds = %next
  %29 = sub i64 %22, %2
  %30 = ptrtoint ptr %26 to i64
  %31 = ptrtoint ptr %12 to i64
  %32 = sub i64 %31, %30
  %33 = icmp ugt i64 %32, 13
  br i1 %33, label %34, label %leave, !prof !0

34:                                               ; preds = %28
  %35 = getelementptr i8, ptr %26, i64 4
  %36 = ptrtoint ptr %23 to i64
  %37 = ptrtoint ptr %slots_end to i64
  %38 = sub i64 %37, %36
  %39 = icmp uge i64 %38, 8
  br i1 %39, label %40, label %leave, !prof !0

40:                                               ; preds = %34
  %slot = load i64, ptr %23, align 1
  %41 = getelementptr i8, ptr %23, i64 8
  %42 = ptrtoint ptr %41 to i64
  %43 = ptrtoint ptr %slots_end to i64
  %44 = sub i64 %43, %42
  %45 = lshr i64 %44, 3
  %46 = icmp ule i64 %slot, %45
  br i1 %46, label %47, label %leave, !prof !0

47:                                               ; preds = %40
  %48 = icmp ult i64 %slot, 128
  br i1 %48, label %52, label %57

49:                                               ; preds = %64, %59, %52
  %50 = phi ptr [ %56, %52 ], [ %63, %59 ], [ %65, %64 ]
  %51 = icmp ult i64 %slot, 4294967296
  br i1 %51, label %66, label %leave, !prof !0

52:                                               ; preds = %47
  %53 = shl i64 %slot, 1
  %54 = or i64 %53, 1
  %55 = trunc i64 %54 to i8
  store i8 %55, ptr %35, align 1
  %56 = getelementptr i8, ptr %35, i64 1
  br label %49

57:                                               ; preds = %47
  %58 = icmp ult i64 %slot, 16384
  br i1 %58, label %59, label %64

59:                                               ; preds = %57
  %60 = shl i64 %slot, 2
  %61 = or i64 %60, 2
  %62 = trunc i64 %61 to i16
  store i16 %62, ptr %35, align 1
  %63 = getelementptr i8, ptr %35, i64 2
  br label %49

64:                                               ; preds = %57
  %65 = call preserve_mostcc ptr @long_varint(ptr %35, i64 %slot)
  br label %49

66:                                               ; preds = %49
  %67 = mul i64 %slot, 10
  %68 = ptrtoint ptr %50 to i64
  %69 = ptrtoint ptr %12 to i64
  %70 = sub i64 %69, %68
  %71 = icmp ugt i64 %70, %67
  br i1 %71, label %72, label %leave, !prof !0

72:                                               ; preds = %66
  %73 = icmp ne i64 %slot, 0
  br i1 %73, label %element, label %after

element:                                          ; preds = %131, %72
  %74 = phi i64 [ 0, %72 ], [ %136, %131 ]
  %75 = phi ptr [ %41, %72 ], [ %132, %131 ]
  %76 = phi ptr [ %24, %72 ], [ %76, %131 ]
  %77 = phi ptr [ %25, %72 ], [ %77, %131 ]
  %78 = phi ptr [ %50, %72 ], [ %135, %131 ]
  %79 = ptrtoint ptr %75 to i64
  %80 = ptrtoint ptr %slots_end to i64
  %81 = sub i64 %80, %79
  %82 = icmp uge i64 %81, 8
  br i1 %82, label %91, label %leave, !prof !0

after:                                            ; preds = %131, %72
  %83 = phi ptr [ %41, %72 ], [ %132, %131 ]
  %84 = phi ptr [ %24, %72 ], [ %76, %131 ]
  %85 = phi ptr [ %25, %72 ], [ %77, %131 ]
  %86 = phi ptr [ %50, %72 ], [ %135, %131 ]
  %87 = ptrtoint ptr %86 to i64
  %88 = ptrtoint ptr %12 to i64
  %89 = sub i64 %88, %87
  %90 = icmp ugt i64 %89, 13
  br i1 %90, label %138, label %leave, !prof !0

91:                                               ; preds = %element
  %slot2 = load i64, ptr %75, align 1
  %92 = getelementptr i8, ptr %75, i64 8
  %93 = shl i64 %slot2, 1
  %94 = ashr i64 %slot2, 63
  %95 = xor i64 %93, %94
  %96 = icmp ult i64 %95, 128
  br i1 %96, label %103, label %108

97:                                               ; preds = %129, %124, %117, %110, %103
  %98 = phi ptr [ %107, %103 ], [ %114, %110 ], [ %121, %117 ], [ %128, %124 ], [ %130, %129 ]
  %99 = ptrtoint ptr %92 to i64
  %100 = ptrtoint ptr %slots_end to i64
  %101 = sub i64 %100, %99
  %102 = icmp uge i64 %101, 8
  br i1 %102, label %131, label %leave, !prof !0

103:                                              ; preds = %91
  %104 = shl i64 %95, 1
  %105 = or i64 %104, 1
  %106 = trunc i64 %105 to i8
  store i8 %106, ptr %78, align 1
  %107 = getelementptr i8, ptr %78, i64 1
  br label %97

108:                                              ; preds = %91
  %109 = icmp ult i64 %95, 16384
  br i1 %109, label %110, label %115

110:                                              ; preds = %108
  %111 = shl i64 %95, 2
  %112 = or i64 %111, 2
  %113 = trunc i64 %112 to i16
  store i16 %113, ptr %78, align 1
  %114 = getelementptr i8, ptr %78, i64 2
  br label %97

115:                                              ; preds = %108
  %116 = icmp ult i64 %95, 2097152
  br i1 %116, label %117, label %122

117:                                              ; preds = %115
  %118 = shl i64 %95, 3
  %119 = or i64 %118, 4
  %120 = trunc i64 %119 to i32
  store i32 %120, ptr %78, align 1
  %121 = getelementptr i8, ptr %78, i64 3
  br label %97

122:                                              ; preds = %115
  %123 = icmp ult i64 %95, 268435456
  br i1 %123, label %124, label %129

124:                                              ; preds = %122
  %125 = shl i64 %95, 4
  %126 = or i64 %125, 8
  %127 = trunc i64 %126 to i32
  store i32 %127, ptr %78, align 1
  %128 = getelementptr i8, ptr %78, i64 4
  br label %97

129:                                              ; preds = %122
  %130 = call preserve_mostcc ptr @long_varint(ptr %78, i64 %95)
  br label %97

131:                                              ; preds = %97
  %slot3 = load i64, ptr %92, align 1
  %132 = getelementptr i8, ptr %92, i64 8
  %133 = icmp ne i64 %slot3, 0
  %134 = zext i1 %133 to i8
  store i8 %134, ptr %98, align 1
  %135 = getelementptr i8, ptr %98, i64 1
  %136 = add i64 %74, 1
  %137 = icmp ult i64 %136, %slot
  br i1 %137, label %element, label %after

138:                                              ; preds = %after
  %139 = ptrtoint ptr %26 to i64
  %140 = ptrtoint ptr %86 to i64
  %141 = sub i64 %140, %139
  %142 = sub i64 %141, 4
  %143 = icmp ult i64 %142, 4294967232
  br i1 %143, label %144, label %leave, !prof !0

144:                                              ; preds = %138
  %145 = ptrtoint ptr %86 to i64
  %146 = ptrtoint ptr %14 to i64
  %147 = icmp ult i64 %145, %146
  br i1 %147, label %148, label %leave, !prof !0

148:                                              ; preds = %144
  %149 = trunc i64 %142 to i32
  store i32 %149, ptr %26, align 1
  %150 = add i64 %22, 1
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
