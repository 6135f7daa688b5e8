; A map of Spark's: two lists that are walked together. Their slots have to lie within the map before
; any is read.
;
; schema struct{"a": map<byte, long?>}
; from unsafe to row
;
; 0  record Row of 1, a
; 1  sequence as map, int 0, to 6, 19 bytes each
; 2  i64, int 1
; 3  optional, bit 0, else to 5
; 4  i64, int 2
; 5  next, from 2
; 6  leave
; 7  end

define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %next = load ptr, ptr %0, align 1
  %4 = getelementptr i8, ptr %0, i64 8
  %end = load ptr, ptr %4, align 1
  %memory = load ptr, ptr %1, align 1
  %start1 = load ptr, ptr %memory, align 1
  %5 = getelementptr i8, ptr %memory, i64 8
  %len = load i64, ptr %5, align 1
  %6 = getelementptr i8, ptr %start1, i64 %len
  %7 = getelementptr i8, ptr %memory, i64 16
  %limit = load i64, ptr %7, align 1
  %8 = getelementptr i8, ptr %start1, i64 %limit
  %9 = getelementptr i8, ptr %1, i64 8
  %full = load i64, ptr %9, align 1
  %10 = getelementptr i8, ptr %start1, i64 %full
  br label %next2

leave:                                            ; preds = %234, %228, %after, %element, %112, %95, %88, %86, %78, %76, %69, %67, %59, %57, %54, %50, %48, %45, %40, %34, %32, %27, %21, %next2
  %11 = sub i64 %16, %2
  store ptr %17, ptr %0, align 1
  %memory6 = load ptr, ptr %1, align 1
  %start7 = load ptr, ptr %memory6, align 1
  %12 = ptrtoint ptr %start7 to i64
  %13 = ptrtoint ptr %19 to i64
  %14 = sub i64 %13, %12
  %15 = getelementptr i8, ptr %memory6, i64 8
  store i64 %14, ptr %15, align 1
  ret i64 %16

next2:                                            ; preds = %238, %start
  %16 = phi i64 [ %2, %start ], [ %240, %238 ]
  %17 = phi ptr [ %next, %start ], [ %132, %238 ]
  %18 = phi i64 [ 0, %start ], [ %133, %238 ]
  %19 = phi ptr [ %6, %start ], [ %134, %238 ]
  %20 = icmp ult i64 %16, %3
  br i1 %20, label %21, label %leave, !prof !0

21:                                               ; preds = %next2
  %22 = sub i64 %16, %2
  %23 = ptrtoint ptr %19 to i64
  %24 = ptrtoint ptr %8 to i64
  %25 = sub i64 %24, %23
  %26 = icmp ugt i64 %25, 13
  br i1 %26, label %27, label %leave, !prof !0

27:                                               ; preds = %21
  %28 = getelementptr i8, ptr %19, i64 4
  %size = load i64, ptr %17, align 1
  %29 = getelementptr i8, ptr %17, i64 8
  %30 = getelementptr i8, ptr %29, i64 %size
  %31 = icmp ule i64 16, %size
  br i1 %31, label %32, label %leave, !prof !0

32:                                               ; preds = %27
  %33 = icmp uge i64 %size, 16
  br i1 %33, label %34, label %leave, !prof !0

34:                                               ; preds = %32
  %35 = sub i64 %size, 16
  %36 = getelementptr i8, ptr %29, i64 8
  %bits = load i8, ptr %29, align 1
  %37 = and i8 %bits, 1
  %38 = icmp ne i8 %37, 0
  %39 = icmp eq i1 %38, false
  br i1 %39, label %40, label %leave, !prof !0

40:                                               ; preds = %34
  %word = load i64, ptr %36, align 1
  %41 = lshr i64 %word, 32
  %42 = and i64 %word, 4294967295
  %43 = add i64 %41, %42
  %44 = icmp ule i64 %43, %size
  br i1 %44, label %45, label %leave, !prof !0

45:                                               ; preds = %40
  %46 = getelementptr i8, ptr %29, i64 %41
  %47 = icmp uge i64 %42, 8
  br i1 %47, label %48, label %leave, !prof !0

48:                                               ; preds = %45
  %keys = load i64, ptr %46, align 1
  %49 = icmp uge i64 %35, 8
  br i1 %49, label %50, label %leave, !prof !0

50:                                               ; preds = %48
  %51 = sub i64 %35, 8
  %52 = sub i64 %42, 8
  %53 = icmp ule i64 %keys, %52
  br i1 %53, label %54, label %leave, !prof !0

54:                                               ; preds = %50
  %55 = getelementptr i8, ptr %46, i64 8
  %56 = icmp uge i64 %keys, 8
  br i1 %56, label %57, label %leave, !prof !0

57:                                               ; preds = %54
  %count = load i64, ptr %55, align 1
  %58 = icmp ule i64 %count, %keys
  br i1 %58, label %59, label %leave, !prof !0

59:                                               ; preds = %57
  %60 = add i64 %count, 63
  %61 = lshr i64 %60, 6
  %62 = shl i64 %61, 3
  %63 = mul i64 %count, 1
  %64 = add i64 %62, %63
  %65 = add i64 %64, 8
  %66 = icmp ule i64 %65, %keys
  br i1 %66, label %67, label %leave, !prof !0

67:                                               ; preds = %59
  %68 = icmp uge i64 %51, %65
  br i1 %68, label %69, label %leave, !prof !0

69:                                               ; preds = %67
  %70 = sub i64 %51, %65
  %71 = getelementptr i8, ptr %55, i64 8
  %72 = getelementptr i8, ptr %71, i64 %62
  %73 = getelementptr i8, ptr %55, i64 %keys
  %74 = sub i64 %52, %keys
  %75 = icmp uge i64 %74, 8
  br i1 %75, label %76, label %leave, !prof !0

76:                                               ; preds = %69
  %count3 = load i64, ptr %73, align 1
  %77 = icmp ule i64 %count3, %74
  br i1 %77, label %78, label %leave, !prof !0

78:                                               ; preds = %76
  %79 = add i64 %count3, 63
  %80 = lshr i64 %79, 6
  %81 = shl i64 %80, 3
  %82 = mul i64 %count3, 8
  %83 = add i64 %81, %82
  %84 = add i64 %83, 8
  %85 = icmp ule i64 %84, %74
  br i1 %85, label %86, label %leave, !prof !0

86:                                               ; preds = %78
  %87 = icmp uge i64 %70, %84
  br i1 %87, label %88, label %leave, !prof !0

88:                                               ; preds = %86
  %89 = sub i64 %70, %84
  %90 = getelementptr i8, ptr %73, i64 8
  %91 = getelementptr i8, ptr %90, i64 %81
  %92 = icmp eq i64 %count, %count3
  br i1 %92, label %93, label %leave, !prof !0

93:                                               ; preds = %88
  %94 = icmp ult i64 %count, 128
  br i1 %94, label %98, label %103

95:                                               ; preds = %110, %105, %98
  %96 = phi ptr [ %102, %98 ], [ %109, %105 ], [ %111, %110 ]
  %97 = icmp ult i64 %count, 4294967296
  br i1 %97, label %112, label %leave, !prof !0

98:                                               ; preds = %93
  %99 = shl i64 %count, 1
  %100 = or i64 %99, 1
  %101 = trunc i64 %100 to i8
  store i8 %101, ptr %28, align 1
  %102 = getelementptr i8, ptr %28, i64 1
  br label %95

103:                                              ; preds = %93
  %104 = icmp ult i64 %count, 16384
  br i1 %104, label %105, label %110

105:                                              ; preds = %103
  %106 = shl i64 %count, 2
  %107 = or i64 %106, 2
  %108 = trunc i64 %107 to i16
  store i16 %108, ptr %28, align 1
  %109 = getelementptr i8, ptr %28, i64 2
  br label %95

110:                                              ; preds = %103
  %111 = call preserve_mostcc ptr @long_varint(ptr %28, i64 %count)
  br label %95

112:                                              ; preds = %95
  %113 = mul i64 %count, 19
  %114 = ptrtoint ptr %96 to i64
  %115 = ptrtoint ptr %8 to i64
  %116 = sub i64 %115, %114
  %117 = icmp ugt i64 %116, %113
  br i1 %117, label %118, label %leave, !prof !0

118:                                              ; preds = %112
  %119 = icmp ne i64 %count, 0
  br i1 %119, label %element, label %after

element:                                          ; preds = %join, %118
  %120 = phi i64 [ 0, %118 ], [ %196, %join ]
  %121 = phi ptr [ %30, %118 ], [ %193, %join ]
  %122 = phi i64 [ %89, %118 ], [ %194, %join ]
  %123 = phi ptr [ %96, %118 ], [ %195, %join ]
  %124 = lshr i64 %120, 3
  %125 = getelementptr i8, ptr %71, i64 %124
  %bits4 = load i8, ptr %125, align 1
  %126 = zext i8 %bits4 to i64
  %127 = and i64 %120, 7
  %128 = lshr i64 %126, %127
  %129 = and i64 %128, 1
  %130 = icmp ne i64 %129, 0
  %131 = icmp eq i1 %130, false
  br i1 %131, label %139, label %leave, !prof !0

after:                                            ; preds = %join, %118
  %132 = phi ptr [ %30, %118 ], [ %193, %join ]
  %133 = phi i64 [ %89, %118 ], [ %194, %join ]
  %134 = phi ptr [ %96, %118 ], [ %195, %join ]
  %135 = ptrtoint ptr %134 to i64
  %136 = ptrtoint ptr %8 to i64
  %137 = sub i64 %136, %135
  %138 = icmp ugt i64 %137, 13
  br i1 %138, label %228, label %leave, !prof !0

139:                                              ; preds = %element
  %140 = mul i64 %120, 1
  %141 = getelementptr i8, ptr %72, i64 %140
  %int = load i8, ptr %141, align 1
  %142 = sext i8 %int to i64
  %143 = shl i64 %142, 1
  %144 = ashr i64 %142, 63
  %145 = xor i64 %143, %144
  %146 = icmp ult i64 %145, 128
  br i1 %146, label %157, label %162

147:                                              ; preds = %183, %178, %171, %164, %157
  %148 = phi ptr [ %161, %157 ], [ %168, %164 ], [ %175, %171 ], [ %182, %178 ], [ %184, %183 ]
  %149 = lshr i64 %120, 3
  %150 = getelementptr i8, ptr %90, i64 %149
  %bits5 = load i8, ptr %150, align 1
  %151 = zext i8 %bits5 to i64
  %152 = and i64 %120, 7
  %153 = lshr i64 %151, %152
  %154 = and i64 %153, 1
  %155 = icmp ne i64 %154, 0
  %156 = icmp eq i1 %155, false
  br i1 %156, label %present, label %absent

157:                                              ; preds = %139
  %158 = shl i64 %145, 1
  %159 = or i64 %158, 1
  %160 = trunc i64 %159 to i8
  store i8 %160, ptr %123, align 1
  %161 = getelementptr i8, ptr %123, i64 1
  br label %147

162:                                              ; preds = %139
  %163 = icmp ult i64 %145, 16384
  br i1 %163, label %164, label %169

164:                                              ; preds = %162
  %165 = shl i64 %145, 2
  %166 = or i64 %165, 2
  %167 = trunc i64 %166 to i16
  store i16 %167, ptr %123, align 1
  %168 = getelementptr i8, ptr %123, i64 2
  br label %147

169:                                              ; preds = %162
  %170 = icmp ult i64 %145, 2097152
  br i1 %170, label %171, label %176

171:                                              ; preds = %169
  %172 = shl i64 %145, 3
  %173 = or i64 %172, 4
  %174 = trunc i64 %173 to i32
  store i32 %174, ptr %123, align 1
  %175 = getelementptr i8, ptr %123, i64 3
  br label %147

176:                                              ; preds = %169
  %177 = icmp ult i64 %145, 268435456
  br i1 %177, label %178, label %183

178:                                              ; preds = %176
  %179 = shl i64 %145, 4
  %180 = or i64 %179, 8
  %181 = trunc i64 %180 to i32
  store i32 %181, ptr %123, align 1
  %182 = getelementptr i8, ptr %123, i64 4
  br label %147

183:                                              ; preds = %176
  %184 = call preserve_mostcc ptr @long_varint(ptr %123, i64 %145)
  br label %147

present:                                          ; preds = %147
  store i8 1, ptr %148, align 1
  %185 = getelementptr i8, ptr %148, i64 1
  %186 = mul i64 %120, 8
  %187 = getelementptr i8, ptr %91, i64 %186
  %i64 = load i64, ptr %187, align 1
  %188 = shl i64 %i64, 1
  %189 = ashr i64 %i64, 63
  %190 = xor i64 %188, %189
  %191 = icmp ult i64 %190, 128
  br i1 %191, label %200, label %205

absent:                                           ; preds = %147
  store i8 0, ptr %148, align 1
  %192 = getelementptr i8, ptr %148, i64 1
  br label %join

join:                                             ; preds = %absent, %198
  %193 = phi ptr [ %121, %198 ], [ %121, %absent ]
  %194 = phi i64 [ %122, %198 ], [ %122, %absent ]
  %195 = phi ptr [ %199, %198 ], [ %192, %absent ]
  %196 = add i64 %120, 1
  %197 = icmp ult i64 %196, %count
  br i1 %197, label %element, label %after

198:                                              ; preds = %226, %221, %214, %207, %200
  %199 = phi ptr [ %204, %200 ], [ %211, %207 ], [ %218, %214 ], [ %225, %221 ], [ %227, %226 ]
  br label %join

200:                                              ; preds = %present
  %201 = shl i64 %190, 1
  %202 = or i64 %201, 1
  %203 = trunc i64 %202 to i8
  store i8 %203, ptr %185, align 1
  %204 = getelementptr i8, ptr %185, i64 1
  br label %198

205:                                              ; preds = %present
  %206 = icmp ult i64 %190, 16384
  br i1 %206, label %207, label %212

207:                                              ; preds = %205
  %208 = shl i64 %190, 2
  %209 = or i64 %208, 2
  %210 = trunc i64 %209 to i16
  store i16 %210, ptr %185, align 1
  %211 = getelementptr i8, ptr %185, i64 2
  br label %198

212:                                              ; preds = %205
  %213 = icmp ult i64 %190, 2097152
  br i1 %213, label %214, label %219

214:                                              ; preds = %212
  %215 = shl i64 %190, 3
  %216 = or i64 %215, 4
  %217 = trunc i64 %216 to i32
  store i32 %217, ptr %185, align 1
  %218 = getelementptr i8, ptr %185, i64 3
  br label %198

219:                                              ; preds = %212
  %220 = icmp ult i64 %190, 268435456
  br i1 %220, label %221, label %226

221:                                              ; preds = %219
  %222 = shl i64 %190, 4
  %223 = or i64 %222, 8
  %224 = trunc i64 %223 to i32
  store i32 %224, ptr %185, align 1
  %225 = getelementptr i8, ptr %185, i64 4
  br label %198

226:                                              ; preds = %219
  %227 = call preserve_mostcc ptr @long_varint(ptr %185, i64 %190)
  br label %198

228:                                              ; preds = %after
  %229 = ptrtoint ptr %19 to i64
  %230 = ptrtoint ptr %134 to i64
  %231 = sub i64 %230, %229
  %232 = sub i64 %231, 4
  %233 = icmp ult i64 %232, 4294967232
  br i1 %233, label %234, label %leave, !prof !0

234:                                              ; preds = %228
  %235 = ptrtoint ptr %134 to i64
  %236 = ptrtoint ptr %10 to i64
  %237 = icmp ult i64 %235, %236
  br i1 %237, label %238, label %leave, !prof !0

238:                                              ; preds = %234
  %239 = trunc i64 %232 to i32
  store i32 %239, ptr %19, align 1
  %240 = add i64 %16, 1
  br label %next2
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
