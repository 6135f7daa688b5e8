; A column with fewer values than rows counts them in memory, and asks for more at a window's end.
; schema (i64?, [f64], i64|str)
; from columns to cpython
;
;  0  tuple of 3
;  1  optional, bit 0, else to 3
;  2  i64, int 0
;  3  sequence as list, int 1, to 6, 8 bytes each
;  4  f64, float 0
;  5  next, from 4
;  6  union, int 2, i64 at 7, str at 9
;  7  i64, int 3
;  8  jump to 11
;  9  str, str 0
; 10  jump to 11
; 11  leave
; 12  end

@serow_py_tuple = external global i8
@serow_py_small_ints = external global i8
@serow_py_int = external global i8
@serow_py_none = external global i8
@serow_py_float = external global i8
@serow_py_str = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %4 = getelementptr i8, ptr %0, i64 8
  %columns = load ptr, ptr %4, align 1
  %first = load ptr, ptr %0, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next

bailout:                                          ; preds = %other42, %short41, %more37, %value30, %more29, %long22, %short21, %more16, %after, %value9, %more8, %join, %long, %short, %more, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %join12, %start
  %8 = phi i64 [ %2, %start ], [ %118, %join12 ]
  %9 = icmp ult i64 %8, %3
  br i1 %9, label %10, label %bailout, !prof !0

10:                                               ; preds = %next
  %11 = sub i64 %8, %2
  %12 = mul i64 %11, 8
  %13 = getelementptr i8, ptr %rows, i64 %12
  store i64 0, ptr %13, align 1
  %14 = mul i64 %11, 8
  %15 = getelementptr i8, ptr %first, i64 %14
  %16 = call ptr @serow_py_malloc(i64 64)
  %17 = ptrtoint ptr %16 to i64
  %18 = icmp ne i64 %17, 0
  br i1 %18, label %19, label %bailout, !prof !0

19:                                               ; preds = %10
  %20 = getelementptr i8, ptr %16, i64 128
  call void @llvm.prefetch.p0(ptr %20, i32 0, i32 3, i32 1)
  %21 = getelementptr i8, ptr %16, i64 192
  call void @llvm.prefetch.p0(ptr %21, i32 0, i32 3, i32 1)
  store i64 0, ptr %16, align 1
  %22 = getelementptr i8, ptr %16, i64 8
  store i64 0, ptr %22, align 1
  %23 = getelementptr i8, ptr %16, i64 16
  store i64 1, ptr %23, align 1
  %24 = getelementptr i8, ptr %23, i64 8
  store ptr @serow_py_tuple, ptr %24, align 1
  %25 = getelementptr i8, ptr %23, i64 16
  store i64 3, ptr %25, align 1
  %26 = getelementptr i8, ptr %23, i64 24
  store i64 0, ptr %26, align 1
  %27 = getelementptr i8, ptr %23, i64 32
  store i64 0, ptr %27, align 1
  %28 = getelementptr i8, ptr %23, i64 40
  store i64 0, ptr %28, align 1
  store ptr %23, ptr %13, align 1
  %29 = getelementptr i8, ptr %15, i64 12336
  %word = load i64, ptr %29, align 1
  %30 = icmp ne i64 %word, 0
  br i1 %30, label %present, label %absent

present:                                          ; preds = %19
  %next1 = load ptr, ptr %columns, align 1
  %31 = getelementptr i8, ptr %columns, i64 16
  %end = load ptr, ptr %31, align 1
  %32 = icmp eq ptr %next1, %end
  %33 = xor i1 %32, true
  br i1 %33, label %value, label %more, !prof !0

absent:                                           ; preds = %19
  %count4 = load i64, ptr @serow_py_none, align 1
  %34 = add i64 %count4, 1
  store i64 %34, ptr @serow_py_none, align 1
  %35 = getelementptr i8, ptr %23, i64 24
  store ptr @serow_py_none, ptr %35, align 1
  br label %join

join:                                             ; preds = %absent, %int
  %36 = getelementptr i8, ptr %15, i64 2056
  %word5 = load i64, ptr %36, align 1
  %37 = call ptr @serow_py_make_list(i64 %word5)
  %38 = ptrtoint ptr %37 to i64
  %39 = icmp ne i64 %38, 0
  br i1 %39, label %78, label %bailout, !prof !0

more:                                             ; preds = %present
  %40 = call preserve_mostcc ptr @refilled(ptr %0, i64 0)
  %41 = ptrtoint ptr %40 to i64
  %42 = icmp ne i64 %41, 0
  br i1 %42, label %value, label %bailout, !prof !0

value:                                            ; preds = %more, %present
  %43 = phi ptr [ %next1, %present ], [ %40, %more ]
  %44 = getelementptr i8, ptr %43, i64 8
  store ptr %44, ptr %columns, align 1
  %word2 = load i64, ptr %43, align 1
  %45 = sub i64 %word2, -5
  %46 = icmp ult i64 %45, 262
  br i1 %46, label %small, label %other

small:                                            ; preds = %value
  %47 = mul i64 %45, 8
  %48 = getelementptr i8, ptr @serow_py_small_ints, i64 %47
  %int3 = load ptr, ptr %48, align 1
  %count = load i64, ptr %int3, align 1
  %49 = add i64 %count, 1
  store i64 %49, ptr %int3, align 1
  br label %int

other:                                            ; preds = %value
  %50 = add i64 %word2, 1152921504606846975
  %51 = icmp ult i64 %50, 2305843009213693951
  br i1 %51, label %short, label %long, !prof !0

short:                                            ; preds = %other
  %52 = call ptr @serow_py_malloc(i64 32)
  %53 = ptrtoint ptr %52 to i64
  %54 = icmp ne i64 %53, 0
  br i1 %54, label %60, label %bailout, !prof !0

long:                                             ; preds = %other
  %55 = call ptr @serow_py_make_int(i64 %word2)
  %56 = ptrtoint ptr %55 to i64
  %57 = icmp ne i64 %56, 0
  br i1 %57, label %77, label %bailout, !prof !0

int:                                              ; preds = %77, %60, %small
  %58 = phi ptr [ %int3, %small ], [ %52, %60 ], [ %55, %77 ]
  %59 = getelementptr i8, ptr %23, i64 24
  store ptr %58, ptr %59, align 1
  br label %join

60:                                               ; preds = %short
  %61 = getelementptr i8, ptr %52, i64 256
  call void @llvm.prefetch.p0(ptr %61, i32 0, i32 3, i32 1)
  store i64 1, ptr %52, align 1
  %62 = getelementptr i8, ptr %52, i64 8
  store ptr @serow_py_int, ptr %62, align 1
  %63 = ashr i64 %word2, 63
  %64 = xor i64 %word2, %63
  %65 = sub i64 %64, %63
  %66 = lshr i64 %65, 30
  %67 = and i64 %65, 1073741823
  %68 = shl i64 %66, 32
  %69 = or i64 %67, %68
  %70 = getelementptr i8, ptr %52, i64 24
  store i64 %69, ptr %70, align 1
  %71 = icmp ne i64 %66, 0
  %72 = zext i1 %71 to i64
  %73 = add i64 %72, 1
  %74 = xor i64 %73, %63
  %75 = sub i64 %74, %63
  %76 = getelementptr i8, ptr %52, i64 16
  store i64 %75, ptr %76, align 1
  br label %int

77:                                               ; preds = %long
  br label %int

78:                                               ; preds = %join
  %79 = getelementptr i8, ptr %23, i64 32
  store ptr %37, ptr %79, align 1
  %80 = getelementptr i8, ptr %37, i64 24
  %items = load ptr, ptr %80, align 1
  %81 = icmp ne i64 %word5, 0
  br i1 %81, label %element, label %after

element:                                          ; preds = %98, %78
  %82 = phi i64 [ 0, %78 ], [ %102, %98 ]
  %83 = mul i64 %82, 8
  %84 = getelementptr i8, ptr %items, i64 %83
  %85 = getelementptr i8, ptr %columns, i64 256
  %next6 = load ptr, ptr %85, align 1
  %86 = getelementptr i8, ptr %85, i64 16
  %end7 = load ptr, ptr %86, align 1
  %87 = icmp eq ptr %next6, %end7
  %88 = xor i1 %87, true
  br i1 %88, label %value9, label %more8, !prof !0

after:                                            ; preds = %98, %78
  call void @serow_py_track(ptr %37)
  %89 = getelementptr i8, ptr %15, i64 4112
  %word13 = load i64, ptr %89, align 1
  switch i64 %word13, label %bailout [
    i64 0, label %arm
    i64 1, label %arm11
  ]

more8:                                            ; preds = %element
  %90 = call preserve_mostcc ptr @refilled(ptr %0, i64 4)
  %91 = ptrtoint ptr %90 to i64
  %92 = icmp ne i64 %91, 0
  br i1 %92, label %value9, label %bailout, !prof !0

value9:                                           ; preds = %more8, %element
  %93 = phi ptr [ %next6, %element ], [ %90, %more8 ]
  %94 = getelementptr i8, ptr %93, i64 8
  store ptr %94, ptr %85, align 1
  %word10 = load i64, ptr %93, align 1
  %95 = call ptr @serow_py_malloc(i64 24)
  %96 = ptrtoint ptr %95 to i64
  %97 = icmp ne i64 %96, 0
  br i1 %97, label %98, label %bailout, !prof !0

98:                                               ; preds = %value9
  %99 = getelementptr i8, ptr %95, i64 256
  call void @llvm.prefetch.p0(ptr %99, i32 0, i32 3, i32 1)
  store i64 1, ptr %95, align 1
  %100 = getelementptr i8, ptr %95, i64 8
  store ptr @serow_py_float, ptr %100, align 1
  %101 = getelementptr i8, ptr %95, i64 16
  store i64 %word10, ptr %101, align 1
  store ptr %95, ptr %84, align 1
  %102 = add i64 %82, 1
  %103 = icmp ult i64 %102, %word5
  br i1 %103, label %element, label %after

arm:                                              ; preds = %after
  %104 = getelementptr i8, ptr %columns, i64 192
  %next14 = load ptr, ptr %104, align 1
  %105 = getelementptr i8, ptr %104, i64 16
  %end15 = load ptr, ptr %105, align 1
  %106 = icmp eq ptr %next14, %end15
  %107 = xor i1 %106, true
  br i1 %107, label %value17, label %more16, !prof !0

arm11:                                            ; preds = %after
  %108 = getelementptr i8, ptr %columns, i64 320
  %109 = getelementptr i8, ptr %108, i64 32
  %is_dictionary = load i64, ptr %109, align 1
  %110 = icmp ne i64 %is_dictionary, 0
  br i1 %110, label %entry, label %text

join12:                                           ; preds = %join26, %int23
  call void @serow_py_track(ptr %23)
  %111 = getelementptr i8, ptr %columns, i64 8
  %next45 = load i64, ptr %columns, align 1
  store i64 %next45, ptr %111, align 1
  %112 = getelementptr i8, ptr %columns, i64 192
  %113 = getelementptr i8, ptr %112, i64 8
  %next46 = load i64, ptr %112, align 1
  store i64 %next46, ptr %113, align 1
  %114 = getelementptr i8, ptr %columns, i64 256
  %115 = getelementptr i8, ptr %114, i64 8
  %next47 = load i64, ptr %114, align 1
  store i64 %next47, ptr %115, align 1
  %116 = getelementptr i8, ptr %columns, i64 320
  %117 = getelementptr i8, ptr %116, i64 8
  %next48 = load i64, ptr %116, align 1
  store i64 %next48, ptr %117, align 1
  %118 = add i64 %8, 1
  br label %next

more16:                                           ; preds = %arm
  %119 = call preserve_mostcc ptr @refilled(ptr %0, i64 3)
  %120 = ptrtoint ptr %119 to i64
  %121 = icmp ne i64 %120, 0
  br i1 %121, label %value17, label %bailout, !prof !0

value17:                                          ; preds = %more16, %arm
  %122 = phi ptr [ %next14, %arm ], [ %119, %more16 ]
  %123 = getelementptr i8, ptr %122, i64 8
  store ptr %123, ptr %104, align 1
  %word18 = load i64, ptr %122, align 1
  %124 = sub i64 %word18, -5
  %125 = icmp ult i64 %124, 262
  br i1 %125, label %small19, label %other20

small19:                                          ; preds = %value17
  %126 = mul i64 %124, 8
  %127 = getelementptr i8, ptr @serow_py_small_ints, i64 %126
  %int24 = load ptr, ptr %127, align 1
  %count25 = load i64, ptr %int24, align 1
  %128 = add i64 %count25, 1
  store i64 %128, ptr %int24, align 1
  br label %int23

other20:                                          ; preds = %value17
  %129 = add i64 %word18, 1152921504606846975
  %130 = icmp ult i64 %129, 2305843009213693951
  br i1 %130, label %short21, label %long22, !prof !0

short21:                                          ; preds = %other20
  %131 = call ptr @serow_py_malloc(i64 32)
  %132 = ptrtoint ptr %131 to i64
  %133 = icmp ne i64 %132, 0
  br i1 %133, label %139, label %bailout, !prof !0

long22:                                           ; preds = %other20
  %134 = call ptr @serow_py_make_int(i64 %word18)
  %135 = ptrtoint ptr %134 to i64
  %136 = icmp ne i64 %135, 0
  br i1 %136, label %156, label %bailout, !prof !0

int23:                                            ; preds = %156, %139, %small19
  %137 = phi ptr [ %int24, %small19 ], [ %131, %139 ], [ %134, %156 ]
  %138 = getelementptr i8, ptr %23, i64 40
  store ptr %137, ptr %138, align 1
  br label %join12

139:                                              ; preds = %short21
  %140 = getelementptr i8, ptr %131, i64 256
  call void @llvm.prefetch.p0(ptr %140, i32 0, i32 3, i32 1)
  store i64 1, ptr %131, align 1
  %141 = getelementptr i8, ptr %131, i64 8
  store ptr @serow_py_int, ptr %141, align 1
  %142 = ashr i64 %word18, 63
  %143 = xor i64 %word18, %142
  %144 = sub i64 %143, %142
  %145 = lshr i64 %144, 30
  %146 = and i64 %144, 1073741823
  %147 = shl i64 %145, 32
  %148 = or i64 %146, %147
  %149 = getelementptr i8, ptr %131, i64 24
  store i64 %148, ptr %149, align 1
  %150 = icmp ne i64 %145, 0
  %151 = zext i1 %150 to i64
  %152 = add i64 %151, 1
  %153 = xor i64 %152, %142
  %154 = sub i64 %153, %142
  %155 = getelementptr i8, ptr %131, i64 16
  store i64 %154, ptr %155, align 1
  br label %int23

156:                                              ; preds = %long22
  br label %int23

entry:                                            ; preds = %arm11
  %157 = getelementptr i8, ptr %columns, i64 320
  %next27 = load ptr, ptr %157, align 1
  %158 = getelementptr i8, ptr %157, i64 16
  %end28 = load ptr, ptr %158, align 1
  %159 = icmp eq ptr %next27, %end28
  %160 = xor i1 %159, true
  br i1 %160, label %value30, label %more29, !prof !0

text:                                             ; preds = %arm11
  %161 = getelementptr i8, ptr %columns, i64 320
  %next35 = load ptr, ptr %161, align 1
  %162 = getelementptr i8, ptr %161, i64 16
  %end36 = load ptr, ptr %162, align 1
  %163 = icmp eq ptr %next35, %end36
  %164 = xor i1 %163, true
  br i1 %164, label %value38, label %more37, !prof !0

join26:                                           ; preds = %str, %173
  br label %join12

more29:                                           ; preds = %entry
  %165 = call preserve_mostcc ptr @refilled(ptr %0, i64 5)
  %166 = ptrtoint ptr %165 to i64
  %167 = icmp ne i64 %166, 0
  br i1 %167, label %value30, label %bailout, !prof !0

value30:                                          ; preds = %more29, %entry
  %168 = phi ptr [ %next27, %entry ], [ %165, %more29 ]
  %169 = getelementptr i8, ptr %168, i64 8
  store ptr %169, ptr %157, align 1
  %word31 = load i64, ptr %168, align 1
  %170 = getelementptr i8, ptr %columns, i64 320
  %171 = getelementptr i8, ptr %170, i64 40
  %entries = load i64, ptr %171, align 1
  %172 = icmp ult i64 %word31, %entries
  br i1 %172, label %173, label %bailout, !prof !0

173:                                              ; preds = %value30
  %174 = getelementptr i8, ptr %1, i64 16
  %dictionaries = load ptr, ptr %174, align 1
  %entries32 = load ptr, ptr %dictionaries, align 1
  %175 = mul i64 %word31, 8
  %176 = getelementptr i8, ptr %entries32, i64 %175
  %entry33 = load ptr, ptr %176, align 1
  %count34 = load i64, ptr %entry33, align 1
  %177 = add i64 %count34, 1
  store i64 %177, ptr %entry33, align 1
  %178 = getelementptr i8, ptr %23, i64 40
  store ptr %entry33, ptr %178, align 1
  br label %join26

more37:                                           ; preds = %text
  %179 = call preserve_mostcc ptr @refilled(ptr %0, i64 5)
  %180 = ptrtoint ptr %179 to i64
  %181 = icmp ne i64 %180, 0
  br i1 %181, label %value38, label %bailout, !prof !0

value38:                                          ; preds = %more37, %text
  %182 = phi ptr [ %next35, %text ], [ %179, %more37 ]
  %183 = getelementptr i8, ptr %182, i64 8
  store ptr %183, ptr %161, align 1
  %184 = getelementptr i8, ptr %columns, i64 320
  %begin = load i64, ptr %182, align 1
  %185 = getelementptr i8, ptr %182, i64 8
  %end39 = load i64, ptr %185, align 1
  %186 = getelementptr i8, ptr %184, i64 24
  %text40 = load ptr, ptr %186, align 1
  %187 = getelementptr i8, ptr %text40, i64 %begin
  %188 = getelementptr i8, ptr %184, i64 48
  %ascii = load i64, ptr %188, align 1
  %189 = icmp ne i64 %ascii, 0
  %190 = sub i64 %end39, %begin
  %191 = ptrtoint ptr %187 to i64
  %192 = and i64 %191, 4095
  %193 = icmp ult i64 %192, 4089
  %194 = sub i64 %190, 2
  %195 = icmp ult i64 %194, 63
  %196 = and i1 %195, %193
  %197 = and i1 %196, %189
  br i1 %197, label %short41, label %other42, !prof !0

short41:                                          ; preds = %value38
  %198 = add i64 %190, 64
  %199 = and i64 %198, -16
  %200 = call ptr @serow_py_malloc(i64 %199)
  %201 = ptrtoint ptr %200 to i64
  %202 = icmp ne i64 %201, 0
  br i1 %202, label %208, label %bailout, !prof !0

other42:                                          ; preds = %value38
  %203 = call ptr @serow_py_make_str(ptr %187, i64 %190)
  %204 = ptrtoint ptr %203 to i64
  %205 = icmp ne i64 %204, 0
  br i1 %205, label %241, label %bailout, !prof !0

str:                                              ; preds = %241, %copied
  %206 = phi ptr [ %200, %copied ], [ %203, %241 ]
  %207 = getelementptr i8, ptr %23, i64 40
  store ptr %206, ptr %207, align 1
  br label %join26

208:                                              ; preds = %short41
  %209 = getelementptr i8, ptr %200, i64 256
  call void @llvm.prefetch.p0(ptr %209, i32 0, i32 3, i32 1)
  store i64 1, ptr %200, align 1
  %210 = getelementptr i8, ptr %200, i64 8
  store ptr @serow_py_str, ptr %210, align 1
  %211 = getelementptr i8, ptr %200, i64 320
  call void @llvm.prefetch.p0(ptr %211, i32 0, i32 3, i32 1)
  %212 = getelementptr i8, ptr %200, i64 16
  store i64 %190, ptr %212, align 1
  %213 = getelementptr i8, ptr %200, i64 24
  store i64 -1, ptr %213, align 1
  %214 = getelementptr i8, ptr %200, i64 32
  store i64 228, ptr %214, align 1
  %215 = getelementptr i8, ptr %200, i64 40
  store i64 0, ptr %215, align 1
  %216 = getelementptr i8, ptr %200, i64 48
  %217 = icmp ult i64 %190, 8
  br i1 %217, label %word43, label %some

word43:                                           ; preds = %208
  %218 = load i64, ptr %187, align 1
  store i64 %218, ptr %216, align 1
  br label %copied

some:                                             ; preds = %208
  %219 = icmp ult i64 %190, 16
  br i1 %219, label %two, label %more44

two:                                              ; preds = %some
  %220 = sub i64 %190, 8
  %221 = getelementptr i8, ptr %187, i64 %220
  %222 = load i64, ptr %221, align 1
  %223 = load i64, ptr %187, align 1
  store i64 %223, ptr %216, align 1
  %224 = getelementptr i8, ptr %216, i64 %220
  store i64 %222, ptr %224, align 1
  br label %copied

more44:                                           ; preds = %some
  %225 = sub i64 %190, 16
  %226 = icmp ult i64 %225, 16
  %227 = select i1 %226, i64 %225, i64 16
  %228 = sub i64 %225, 16
  %229 = select i1 %226, i64 0, i64 %228
  %230 = load <16 x i8>, ptr %187, align 1
  store <16 x i8> %230, ptr %216, align 1
  %231 = getelementptr i8, ptr %187, i64 %227
  %232 = load <16 x i8>, ptr %231, align 1
  %233 = getelementptr i8, ptr %216, i64 %227
  store <16 x i8> %232, ptr %233, align 1
  %234 = getelementptr i8, ptr %187, i64 %229
  %235 = load <16 x i8>, ptr %234, align 1
  %236 = getelementptr i8, ptr %216, i64 %229
  store <16 x i8> %235, ptr %236, align 1
  %237 = getelementptr i8, ptr %187, i64 %225
  %238 = load <16 x i8>, ptr %237, align 1
  %239 = getelementptr i8, ptr %216, i64 %225
  store <16 x i8> %238, ptr %239, align 1
  br label %copied

copied:                                           ; preds = %more44, %two, %word43
  %240 = getelementptr i8, ptr %216, i64 %190
  store i8 0, ptr %240, align 1
  br label %str

241:                                              ; preds = %other42
  br label %str
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
define internal preserve_mostcc ptr @refilled(ptr %0, i64 %1) #0 {
start:
  %2 = call i8 @serow_refill(ptr %0, i64 %1)
  %3 = icmp eq i8 %2, 1
  br i1 %3, label %some, label %none

some:                                             ; preds = %start
  %4 = getelementptr i8, ptr %0, i64 8
  %columns = load ptr, ptr %4, align 1
  %5 = mul i64 %1, 64
  %6 = getelementptr i8, ptr %columns, i64 %5
  %next = load ptr, ptr %6, align 1
  ret ptr %next

none:                                             ; preds = %start
  ret ptr null
}

; Function Attrs: nounwind
declare i8 @serow_refill(ptr, i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_make_int(i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_make_list(i64) #0

; Function Attrs: nounwind
declare void @serow_py_track(ptr) #0

; Function Attrs: nounwind
declare ptr @serow_py_make_str(ptr, i64) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }

!0 = !{!"branch_weights", i32 2000, i32 1}
