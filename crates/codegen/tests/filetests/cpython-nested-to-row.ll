; Nesting is flattened: after the guards of the containers their fields are straight-line code.
; schema ((i64, [f64, f64]), i64)
; from cpython to row
;
; 0  tuple of 2
; 1  tuple of 2
; 2  i64, int 0
; 3  list of 2
; 4  f64, 2 of them, float 0
; 5  leave
; 6  leave
; 7  i64, int 1
; 8  leave
; 9  end

@serow_py_tuple = external global i8
@serow_py_int = external global i8
@serow_py_list = external global i8
@serow_py_float = external global i8

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

leave:                                            ; preds = %190, %155, %large25, %127, %121, %117, %114, %81, %large, %55, %52, %48, %45, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory28 = load ptr, ptr %1, align 1
  %start29 = load ptr, ptr %memory28, align 1
  %11 = ptrtoint ptr %start29 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory28, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %194, %start
  %15 = phi i64 [ %2, %start ], [ %196, %194 ]
  %16 = phi ptr [ %5, %start ], [ %156, %194 ]
  %17 = icmp ult i64 %15, %3
  br i1 %17, label %18, label %leave, !prof !0

18:                                               ; preds = %next
  %19 = sub i64 %15, %2
  %20 = ptrtoint ptr %16 to i64
  %21 = ptrtoint ptr %7 to i64
  %22 = sub i64 %21, %20
  %23 = icmp ugt i64 %22, 38
  br i1 %23, label %24, label %leave, !prof !0

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
  %type4 = load ptr, ptr %38, align 1
  %39 = icmp eq ptr %type4, @serow_py_tuple
  br i1 %39, label %45, label %leave, !prof !0

tuple:                                            ; preds = %fetch
  %40 = getelementptr i8, ptr %soon, i64 16
  %len2 = load i64, ptr %40, align 1
  %41 = icmp eq i64 %len2, 2
  br i1 %41, label %fields, label %fetched

fields:                                           ; preds = %tuple
  %42 = getelementptr i8, ptr %soon, i64 24
  %field = load ptr, ptr %42, align 1
  call void @llvm.prefetch.p0(ptr %field, i32 0, i32 3, i32 1)
  %43 = getelementptr i8, ptr %field, i64 48
  call void @llvm.prefetch.p0(ptr %43, i32 0, i32 3, i32 1)
  %44 = getelementptr i8, ptr %soon, i64 32
  %field3 = load ptr, ptr %44, align 1
  call void @llvm.prefetch.p0(ptr %field3, i32 0, i32 3, i32 1)
  br label %fetched

45:                                               ; preds = %fetched
  %46 = getelementptr i8, ptr %object, i64 16
  %len5 = load i64, ptr %46, align 1
  %47 = icmp eq i64 %len5, 2
  br i1 %47, label %48, label %leave, !prof !0

48:                                               ; preds = %45
  %49 = getelementptr i8, ptr %object, i64 24
  %object6 = load ptr, ptr %49, align 1
  %50 = getelementptr i8, ptr %object6, i64 8
  %type7 = load ptr, ptr %50, align 1
  %51 = icmp eq ptr %type7, @serow_py_tuple
  br i1 %51, label %52, label %leave, !prof !0

52:                                               ; preds = %48
  %53 = getelementptr i8, ptr %object6, i64 16
  %len8 = load i64, ptr %53, align 1
  %54 = icmp eq i64 %len8, 2
  br i1 %54, label %55, label %leave, !prof !0

55:                                               ; preds = %52
  %56 = getelementptr i8, ptr %object6, i64 24
  %object9 = load ptr, ptr %56, align 1
  %57 = getelementptr i8, ptr %object9, i64 8
  %type10 = load ptr, ptr %57, align 1
  %58 = icmp eq ptr %type10, @serow_py_int
  br i1 %58, label %59, label %leave, !prof !0

59:                                               ; preds = %55
  %60 = getelementptr i8, ptr %object9, i64 16
  %size = load i64, ptr %60, align 1
  %61 = getelementptr i8, ptr %object9, i64 24
  %digit = load i32, ptr %61, align 1
  %62 = zext i32 %digit to i64
  %63 = add i64 %size, 1
  %64 = icmp ult i64 %63, 3
  br i1 %64, label %small, label %large, !prof !0

small:                                            ; preds = %59
  %65 = mul i64 %size, %62
  br label %int

large:                                            ; preds = %59
  %66 = add i64 %size, 2
  %67 = icmp ult i64 %66, 5
  br i1 %67, label %73, label %leave, !prof !0

int:                                              ; preds = %73, %small
  %68 = phi i64 [ %65, %small ], [ %80, %73 ]
  %69 = shl i64 %68, 1
  %70 = ashr i64 %68, 63
  %71 = xor i64 %69, %70
  %72 = icmp ult i64 %71, 128
  br i1 %72, label %86, label %91

73:                                               ; preds = %large
  %74 = ashr i64 %size, 63
  %75 = or i64 %74, 1
  %76 = getelementptr i8, ptr %object9, i64 28
  %digit11 = load i32, ptr %76, align 1
  %77 = zext i32 %digit11 to i64
  %78 = shl i64 %77, 30
  %79 = or i64 %78, %62
  %80 = mul i64 %75, %79
  br label %int

81:                                               ; preds = %112, %107, %100, %93, %86
  %82 = phi ptr [ %90, %86 ], [ %97, %93 ], [ %104, %100 ], [ %111, %107 ], [ %113, %112 ]
  %83 = getelementptr i8, ptr %object6, i64 32
  %object12 = load ptr, ptr %83, align 1
  %84 = getelementptr i8, ptr %object12, i64 8
  %type13 = load ptr, ptr %84, align 1
  %85 = icmp eq ptr %type13, @serow_py_list
  br i1 %85, label %114, label %leave, !prof !0

86:                                               ; preds = %int
  %87 = shl i64 %71, 1
  %88 = or i64 %87, 1
  %89 = trunc i64 %88 to i8
  store i8 %89, ptr %25, align 1
  %90 = getelementptr i8, ptr %25, i64 1
  br label %81

91:                                               ; preds = %int
  %92 = icmp ult i64 %71, 16384
  br i1 %92, label %93, label %98

93:                                               ; preds = %91
  %94 = shl i64 %71, 2
  %95 = or i64 %94, 2
  %96 = trunc i64 %95 to i16
  store i16 %96, ptr %25, align 1
  %97 = getelementptr i8, ptr %25, i64 2
  br label %81

98:                                               ; preds = %91
  %99 = icmp ult i64 %71, 2097152
  br i1 %99, label %100, label %105

100:                                              ; preds = %98
  %101 = shl i64 %71, 3
  %102 = or i64 %101, 4
  %103 = trunc i64 %102 to i32
  store i32 %103, ptr %25, align 1
  %104 = getelementptr i8, ptr %25, i64 3
  br label %81

105:                                              ; preds = %98
  %106 = icmp ult i64 %71, 268435456
  br i1 %106, label %107, label %112

107:                                              ; preds = %105
  %108 = shl i64 %71, 4
  %109 = or i64 %108, 8
  %110 = trunc i64 %109 to i32
  store i32 %110, ptr %25, align 1
  %111 = getelementptr i8, ptr %25, i64 4
  br label %81

112:                                              ; preds = %105
  %113 = call preserve_mostcc ptr @long_varint(ptr %25, i64 %71)
  br label %81

114:                                              ; preds = %81
  %115 = getelementptr i8, ptr %object12, i64 16
  %len14 = load i64, ptr %115, align 1
  %116 = icmp eq i64 %len14, 2
  br i1 %116, label %117, label %leave, !prof !0

117:                                              ; preds = %114
  %118 = getelementptr i8, ptr %object12, i64 24
  %items = load ptr, ptr %118, align 1
  %object15 = load ptr, ptr %items, align 1
  %119 = getelementptr i8, ptr %object15, i64 8
  %type16 = load ptr, ptr %119, align 1
  %120 = icmp eq ptr %type16, @serow_py_float
  br i1 %120, label %121, label %leave, !prof !0

121:                                              ; preds = %117
  %122 = getelementptr i8, ptr %object15, i64 16
  %bits = load i64, ptr %122, align 1
  store i64 %bits, ptr %82, align 1
  %123 = getelementptr i8, ptr %82, i64 8
  %124 = getelementptr i8, ptr %items, i64 8
  %object17 = load ptr, ptr %124, align 1
  %125 = getelementptr i8, ptr %object17, i64 8
  %type18 = load ptr, ptr %125, align 1
  %126 = icmp eq ptr %type18, @serow_py_float
  br i1 %126, label %127, label %leave, !prof !0

127:                                              ; preds = %121
  %128 = getelementptr i8, ptr %object17, i64 16
  %bits19 = load i64, ptr %128, align 1
  store i64 %bits19, ptr %123, align 1
  %129 = getelementptr i8, ptr %123, i64 8
  %130 = getelementptr i8, ptr %object, i64 32
  %object20 = load ptr, ptr %130, align 1
  %131 = getelementptr i8, ptr %object20, i64 8
  %type21 = load ptr, ptr %131, align 1
  %132 = icmp eq ptr %type21, @serow_py_int
  br i1 %132, label %133, label %leave, !prof !0

133:                                              ; preds = %127
  %134 = getelementptr i8, ptr %object20, i64 16
  %size22 = load i64, ptr %134, align 1
  %135 = getelementptr i8, ptr %object20, i64 24
  %digit23 = load i32, ptr %135, align 1
  %136 = zext i32 %digit23 to i64
  %137 = add i64 %size22, 1
  %138 = icmp ult i64 %137, 3
  br i1 %138, label %small24, label %large25, !prof !0

small24:                                          ; preds = %133
  %139 = mul i64 %size22, %136
  br label %int26

large25:                                          ; preds = %133
  %140 = add i64 %size22, 2
  %141 = icmp ult i64 %140, 5
  br i1 %141, label %147, label %leave, !prof !0

int26:                                            ; preds = %147, %small24
  %142 = phi i64 [ %139, %small24 ], [ %154, %147 ]
  %143 = shl i64 %142, 1
  %144 = ashr i64 %142, 63
  %145 = xor i64 %143, %144
  %146 = icmp ult i64 %145, 128
  br i1 %146, label %162, label %167

147:                                              ; preds = %large25
  %148 = ashr i64 %size22, 63
  %149 = or i64 %148, 1
  %150 = getelementptr i8, ptr %object20, i64 28
  %digit27 = load i32, ptr %150, align 1
  %151 = zext i32 %digit27 to i64
  %152 = shl i64 %151, 30
  %153 = or i64 %152, %136
  %154 = mul i64 %149, %153
  br label %int26

155:                                              ; preds = %188, %183, %176, %169, %162
  %156 = phi ptr [ %166, %162 ], [ %173, %169 ], [ %180, %176 ], [ %187, %183 ], [ %189, %188 ]
  %157 = ptrtoint ptr %16 to i64
  %158 = ptrtoint ptr %156 to i64
  %159 = sub i64 %158, %157
  %160 = sub i64 %159, 4
  %161 = icmp ult i64 %160, 4294967232
  br i1 %161, label %190, label %leave, !prof !0

162:                                              ; preds = %int26
  %163 = shl i64 %145, 1
  %164 = or i64 %163, 1
  %165 = trunc i64 %164 to i8
  store i8 %165, ptr %129, align 1
  %166 = getelementptr i8, ptr %129, i64 1
  br label %155

167:                                              ; preds = %int26
  %168 = icmp ult i64 %145, 16384
  br i1 %168, label %169, label %174

169:                                              ; preds = %167
  %170 = shl i64 %145, 2
  %171 = or i64 %170, 2
  %172 = trunc i64 %171 to i16
  store i16 %172, ptr %129, align 1
  %173 = getelementptr i8, ptr %129, i64 2
  br label %155

174:                                              ; preds = %167
  %175 = icmp ult i64 %145, 2097152
  br i1 %175, label %176, label %181

176:                                              ; preds = %174
  %177 = shl i64 %145, 3
  %178 = or i64 %177, 4
  %179 = trunc i64 %178 to i32
  store i32 %179, ptr %129, align 1
  %180 = getelementptr i8, ptr %129, i64 3
  br label %155

181:                                              ; preds = %174
  %182 = icmp ult i64 %145, 268435456
  br i1 %182, label %183, label %188

183:                                              ; preds = %181
  %184 = shl i64 %145, 4
  %185 = or i64 %184, 8
  %186 = trunc i64 %185 to i32
  store i32 %186, ptr %129, align 1
  %187 = getelementptr i8, ptr %129, i64 4
  br label %155

188:                                              ; preds = %181
  %189 = call preserve_mostcc ptr @long_varint(ptr %129, i64 %145)
  br label %155

190:                                              ; preds = %155
  %191 = ptrtoint ptr %156 to i64
  %192 = ptrtoint ptr %9 to i64
  %193 = icmp ult i64 %191, %192
  br i1 %193, label %194, label %leave, !prof !0

194:                                              ; preds = %190
  %195 = trunc i64 %160 to i32
  store i32 %195, ptr %16, align 1
  %196 = add i64 %15, 1
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
