; A sequence is a loop, and asks for room at each element.
; schema ([i64],)
; from cpython to row
;
; 0  tuple of 1
; 1  sequence as list, int 0, to 4, 9 bytes each
; 2  i64, int 1
; 3  next, from 2
; 4  leave
; 5  end

@serow_py_tuple = external global i8
@serow_py_list = external global i8
@serow_py_int = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %memory = load ptr, ptr %1, align 1
  %start1 = load ptr, ptr %memory, align 1
  %4 = getelementptr i8, ptr %memory, i64 8
  %len = load i64, ptr %4, align 1
  %5 = getelementptr i8, ptr %start1, i64 %len
  %6 = getelementptr i8, ptr %memory, i64 16
  %limit = load i64, ptr %6, align 1
  %7 = getelementptr i8, ptr %start1, i64 %limit
  %8 = getelementptr i8, ptr %1, i64 8
  %full = load i64, ptr %8, align 1
  %9 = getelementptr i8, ptr %start1, i64 %full
  br label %next

bailout:                                          ; preds = %159, %153, %after, %113, %three, %element, %72, %55, %47, %44, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory12 = load ptr, ptr %1, align 1
  %start13 = load ptr, ptr %memory12, align 1
  %11 = ptrtoint ptr %start13 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory12, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %163, %start
  %15 = phi i64 [ %2, %start ], [ %165, %163 ]
  %16 = phi ptr [ %5, %start ], [ %86, %163 ]
  %17 = icmp ult i64 %15, %3
  br i1 %17, label %18, label %bailout, !prof !0

18:                                               ; preds = %next
  %19 = sub i64 %15, %2
  %20 = ptrtoint ptr %16 to i64
  %21 = ptrtoint ptr %7 to i64
  %22 = sub i64 %21, %20
  %23 = icmp ugt i64 %22, 13
  br i1 %23, label %24, label %bailout, !prof !0

24:                                               ; preds = %18
  %25 = getelementptr i8, ptr %16, i64 4
  %rows = load ptr, ptr %0, align 1
  %26 = getelementptr i8, ptr %0, i64 8
  %ahead = load i64, ptr %26, align 1
  %27 = add i64 %15, 16
  %28 = icmp ult i64 %27, %ahead
  br i1 %28, label %fetch, label %fetched

fetch:                                            ; preds = %24
  %29 = mul i64 %15, 8
  %30 = getelementptr i8, ptr %rows, i64 %29
  %31 = getelementptr i8, ptr %30, i64 128
  %later = load ptr, ptr %31, align 1
  call void @llvm.prefetch.p0(ptr %later, i32 0, i32 3, i32 1)
  %32 = getelementptr i8, ptr %later, i64 64
  call void @llvm.prefetch.p0(ptr %32, i32 0, i32 3, i32 1)
  %33 = getelementptr i8, ptr %30, i64 64
  %soon = load ptr, ptr %33, align 1
  %34 = getelementptr i8, ptr %soon, i64 8
  %type = load ptr, ptr %34, align 1
  %35 = icmp eq ptr %type, @serow_py_tuple
  br i1 %35, label %tuple, label %fetched

fetched:                                          ; preds = %fields, %tuple, %fetch, %24
  %36 = mul i64 %15, 8
  %37 = getelementptr i8, ptr %rows, i64 %36
  %object = load ptr, ptr %37, align 1
  %38 = getelementptr i8, ptr %object, i64 8
  %type3 = load ptr, ptr %38, align 1
  %39 = icmp eq ptr %type3, @serow_py_tuple
  br i1 %39, label %44, label %bailout, !prof !0

tuple:                                            ; preds = %fetch
  %40 = getelementptr i8, ptr %soon, i64 16
  %len2 = load i64, ptr %40, align 1
  %41 = icmp eq i64 %len2, 1
  br i1 %41, label %fields, label %fetched

fields:                                           ; preds = %tuple
  %42 = getelementptr i8, ptr %soon, i64 24
  %field = load ptr, ptr %42, align 1
  call void @llvm.prefetch.p0(ptr %field, i32 0, i32 3, i32 1)
  %43 = getelementptr i8, ptr %field, i64 48
  call void @llvm.prefetch.p0(ptr %43, i32 0, i32 3, i32 1)
  br label %fetched

44:                                               ; preds = %fetched
  %45 = getelementptr i8, ptr %object, i64 16
  %len4 = load i64, ptr %45, align 1
  %46 = icmp eq i64 %len4, 1
  br i1 %46, label %47, label %bailout, !prof !0

47:                                               ; preds = %44
  %48 = getelementptr i8, ptr %object, i64 24
  %object5 = load ptr, ptr %48, align 1
  %49 = getelementptr i8, ptr %object5, i64 8
  %type6 = load ptr, ptr %49, align 1
  %50 = icmp eq ptr %type6, @serow_py_list
  br i1 %50, label %51, label %bailout, !prof !0

51:                                               ; preds = %47
  %52 = getelementptr i8, ptr %object5, i64 16
  %len7 = load i64, ptr %52, align 1
  %53 = getelementptr i8, ptr %object5, i64 24
  %items = load ptr, ptr %53, align 1
  %54 = icmp ult i64 %len7, 128
  br i1 %54, label %58, label %63

55:                                               ; preds = %70, %65, %58
  %56 = phi ptr [ %62, %58 ], [ %69, %65 ], [ %71, %70 ]
  %57 = icmp ult i64 %len7, 4294967296
  br i1 %57, label %72, label %bailout, !prof !0

58:                                               ; preds = %51
  %59 = shl i64 %len7, 1
  %60 = or i64 %59, 1
  %61 = trunc i64 %60 to i8
  store i8 %61, ptr %25, align 1
  %62 = getelementptr i8, ptr %25, i64 1
  br label %55

63:                                               ; preds = %51
  %64 = icmp ult i64 %len7, 16384
  br i1 %64, label %65, label %70

65:                                               ; preds = %63
  %66 = shl i64 %len7, 2
  %67 = or i64 %66, 2
  %68 = trunc i64 %67 to i16
  store i16 %68, ptr %25, align 1
  %69 = getelementptr i8, ptr %25, i64 2
  br label %55

70:                                               ; preds = %63
  %71 = call preserve_mostcc ptr @long_varint(ptr %25, i64 %len7)
  br label %55

72:                                               ; preds = %55
  %73 = mul i64 %len7, 9
  %74 = ptrtoint ptr %56 to i64
  %75 = ptrtoint ptr %7 to i64
  %76 = sub i64 %75, %74
  %77 = icmp ugt i64 %76, %73
  br i1 %77, label %78, label %bailout, !prof !0

78:                                               ; preds = %72
  %79 = icmp ne i64 %len7, 0
  br i1 %79, label %element, label %after

element:                                          ; preds = %121, %78
  %80 = phi i64 [ 0, %78 ], [ %123, %121 ]
  %81 = phi ptr [ %56, %78 ], [ %122, %121 ]
  %82 = mul i64 %80, 8
  %83 = getelementptr i8, ptr %items, i64 %82
  %object8 = load ptr, ptr %83, align 1
  %84 = getelementptr i8, ptr %object8, i64 8
  %type9 = load ptr, ptr %84, align 1
  %85 = icmp eq ptr %type9, @serow_py_int
  br i1 %85, label %91, label %bailout, !prof !0

after:                                            ; preds = %121, %78
  %86 = phi ptr [ %56, %78 ], [ %122, %121 ]
  %87 = ptrtoint ptr %86 to i64
  %88 = ptrtoint ptr %7 to i64
  %89 = sub i64 %88, %87
  %90 = icmp ugt i64 %89, 13
  br i1 %90, label %153, label %bailout, !prof !0

91:                                               ; preds = %element
  %92 = getelementptr i8, ptr %object8, i64 16
  %size = load i64, ptr %92, align 1
  %93 = getelementptr i8, ptr %object8, i64 24
  %digit = load i32, ptr %93, align 1
  %94 = zext i32 %digit to i64
  %95 = add i64 %size, 1
  %96 = icmp ult i64 %95, 3
  br i1 %96, label %small, label %large, !prof !0

small:                                            ; preds = %91
  %97 = mul i64 %size, %94
  br label %int

large:                                            ; preds = %91
  %98 = ashr i64 %size, 63
  %99 = or i64 %98, 1
  %100 = mul i64 %size, %99
  %101 = getelementptr i8, ptr %object8, i64 28
  %digit10 = load i32, ptr %101, align 1
  %102 = zext i32 %digit10 to i64
  %103 = shl i64 %102, 30
  %104 = or i64 %103, %94
  %105 = icmp ult i64 %100, 3
  br i1 %105, label %two, label %three

int:                                              ; preds = %117, %two, %small
  %106 = phi i64 [ %97, %small ], [ %111, %two ], [ %120, %117 ]
  %107 = shl i64 %106, 1
  %108 = ashr i64 %106, 63
  %109 = xor i64 %107, %108
  %110 = icmp ult i64 %109, 128
  br i1 %110, label %125, label %130

two:                                              ; preds = %large
  %111 = mul i64 %99, %104
  br label %int

three:                                            ; preds = %large
  %112 = icmp ult i64 %100, 4
  br i1 %112, label %113, label %bailout, !prof !0

113:                                              ; preds = %three
  %114 = getelementptr i8, ptr %object8, i64 32
  %digit11 = load i32, ptr %114, align 1
  %115 = zext i32 %digit11 to i64
  %116 = icmp ult i64 %115, 8
  br i1 %116, label %117, label %bailout, !prof !0

117:                                              ; preds = %113
  %118 = shl i64 %115, 60
  %119 = or i64 %118, %104
  %120 = mul i64 %99, %119
  br label %int

121:                                              ; preds = %151, %146, %139, %132, %125
  %122 = phi ptr [ %129, %125 ], [ %136, %132 ], [ %143, %139 ], [ %150, %146 ], [ %152, %151 ]
  %123 = add i64 %80, 1
  %124 = icmp ult i64 %123, %len7
  br i1 %124, label %element, label %after

125:                                              ; preds = %int
  %126 = shl i64 %109, 1
  %127 = or i64 %126, 1
  %128 = trunc i64 %127 to i8
  store i8 %128, ptr %81, align 1
  %129 = getelementptr i8, ptr %81, i64 1
  br label %121

130:                                              ; preds = %int
  %131 = icmp ult i64 %109, 16384
  br i1 %131, label %132, label %137

132:                                              ; preds = %130
  %133 = shl i64 %109, 2
  %134 = or i64 %133, 2
  %135 = trunc i64 %134 to i16
  store i16 %135, ptr %81, align 1
  %136 = getelementptr i8, ptr %81, i64 2
  br label %121

137:                                              ; preds = %130
  %138 = icmp ult i64 %109, 2097152
  br i1 %138, label %139, label %144

139:                                              ; preds = %137
  %140 = shl i64 %109, 3
  %141 = or i64 %140, 4
  %142 = trunc i64 %141 to i32
  store i32 %142, ptr %81, align 1
  %143 = getelementptr i8, ptr %81, i64 3
  br label %121

144:                                              ; preds = %137
  %145 = icmp ult i64 %109, 268435456
  br i1 %145, label %146, label %151

146:                                              ; preds = %144
  %147 = shl i64 %109, 4
  %148 = or i64 %147, 8
  %149 = trunc i64 %148 to i32
  store i32 %149, ptr %81, align 1
  %150 = getelementptr i8, ptr %81, i64 4
  br label %121

151:                                              ; preds = %144
  %152 = call preserve_mostcc ptr @long_varint(ptr %81, i64 %109)
  br label %121

153:                                              ; preds = %after
  %154 = ptrtoint ptr %16 to i64
  %155 = ptrtoint ptr %86 to i64
  %156 = sub i64 %155, %154
  %157 = sub i64 %156, 4
  %158 = icmp ult i64 %157, 4294967232
  br i1 %158, label %159, label %bailout, !prof !0

159:                                              ; preds = %153
  %160 = ptrtoint ptr %86 to i64
  %161 = ptrtoint ptr %9 to i64
  %162 = icmp ult i64 %160, %161
  br i1 %162, label %163, label %bailout, !prof !0

163:                                              ; preds = %159
  %164 = trunc i64 %157 to i32
  store i32 %164, ptr %16, align 1
  %165 = add i64 %15, 1
  br label %next
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

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
declare i64 @llvm.ctlz.i64(i64, i1 immarg) #2

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
