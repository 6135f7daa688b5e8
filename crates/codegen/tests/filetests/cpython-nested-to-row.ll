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

bailout:                                          ; preds = %206, %171, %163, %three29, %135, %129, %125, %122, %89, %81, %three, %55, %52, %48, %45, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory32 = load ptr, ptr %1, align 1
  %start33 = load ptr, ptr %memory32, align 1
  %11 = ptrtoint ptr %start33 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory32, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %210, %start
  %15 = phi i64 [ %2, %start ], [ %212, %210 ]
  %16 = phi ptr [ %5, %start ], [ %172, %210 ]
  %17 = icmp ult i64 %15, %3
  br i1 %17, label %18, label %bailout, !prof !0

18:                                               ; preds = %next
  %19 = sub i64 %15, %2
  %20 = ptrtoint ptr %16 to i64
  %21 = ptrtoint ptr %7 to i64
  %22 = sub i64 %21, %20
  %23 = icmp ugt i64 %22, 38
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
  %type4 = load ptr, ptr %38, align 1
  %39 = icmp eq ptr %type4, @serow_py_tuple
  br i1 %39, label %45, label %bailout, !prof !0

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
  br i1 %47, label %48, label %bailout, !prof !0

48:                                               ; preds = %45
  %49 = getelementptr i8, ptr %object, i64 24
  %object6 = load ptr, ptr %49, align 1
  %50 = getelementptr i8, ptr %object6, i64 8
  %type7 = load ptr, ptr %50, align 1
  %51 = icmp eq ptr %type7, @serow_py_tuple
  br i1 %51, label %52, label %bailout, !prof !0

52:                                               ; preds = %48
  %53 = getelementptr i8, ptr %object6, i64 16
  %len8 = load i64, ptr %53, align 1
  %54 = icmp eq i64 %len8, 2
  br i1 %54, label %55, label %bailout, !prof !0

55:                                               ; preds = %52
  %56 = getelementptr i8, ptr %object6, i64 24
  %object9 = load ptr, ptr %56, align 1
  %57 = getelementptr i8, ptr %object9, i64 8
  %type10 = load ptr, ptr %57, align 1
  %58 = icmp eq ptr %type10, @serow_py_int
  br i1 %58, label %59, label %bailout, !prof !0

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
  %66 = ashr i64 %size, 63
  %67 = or i64 %66, 1
  %68 = mul i64 %size, %67
  %69 = getelementptr i8, ptr %object9, i64 28
  %digit11 = load i32, ptr %69, align 1
  %70 = zext i32 %digit11 to i64
  %71 = shl i64 %70, 30
  %72 = or i64 %71, %62
  %73 = icmp ult i64 %68, 3
  br i1 %73, label %two, label %three

int:                                              ; preds = %85, %two, %small
  %74 = phi i64 [ %65, %small ], [ %79, %two ], [ %88, %85 ]
  %75 = shl i64 %74, 1
  %76 = ashr i64 %74, 63
  %77 = xor i64 %75, %76
  %78 = icmp ult i64 %77, 128
  br i1 %78, label %94, label %99

two:                                              ; preds = %large
  %79 = mul i64 %67, %72
  br label %int

three:                                            ; preds = %large
  %80 = icmp ult i64 %68, 4
  br i1 %80, label %81, label %bailout, !prof !0

81:                                               ; preds = %three
  %82 = getelementptr i8, ptr %object9, i64 32
  %digit12 = load i32, ptr %82, align 1
  %83 = zext i32 %digit12 to i64
  %84 = icmp ult i64 %83, 8
  br i1 %84, label %85, label %bailout, !prof !0

85:                                               ; preds = %81
  %86 = shl i64 %83, 60
  %87 = or i64 %86, %72
  %88 = mul i64 %67, %87
  br label %int

89:                                               ; preds = %120, %115, %108, %101, %94
  %90 = phi ptr [ %98, %94 ], [ %105, %101 ], [ %112, %108 ], [ %119, %115 ], [ %121, %120 ]
  %91 = getelementptr i8, ptr %object6, i64 32
  %object13 = load ptr, ptr %91, align 1
  %92 = getelementptr i8, ptr %object13, i64 8
  %type14 = load ptr, ptr %92, align 1
  %93 = icmp eq ptr %type14, @serow_py_list
  br i1 %93, label %122, label %bailout, !prof !0

94:                                               ; preds = %int
  %95 = shl i64 %77, 1
  %96 = or i64 %95, 1
  %97 = trunc i64 %96 to i8
  store i8 %97, ptr %25, align 1
  %98 = getelementptr i8, ptr %25, i64 1
  br label %89

99:                                               ; preds = %int
  %100 = icmp ult i64 %77, 16384
  br i1 %100, label %101, label %106

101:                                              ; preds = %99
  %102 = shl i64 %77, 2
  %103 = or i64 %102, 2
  %104 = trunc i64 %103 to i16
  store i16 %104, ptr %25, align 1
  %105 = getelementptr i8, ptr %25, i64 2
  br label %89

106:                                              ; preds = %99
  %107 = icmp ult i64 %77, 2097152
  br i1 %107, label %108, label %113

108:                                              ; preds = %106
  %109 = shl i64 %77, 3
  %110 = or i64 %109, 4
  %111 = trunc i64 %110 to i32
  store i32 %111, ptr %25, align 1
  %112 = getelementptr i8, ptr %25, i64 3
  br label %89

113:                                              ; preds = %106
  %114 = icmp ult i64 %77, 268435456
  br i1 %114, label %115, label %120

115:                                              ; preds = %113
  %116 = shl i64 %77, 4
  %117 = or i64 %116, 8
  %118 = trunc i64 %117 to i32
  store i32 %118, ptr %25, align 1
  %119 = getelementptr i8, ptr %25, i64 4
  br label %89

120:                                              ; preds = %113
  %121 = call preserve_mostcc ptr @long_varint(ptr %25, i64 %77)
  br label %89

122:                                              ; preds = %89
  %123 = getelementptr i8, ptr %object13, i64 16
  %len15 = load i64, ptr %123, align 1
  %124 = icmp eq i64 %len15, 2
  br i1 %124, label %125, label %bailout, !prof !0

125:                                              ; preds = %122
  %126 = getelementptr i8, ptr %object13, i64 24
  %items = load ptr, ptr %126, align 1
  %object16 = load ptr, ptr %items, align 1
  %127 = getelementptr i8, ptr %object16, i64 8
  %type17 = load ptr, ptr %127, align 1
  %128 = icmp eq ptr %type17, @serow_py_float
  br i1 %128, label %129, label %bailout, !prof !0

129:                                              ; preds = %125
  %130 = getelementptr i8, ptr %object16, i64 16
  %bits = load i64, ptr %130, align 1
  store i64 %bits, ptr %90, align 1
  %131 = getelementptr i8, ptr %90, i64 8
  %132 = getelementptr i8, ptr %items, i64 8
  %object18 = load ptr, ptr %132, align 1
  %133 = getelementptr i8, ptr %object18, i64 8
  %type19 = load ptr, ptr %133, align 1
  %134 = icmp eq ptr %type19, @serow_py_float
  br i1 %134, label %135, label %bailout, !prof !0

135:                                              ; preds = %129
  %136 = getelementptr i8, ptr %object18, i64 16
  %bits20 = load i64, ptr %136, align 1
  store i64 %bits20, ptr %131, align 1
  %137 = getelementptr i8, ptr %131, i64 8
  %138 = getelementptr i8, ptr %object, i64 32
  %object21 = load ptr, ptr %138, align 1
  %139 = getelementptr i8, ptr %object21, i64 8
  %type22 = load ptr, ptr %139, align 1
  %140 = icmp eq ptr %type22, @serow_py_int
  br i1 %140, label %141, label %bailout, !prof !0

141:                                              ; preds = %135
  %142 = getelementptr i8, ptr %object21, i64 16
  %size23 = load i64, ptr %142, align 1
  %143 = getelementptr i8, ptr %object21, i64 24
  %digit24 = load i32, ptr %143, align 1
  %144 = zext i32 %digit24 to i64
  %145 = add i64 %size23, 1
  %146 = icmp ult i64 %145, 3
  br i1 %146, label %small25, label %large26, !prof !0

small25:                                          ; preds = %141
  %147 = mul i64 %size23, %144
  br label %int27

large26:                                          ; preds = %141
  %148 = ashr i64 %size23, 63
  %149 = or i64 %148, 1
  %150 = mul i64 %size23, %149
  %151 = getelementptr i8, ptr %object21, i64 28
  %digit30 = load i32, ptr %151, align 1
  %152 = zext i32 %digit30 to i64
  %153 = shl i64 %152, 30
  %154 = or i64 %153, %144
  %155 = icmp ult i64 %150, 3
  br i1 %155, label %two28, label %three29

int27:                                            ; preds = %167, %two28, %small25
  %156 = phi i64 [ %147, %small25 ], [ %161, %two28 ], [ %170, %167 ]
  %157 = shl i64 %156, 1
  %158 = ashr i64 %156, 63
  %159 = xor i64 %157, %158
  %160 = icmp ult i64 %159, 128
  br i1 %160, label %178, label %183

two28:                                            ; preds = %large26
  %161 = mul i64 %149, %154
  br label %int27

three29:                                          ; preds = %large26
  %162 = icmp ult i64 %150, 4
  br i1 %162, label %163, label %bailout, !prof !0

163:                                              ; preds = %three29
  %164 = getelementptr i8, ptr %object21, i64 32
  %digit31 = load i32, ptr %164, align 1
  %165 = zext i32 %digit31 to i64
  %166 = icmp ult i64 %165, 8
  br i1 %166, label %167, label %bailout, !prof !0

167:                                              ; preds = %163
  %168 = shl i64 %165, 60
  %169 = or i64 %168, %154
  %170 = mul i64 %149, %169
  br label %int27

171:                                              ; preds = %204, %199, %192, %185, %178
  %172 = phi ptr [ %182, %178 ], [ %189, %185 ], [ %196, %192 ], [ %203, %199 ], [ %205, %204 ]
  %173 = ptrtoint ptr %16 to i64
  %174 = ptrtoint ptr %172 to i64
  %175 = sub i64 %174, %173
  %176 = sub i64 %175, 4
  %177 = icmp ult i64 %176, 4294967232
  br i1 %177, label %206, label %bailout, !prof !0

178:                                              ; preds = %int27
  %179 = shl i64 %159, 1
  %180 = or i64 %179, 1
  %181 = trunc i64 %180 to i8
  store i8 %181, ptr %137, align 1
  %182 = getelementptr i8, ptr %137, i64 1
  br label %171

183:                                              ; preds = %int27
  %184 = icmp ult i64 %159, 16384
  br i1 %184, label %185, label %190

185:                                              ; preds = %183
  %186 = shl i64 %159, 2
  %187 = or i64 %186, 2
  %188 = trunc i64 %187 to i16
  store i16 %188, ptr %137, align 1
  %189 = getelementptr i8, ptr %137, i64 2
  br label %171

190:                                              ; preds = %183
  %191 = icmp ult i64 %159, 2097152
  br i1 %191, label %192, label %197

192:                                              ; preds = %190
  %193 = shl i64 %159, 3
  %194 = or i64 %193, 4
  %195 = trunc i64 %194 to i32
  store i32 %195, ptr %137, align 1
  %196 = getelementptr i8, ptr %137, i64 3
  br label %171

197:                                              ; preds = %190
  %198 = icmp ult i64 %159, 268435456
  br i1 %198, label %199, label %204

199:                                              ; preds = %197
  %200 = shl i64 %159, 4
  %201 = or i64 %200, 8
  %202 = trunc i64 %201 to i32
  store i32 %202, ptr %137, align 1
  %203 = getelementptr i8, ptr %137, i64 4
  br label %171

204:                                              ; preds = %197
  %205 = call preserve_mostcc ptr @long_varint(ptr %137, i64 %159)
  br label %171

206:                                              ; preds = %171
  %207 = ptrtoint ptr %172 to i64
  %208 = ptrtoint ptr %9 to i64
  %209 = icmp ult i64 %207, %208
  br i1 %209, label %210, label %bailout, !prof !0

210:                                              ; preds = %206
  %211 = trunc i64 %176 to i32
  store i32 %211, ptr %16, align 1
  %212 = add i64 %15, 1
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
