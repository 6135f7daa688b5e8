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

leave:                                            ; preds = %other42, %short41, %more37, %value30, %more29, %long22, %short21, %more16, %after, %value9, %more8, %join, %long, %short, %more, %10, %next
  %5 = sub i64 %8, %2
  %6 = getelementptr i8, ptr %0, i64 16
  store i64 %5, ptr %6, align 1
  %7 = getelementptr i8, ptr %1, i64 8
  store i64 %5, ptr %7, align 1
  ret i64 %8

next:                                             ; preds = %join12, %start
  %8 = phi i64 [ %2, %start ], [ %114, %join12 ]
  %9 = icmp ult i64 %8, %3
  br i1 %9, label %10, label %leave, !prof !0

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
  store i64 3, ptr %23, align 1
  %24 = getelementptr i8, ptr %21, i64 24
  store i64 0, ptr %24, align 1
  %25 = getelementptr i8, ptr %21, i64 32
  store i64 0, ptr %25, align 1
  %26 = getelementptr i8, ptr %21, i64 40
  store i64 0, ptr %26, align 1
  store ptr %21, ptr %13, align 1
  %27 = getelementptr i8, ptr %15, i64 12336
  %word = load i64, ptr %27, align 1
  %28 = icmp ne i64 %word, 0
  br i1 %28, label %present, label %absent

present:                                          ; preds = %19
  %next1 = load ptr, ptr %columns, align 1
  %29 = getelementptr i8, ptr %columns, i64 16
  %end = load ptr, ptr %29, align 1
  %30 = icmp eq ptr %next1, %end
  %31 = xor i1 %30, true
  br i1 %31, label %value, label %more, !prof !0

absent:                                           ; preds = %19
  %count4 = load i64, ptr @serow_py_none, align 1
  %32 = add i64 %count4, 1
  store i64 %32, ptr @serow_py_none, align 1
  %33 = getelementptr i8, ptr %21, i64 24
  store ptr @serow_py_none, ptr %33, align 1
  br label %join

join:                                             ; preds = %absent, %int
  %34 = getelementptr i8, ptr %15, i64 2056
  %word5 = load i64, ptr %34, align 1
  %35 = call ptr @serow_py_make_list(i64 %word5)
  %36 = ptrtoint ptr %35 to i64
  %37 = icmp ne i64 %36, 0
  br i1 %37, label %75, label %leave, !prof !0

more:                                             ; preds = %present
  %38 = call preserve_mostcc ptr @refilled(ptr %0, i64 0)
  %39 = ptrtoint ptr %38 to i64
  %40 = icmp ne i64 %39, 0
  br i1 %40, label %value, label %leave, !prof !0

value:                                            ; preds = %more, %present
  %41 = phi ptr [ %next1, %present ], [ %38, %more ]
  %42 = getelementptr i8, ptr %41, i64 8
  store ptr %42, ptr %columns, align 1
  %word2 = load i64, ptr %41, align 1
  %43 = sub i64 %word2, -5
  %44 = icmp ult i64 %43, 262
  br i1 %44, label %small, label %other

small:                                            ; preds = %value
  %45 = mul i64 %43, 8
  %46 = getelementptr i8, ptr @serow_py_small_ints, i64 %45
  %int3 = load ptr, ptr %46, align 1
  %count = load i64, ptr %int3, align 1
  %47 = add i64 %count, 1
  store i64 %47, ptr %int3, align 1
  br label %int

other:                                            ; preds = %value
  %48 = add i64 %word2, 1152921504606846975
  %49 = icmp ult i64 %48, 2305843009213693951
  br i1 %49, label %short, label %long, !prof !0

short:                                            ; preds = %other
  %50 = call ptr @serow_py_malloc(i64 32)
  %51 = ptrtoint ptr %50 to i64
  %52 = icmp ne i64 %51, 0
  br i1 %52, label %58, label %leave, !prof !0

long:                                             ; preds = %other
  %53 = call ptr @serow_py_make_int(i64 %word2)
  %54 = ptrtoint ptr %53 to i64
  %55 = icmp ne i64 %54, 0
  br i1 %55, label %74, label %leave, !prof !0

int:                                              ; preds = %74, %58, %small
  %56 = phi ptr [ %int3, %small ], [ %50, %58 ], [ %53, %74 ]
  %57 = getelementptr i8, ptr %21, i64 24
  store ptr %56, ptr %57, align 1
  br label %join

58:                                               ; preds = %short
  store i64 1, ptr %50, align 1
  %59 = getelementptr i8, ptr %50, i64 8
  store ptr @serow_py_int, ptr %59, align 1
  %60 = ashr i64 %word2, 63
  %61 = xor i64 %word2, %60
  %62 = sub i64 %61, %60
  %63 = lshr i64 %62, 30
  %64 = and i64 %62, 1073741823
  %65 = shl i64 %63, 32
  %66 = or i64 %64, %65
  %67 = getelementptr i8, ptr %50, i64 24
  store i64 %66, ptr %67, align 1
  %68 = icmp ne i64 %63, 0
  %69 = zext i1 %68 to i64
  %70 = add i64 %69, 1
  %71 = xor i64 %70, %60
  %72 = sub i64 %71, %60
  %73 = getelementptr i8, ptr %50, i64 16
  store i64 %72, ptr %73, align 1
  br label %int

74:                                               ; preds = %long
  br label %int

75:                                               ; preds = %join
  %76 = getelementptr i8, ptr %21, i64 32
  store ptr %35, ptr %76, align 1
  %77 = getelementptr i8, ptr %35, i64 24
  %items = load ptr, ptr %77, align 1
  %78 = icmp ne i64 %word5, 0
  br i1 %78, label %element, label %after

element:                                          ; preds = %95, %75
  %79 = phi i64 [ 0, %75 ], [ %98, %95 ]
  %80 = mul i64 %79, 8
  %81 = getelementptr i8, ptr %items, i64 %80
  %82 = getelementptr i8, ptr %columns, i64 224
  %next6 = load ptr, ptr %82, align 1
  %83 = getelementptr i8, ptr %82, i64 16
  %end7 = load ptr, ptr %83, align 1
  %84 = icmp eq ptr %next6, %end7
  %85 = xor i1 %84, true
  br i1 %85, label %value9, label %more8, !prof !0

after:                                            ; preds = %95, %75
  call void @serow_py_track(ptr %35)
  %86 = getelementptr i8, ptr %15, i64 4112
  %word13 = load i64, ptr %86, align 1
  switch i64 %word13, label %leave [
    i64 0, label %arm
    i64 1, label %arm11
  ]

more8:                                            ; preds = %element
  %87 = call preserve_mostcc ptr @refilled(ptr %0, i64 4)
  %88 = ptrtoint ptr %87 to i64
  %89 = icmp ne i64 %88, 0
  br i1 %89, label %value9, label %leave, !prof !0

value9:                                           ; preds = %more8, %element
  %90 = phi ptr [ %next6, %element ], [ %87, %more8 ]
  %91 = getelementptr i8, ptr %90, i64 8
  store ptr %91, ptr %82, align 1
  %word10 = load i64, ptr %90, align 1
  %92 = call ptr @serow_py_malloc(i64 24)
  %93 = ptrtoint ptr %92 to i64
  %94 = icmp ne i64 %93, 0
  br i1 %94, label %95, label %leave, !prof !0

95:                                               ; preds = %value9
  store i64 1, ptr %92, align 1
  %96 = getelementptr i8, ptr %92, i64 8
  store ptr @serow_py_float, ptr %96, align 1
  %97 = getelementptr i8, ptr %92, i64 16
  store i64 %word10, ptr %97, align 1
  store ptr %92, ptr %81, align 1
  %98 = add i64 %79, 1
  %99 = icmp ult i64 %98, %word5
  br i1 %99, label %element, label %after

arm:                                              ; preds = %after
  %100 = getelementptr i8, ptr %columns, i64 168
  %next14 = load ptr, ptr %100, align 1
  %101 = getelementptr i8, ptr %100, i64 16
  %end15 = load ptr, ptr %101, align 1
  %102 = icmp eq ptr %next14, %end15
  %103 = xor i1 %102, true
  br i1 %103, label %value17, label %more16, !prof !0

arm11:                                            ; preds = %after
  %104 = getelementptr i8, ptr %columns, i64 280
  %105 = getelementptr i8, ptr %104, i64 32
  %is_dictionary = load i64, ptr %105, align 1
  %106 = icmp ne i64 %is_dictionary, 0
  br i1 %106, label %entry, label %text

join12:                                           ; preds = %join26, %int23
  call void @serow_py_track(ptr %21)
  %107 = getelementptr i8, ptr %columns, i64 8
  %next45 = load i64, ptr %columns, align 1
  store i64 %next45, ptr %107, align 1
  %108 = getelementptr i8, ptr %columns, i64 168
  %109 = getelementptr i8, ptr %108, i64 8
  %next46 = load i64, ptr %108, align 1
  store i64 %next46, ptr %109, align 1
  %110 = getelementptr i8, ptr %columns, i64 224
  %111 = getelementptr i8, ptr %110, i64 8
  %next47 = load i64, ptr %110, align 1
  store i64 %next47, ptr %111, align 1
  %112 = getelementptr i8, ptr %columns, i64 280
  %113 = getelementptr i8, ptr %112, i64 8
  %next48 = load i64, ptr %112, align 1
  store i64 %next48, ptr %113, align 1
  %114 = add i64 %8, 1
  br label %next

more16:                                           ; preds = %arm
  %115 = call preserve_mostcc ptr @refilled(ptr %0, i64 3)
  %116 = ptrtoint ptr %115 to i64
  %117 = icmp ne i64 %116, 0
  br i1 %117, label %value17, label %leave, !prof !0

value17:                                          ; preds = %more16, %arm
  %118 = phi ptr [ %next14, %arm ], [ %115, %more16 ]
  %119 = getelementptr i8, ptr %118, i64 8
  store ptr %119, ptr %100, align 1
  %word18 = load i64, ptr %118, align 1
  %120 = sub i64 %word18, -5
  %121 = icmp ult i64 %120, 262
  br i1 %121, label %small19, label %other20

small19:                                          ; preds = %value17
  %122 = mul i64 %120, 8
  %123 = getelementptr i8, ptr @serow_py_small_ints, i64 %122
  %int24 = load ptr, ptr %123, align 1
  %count25 = load i64, ptr %int24, align 1
  %124 = add i64 %count25, 1
  store i64 %124, ptr %int24, align 1
  br label %int23

other20:                                          ; preds = %value17
  %125 = add i64 %word18, 1152921504606846975
  %126 = icmp ult i64 %125, 2305843009213693951
  br i1 %126, label %short21, label %long22, !prof !0

short21:                                          ; preds = %other20
  %127 = call ptr @serow_py_malloc(i64 32)
  %128 = ptrtoint ptr %127 to i64
  %129 = icmp ne i64 %128, 0
  br i1 %129, label %135, label %leave, !prof !0

long22:                                           ; preds = %other20
  %130 = call ptr @serow_py_make_int(i64 %word18)
  %131 = ptrtoint ptr %130 to i64
  %132 = icmp ne i64 %131, 0
  br i1 %132, label %151, label %leave, !prof !0

int23:                                            ; preds = %151, %135, %small19
  %133 = phi ptr [ %int24, %small19 ], [ %127, %135 ], [ %130, %151 ]
  %134 = getelementptr i8, ptr %21, i64 40
  store ptr %133, ptr %134, align 1
  br label %join12

135:                                              ; preds = %short21
  store i64 1, ptr %127, align 1
  %136 = getelementptr i8, ptr %127, i64 8
  store ptr @serow_py_int, ptr %136, align 1
  %137 = ashr i64 %word18, 63
  %138 = xor i64 %word18, %137
  %139 = sub i64 %138, %137
  %140 = lshr i64 %139, 30
  %141 = and i64 %139, 1073741823
  %142 = shl i64 %140, 32
  %143 = or i64 %141, %142
  %144 = getelementptr i8, ptr %127, i64 24
  store i64 %143, ptr %144, align 1
  %145 = icmp ne i64 %140, 0
  %146 = zext i1 %145 to i64
  %147 = add i64 %146, 1
  %148 = xor i64 %147, %137
  %149 = sub i64 %148, %137
  %150 = getelementptr i8, ptr %127, i64 16
  store i64 %149, ptr %150, align 1
  br label %int23

151:                                              ; preds = %long22
  br label %int23

entry:                                            ; preds = %arm11
  %152 = getelementptr i8, ptr %columns, i64 280
  %next27 = load ptr, ptr %152, align 1
  %153 = getelementptr i8, ptr %152, i64 16
  %end28 = load ptr, ptr %153, align 1
  %154 = icmp eq ptr %next27, %end28
  %155 = xor i1 %154, true
  br i1 %155, label %value30, label %more29, !prof !0

text:                                             ; preds = %arm11
  %156 = getelementptr i8, ptr %columns, i64 280
  %next35 = load ptr, ptr %156, align 1
  %157 = getelementptr i8, ptr %156, i64 16
  %end36 = load ptr, ptr %157, align 1
  %158 = icmp eq ptr %next35, %end36
  %159 = xor i1 %158, true
  br i1 %159, label %value38, label %more37, !prof !0

join26:                                           ; preds = %str, %168
  br label %join12

more29:                                           ; preds = %entry
  %160 = call preserve_mostcc ptr @refilled(ptr %0, i64 5)
  %161 = ptrtoint ptr %160 to i64
  %162 = icmp ne i64 %161, 0
  br i1 %162, label %value30, label %leave, !prof !0

value30:                                          ; preds = %more29, %entry
  %163 = phi ptr [ %next27, %entry ], [ %160, %more29 ]
  %164 = getelementptr i8, ptr %163, i64 8
  store ptr %164, ptr %152, align 1
  %word31 = load i64, ptr %163, align 1
  %165 = getelementptr i8, ptr %columns, i64 280
  %166 = getelementptr i8, ptr %165, i64 40
  %entries = load i64, ptr %166, align 1
  %167 = icmp ult i64 %word31, %entries
  br i1 %167, label %168, label %leave, !prof !0

168:                                              ; preds = %value30
  %169 = getelementptr i8, ptr %1, i64 16
  %dictionaries = load ptr, ptr %169, align 1
  %entries32 = load ptr, ptr %dictionaries, align 1
  %170 = mul i64 %word31, 8
  %171 = getelementptr i8, ptr %entries32, i64 %170
  %entry33 = load ptr, ptr %171, align 1
  %count34 = load i64, ptr %entry33, align 1
  %172 = add i64 %count34, 1
  store i64 %172, ptr %entry33, align 1
  %173 = getelementptr i8, ptr %21, i64 40
  store ptr %entry33, ptr %173, align 1
  br label %join26

more37:                                           ; preds = %text
  %174 = call preserve_mostcc ptr @refilled(ptr %0, i64 5)
  %175 = ptrtoint ptr %174 to i64
  %176 = icmp ne i64 %175, 0
  br i1 %176, label %value38, label %leave, !prof !0

value38:                                          ; preds = %more37, %text
  %177 = phi ptr [ %next35, %text ], [ %174, %more37 ]
  %178 = getelementptr i8, ptr %177, i64 8
  store ptr %178, ptr %156, align 1
  %begin = load i64, ptr %177, align 1
  %179 = getelementptr i8, ptr %177, i64 8
  %end39 = load i64, ptr %179, align 1
  %180 = getelementptr i8, ptr %columns, i64 280
  %181 = getelementptr i8, ptr %180, i64 24
  %text40 = load ptr, ptr %181, align 1
  %182 = getelementptr i8, ptr %text40, i64 %begin
  %183 = getelementptr i8, ptr %180, i64 48
  %ascii = load i64, ptr %183, align 1
  %184 = icmp ne i64 %ascii, 0
  %185 = sub i64 %end39, %begin
  %186 = ptrtoint ptr %182 to i64
  %187 = and i64 %186, 4095
  %188 = icmp ult i64 %187, 4089
  %189 = sub i64 %185, 2
  %190 = icmp ult i64 %189, 63
  %191 = and i1 %190, %188
  %192 = and i1 %191, %184
  br i1 %192, label %short41, label %other42, !prof !0

short41:                                          ; preds = %value38
  %193 = add i64 %185, 64
  %194 = and i64 %193, -16
  %195 = call ptr @serow_py_malloc(i64 %194)
  %196 = ptrtoint ptr %195 to i64
  %197 = icmp ne i64 %196, 0
  br i1 %197, label %203, label %leave, !prof !0

other42:                                          ; preds = %value38
  %198 = call ptr @serow_py_make_str(ptr %182, i64 %185)
  %199 = ptrtoint ptr %198 to i64
  %200 = icmp ne i64 %199, 0
  br i1 %200, label %239, label %leave, !prof !0

str:                                              ; preds = %239, %copied
  %201 = phi ptr [ %195, %copied ], [ %198, %239 ]
  %202 = getelementptr i8, ptr %21, i64 40
  store ptr %201, ptr %202, align 1
  br label %join26

203:                                              ; preds = %short41
  store i64 1, ptr %195, align 1
  %204 = getelementptr i8, ptr %195, i64 8
  store ptr @serow_py_str, ptr %204, align 1
  %205 = getelementptr i8, ptr %195, i64 16
  store i64 %185, ptr %205, align 1
  %206 = getelementptr i8, ptr %195, i64 24
  store i64 -1, ptr %206, align 1
  %207 = getelementptr i8, ptr %195, i64 32
  store i64 228, ptr %207, align 1
  %208 = getelementptr i8, ptr %195, i64 40
  store i64 0, ptr %208, align 1
  %209 = getelementptr i8, ptr %195, i64 48
  %210 = icmp ult i64 %185, 8
  br i1 %210, label %word43, label %some

word43:                                           ; preds = %203
  %211 = load i64, ptr %182, align 1
  store i64 %211, ptr %209, align 1
  br label %copied

some:                                             ; preds = %203
  %212 = icmp ult i64 %185, 16
  br i1 %212, label %two, label %more44

two:                                              ; preds = %some
  %213 = sub i64 %185, 8
  %214 = getelementptr i8, ptr %182, i64 %213
  %215 = load i64, ptr %214, align 1
  %216 = load i64, ptr %182, align 1
  store i64 %216, ptr %209, align 1
  %217 = getelementptr i8, ptr %209, i64 %213
  store i64 %215, ptr %217, align 1
  br label %copied

more44:                                           ; preds = %some
  %218 = sub i64 %185, 16
  %219 = icmp ult i64 %218, 16
  %220 = select i1 %219, i64 %218, i64 16
  %221 = sub i64 %218, 16
  %222 = select i1 %219, i64 0, i64 %221
  %223 = getelementptr i8, ptr %209, i64 %220
  %224 = getelementptr i8, ptr %209, i64 %222
  %225 = getelementptr i8, ptr %209, i64 %218
  %226 = sub i64 %185, 16
  %227 = icmp ult i64 %226, 16
  %228 = select i1 %227, i64 %226, i64 16
  %229 = sub i64 %226, 16
  %230 = select i1 %227, i64 0, i64 %229
  %231 = getelementptr i8, ptr %182, i64 %228
  %232 = getelementptr i8, ptr %182, i64 %230
  %233 = getelementptr i8, ptr %182, i64 %226
  %234 = load <16 x i8>, ptr %182, align 1
  store <16 x i8> %234, ptr %209, align 1
  %235 = load <16 x i8>, ptr %231, align 1
  store <16 x i8> %235, ptr %223, align 1
  %236 = load <16 x i8>, ptr %232, align 1
  store <16 x i8> %236, ptr %224, align 1
  %237 = load <16 x i8>, ptr %233, align 1
  store <16 x i8> %237, ptr %225, align 1
  br label %copied

copied:                                           ; preds = %more44, %two, %word43
  %238 = getelementptr i8, ptr %209, i64 %185
  store i8 0, ptr %238, align 1
  br label %str

239:                                              ; preds = %other42
  br label %str
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nounwind
define internal preserve_mostcc ptr @refilled(ptr %0, i64 %1) #0 {
start:
  %2 = call i8 @serow_refill(ptr %0, i64 %1)
  %3 = icmp eq i8 %2, 1
  br i1 %3, label %some, label %none

some:                                             ; preds = %start
  %4 = getelementptr i8, ptr %0, i64 8
  %columns = load ptr, ptr %4, align 1
  %5 = mul i64 %1, 56
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

!0 = !{!"branch_weights", i32 2000, i32 1}
