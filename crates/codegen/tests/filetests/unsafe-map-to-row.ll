; A map of Spark's: two lists that are walked together. Their slots have to lie within the map before
; any is read.
;
; schema struct{"a": map<byte, long?>}
; from unsafe to row
;
; 0  struct of 1: Row, a
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

bailout:                                          ; preds = %241, %235, %after, %element, %116, %99, %93, %88, %86, %78, %76, %69, %67, %59, %57, %54, %50, %48, %45, %40, %34, %32, %27, %21, %next2
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

next2:                                            ; preds = %245, %start
  %16 = phi i64 [ %2, %start ], [ %247, %245 ]
  %17 = phi ptr [ %next, %start ], [ %139, %245 ]
  %18 = phi i64 [ 0, %start ], [ %140, %245 ]
  %19 = phi ptr [ %6, %start ], [ %141, %245 ]
  %20 = icmp ult i64 %16, %3
  br i1 %20, label %21, label %bailout, !prof !0

21:                                               ; preds = %next2
  %22 = sub i64 %16, %2
  %23 = ptrtoint ptr %19 to i64
  %24 = ptrtoint ptr %8 to i64
  %25 = sub i64 %24, %23
  %26 = icmp ugt i64 %25, 13
  br i1 %26, label %27, label %bailout, !prof !0

27:                                               ; preds = %21
  %28 = getelementptr i8, ptr %19, i64 4
  %size = load i64, ptr %17, align 1
  %29 = getelementptr i8, ptr %17, i64 8
  %30 = getelementptr i8, ptr %29, i64 %size
  %31 = icmp ule i64 16, %size
  br i1 %31, label %32, label %bailout, !prof !0

32:                                               ; preds = %27
  %33 = icmp uge i64 %size, 16
  br i1 %33, label %34, label %bailout, !prof !0

34:                                               ; preds = %32
  %35 = sub i64 %size, 16
  %36 = getelementptr i8, ptr %29, i64 8
  %bits = load i8, ptr %29, align 1
  %37 = and i8 %bits, 1
  %38 = icmp ne i8 %37, 0
  %39 = icmp eq i1 %38, false
  br i1 %39, label %40, label %bailout, !prof !0

40:                                               ; preds = %34
  %word = load i64, ptr %36, align 1
  %41 = lshr i64 %word, 32
  %42 = and i64 %word, 4294967295
  %43 = add i64 %41, %42
  %44 = icmp ule i64 %43, %size
  br i1 %44, label %45, label %bailout, !prof !0

45:                                               ; preds = %40
  %46 = getelementptr i8, ptr %29, i64 %41
  %47 = icmp uge i64 %42, 8
  br i1 %47, label %48, label %bailout, !prof !0

48:                                               ; preds = %45
  %keys = load i64, ptr %46, align 1
  %49 = icmp uge i64 %35, 8
  br i1 %49, label %50, label %bailout, !prof !0

50:                                               ; preds = %48
  %51 = sub i64 %35, 8
  %52 = sub i64 %42, 8
  %53 = icmp ule i64 %keys, %52
  br i1 %53, label %54, label %bailout, !prof !0

54:                                               ; preds = %50
  %55 = getelementptr i8, ptr %46, i64 8
  %56 = icmp uge i64 %keys, 8
  br i1 %56, label %57, label %bailout, !prof !0

57:                                               ; preds = %54
  %count = load i64, ptr %55, align 1
  %58 = icmp ule i64 %count, %keys
  br i1 %58, label %59, label %bailout, !prof !0

59:                                               ; preds = %57
  %60 = add i64 %count, 63
  %61 = lshr i64 %60, 6
  %62 = shl i64 %61, 3
  %63 = mul i64 %count, 1
  %64 = add i64 %62, %63
  %65 = add i64 %64, 8
  %66 = icmp ule i64 %65, %keys
  br i1 %66, label %67, label %bailout, !prof !0

67:                                               ; preds = %59
  %68 = icmp uge i64 %51, %65
  br i1 %68, label %69, label %bailout, !prof !0

69:                                               ; preds = %67
  %70 = sub i64 %51, %65
  %71 = getelementptr i8, ptr %55, i64 8
  %72 = getelementptr i8, ptr %71, i64 %62
  %73 = getelementptr i8, ptr %55, i64 %keys
  %74 = sub i64 %52, %keys
  %75 = icmp uge i64 %74, 8
  br i1 %75, label %76, label %bailout, !prof !0

76:                                               ; preds = %69
  %count3 = load i64, ptr %73, align 1
  %77 = icmp ule i64 %count3, %74
  br i1 %77, label %78, label %bailout, !prof !0

78:                                               ; preds = %76
  %79 = add i64 %count3, 63
  %80 = lshr i64 %79, 6
  %81 = shl i64 %80, 3
  %82 = mul i64 %count3, 8
  %83 = add i64 %81, %82
  %84 = add i64 %83, 8
  %85 = icmp ule i64 %84, %74
  br i1 %85, label %86, label %bailout, !prof !0

86:                                               ; preds = %78
  %87 = icmp uge i64 %70, %84
  br i1 %87, label %88, label %bailout, !prof !0

88:                                               ; preds = %86
  %89 = sub i64 %70, %84
  %90 = getelementptr i8, ptr %73, i64 8
  %91 = getelementptr i8, ptr %90, i64 %81
  %92 = icmp eq i64 %count, %count3
  br i1 %92, label %93, label %bailout, !prof !0

93:                                               ; preds = %88
  %94 = call ptr @serow_map_order(ptr %0, ptr %30, ptr %55, i64 %keys, i32 0)
  %95 = ptrtoint ptr %94 to i64
  %96 = icmp ne i64 %95, 0
  br i1 %96, label %97, label %bailout, !prof !0

97:                                               ; preds = %93
  %98 = icmp ult i64 %count, 128
  br i1 %98, label %102, label %107

99:                                               ; preds = %114, %109, %102
  %100 = phi ptr [ %106, %102 ], [ %113, %109 ], [ %115, %114 ]
  %101 = icmp ult i64 %count, 4294967296
  br i1 %101, label %116, label %bailout, !prof !0

102:                                              ; preds = %97
  %103 = shl i64 %count, 1
  %104 = or i64 %103, 1
  %105 = trunc i64 %104 to i8
  store i8 %105, ptr %28, align 1
  %106 = getelementptr i8, ptr %28, i64 1
  br label %99

107:                                              ; preds = %97
  %108 = icmp ult i64 %count, 16384
  br i1 %108, label %109, label %114

109:                                              ; preds = %107
  %110 = shl i64 %count, 2
  %111 = or i64 %110, 2
  %112 = trunc i64 %111 to i16
  store i16 %112, ptr %28, align 1
  %113 = getelementptr i8, ptr %28, i64 2
  br label %99

114:                                              ; preds = %107
  %115 = call preserve_mostcc ptr @long_varint(ptr %28, i64 %count)
  br label %99

116:                                              ; preds = %99
  %117 = mul i64 %count, 19
  %118 = ptrtoint ptr %100 to i64
  %119 = ptrtoint ptr %8 to i64
  %120 = sub i64 %119, %118
  %121 = icmp ugt i64 %120, %117
  br i1 %121, label %122, label %bailout, !prof !0

122:                                              ; preds = %116
  %123 = icmp ne i64 %count, 0
  br i1 %123, label %element, label %after

element:                                          ; preds = %join, %122
  %124 = phi i64 [ 0, %122 ], [ %203, %join ]
  %125 = phi ptr [ %30, %122 ], [ %200, %join ]
  %126 = phi i64 [ %89, %122 ], [ %201, %join ]
  %127 = phi ptr [ %100, %122 ], [ %202, %join ]
  %128 = shl i64 %124, 2
  %129 = getelementptr i8, ptr %94, i64 %128
  %slot = load i32, ptr %129, align 1
  %130 = zext i32 %slot to i64
  %131 = lshr i64 %130, 3
  %132 = getelementptr i8, ptr %71, i64 %131
  %bits4 = load i8, ptr %132, align 1
  %133 = zext i8 %bits4 to i64
  %134 = and i64 %130, 7
  %135 = lshr i64 %133, %134
  %136 = and i64 %135, 1
  %137 = icmp ne i64 %136, 0
  %138 = icmp eq i1 %137, false
  br i1 %138, label %146, label %bailout, !prof !0

after:                                            ; preds = %join, %122
  %139 = phi ptr [ %30, %122 ], [ %200, %join ]
  %140 = phi i64 [ %89, %122 ], [ %201, %join ]
  %141 = phi ptr [ %100, %122 ], [ %202, %join ]
  %142 = ptrtoint ptr %141 to i64
  %143 = ptrtoint ptr %8 to i64
  %144 = sub i64 %143, %142
  %145 = icmp ugt i64 %144, 13
  br i1 %145, label %235, label %bailout, !prof !0

146:                                              ; preds = %element
  %147 = mul i64 %130, 1
  %148 = getelementptr i8, ptr %72, i64 %147
  %int = load i8, ptr %148, align 1
  %149 = sext i8 %int to i64
  %150 = shl i64 %149, 1
  %151 = ashr i64 %149, 63
  %152 = xor i64 %150, %151
  %153 = icmp ult i64 %152, 128
  br i1 %153, label %164, label %169

154:                                              ; preds = %190, %185, %178, %171, %164
  %155 = phi ptr [ %168, %164 ], [ %175, %171 ], [ %182, %178 ], [ %189, %185 ], [ %191, %190 ]
  %156 = lshr i64 %130, 3
  %157 = getelementptr i8, ptr %90, i64 %156
  %bits5 = load i8, ptr %157, align 1
  %158 = zext i8 %bits5 to i64
  %159 = and i64 %130, 7
  %160 = lshr i64 %158, %159
  %161 = and i64 %160, 1
  %162 = icmp ne i64 %161, 0
  %163 = icmp eq i1 %162, false
  br i1 %163, label %present, label %absent

164:                                              ; preds = %146
  %165 = shl i64 %152, 1
  %166 = or i64 %165, 1
  %167 = trunc i64 %166 to i8
  store i8 %167, ptr %127, align 1
  %168 = getelementptr i8, ptr %127, i64 1
  br label %154

169:                                              ; preds = %146
  %170 = icmp ult i64 %152, 16384
  br i1 %170, label %171, label %176

171:                                              ; preds = %169
  %172 = shl i64 %152, 2
  %173 = or i64 %172, 2
  %174 = trunc i64 %173 to i16
  store i16 %174, ptr %127, align 1
  %175 = getelementptr i8, ptr %127, i64 2
  br label %154

176:                                              ; preds = %169
  %177 = icmp ult i64 %152, 2097152
  br i1 %177, label %178, label %183

178:                                              ; preds = %176
  %179 = shl i64 %152, 3
  %180 = or i64 %179, 4
  %181 = trunc i64 %180 to i32
  store i32 %181, ptr %127, align 1
  %182 = getelementptr i8, ptr %127, i64 3
  br label %154

183:                                              ; preds = %176
  %184 = icmp ult i64 %152, 268435456
  br i1 %184, label %185, label %190

185:                                              ; preds = %183
  %186 = shl i64 %152, 4
  %187 = or i64 %186, 8
  %188 = trunc i64 %187 to i32
  store i32 %188, ptr %127, align 1
  %189 = getelementptr i8, ptr %127, i64 4
  br label %154

190:                                              ; preds = %183
  %191 = call preserve_mostcc ptr @long_varint(ptr %127, i64 %152)
  br label %154

present:                                          ; preds = %154
  store i8 1, ptr %155, align 1
  %192 = getelementptr i8, ptr %155, i64 1
  %193 = mul i64 %130, 8
  %194 = getelementptr i8, ptr %91, i64 %193
  %i64 = load i64, ptr %194, align 1
  %195 = shl i64 %i64, 1
  %196 = ashr i64 %i64, 63
  %197 = xor i64 %195, %196
  %198 = icmp ult i64 %197, 128
  br i1 %198, label %207, label %212

absent:                                           ; preds = %154
  store i8 0, ptr %155, align 1
  %199 = getelementptr i8, ptr %155, i64 1
  br label %join

join:                                             ; preds = %absent, %205
  %200 = phi ptr [ %125, %205 ], [ %125, %absent ]
  %201 = phi i64 [ %126, %205 ], [ %126, %absent ]
  %202 = phi ptr [ %206, %205 ], [ %199, %absent ]
  %203 = add i64 %124, 1
  %204 = icmp ult i64 %203, %count
  br i1 %204, label %element, label %after

205:                                              ; preds = %233, %228, %221, %214, %207
  %206 = phi ptr [ %211, %207 ], [ %218, %214 ], [ %225, %221 ], [ %232, %228 ], [ %234, %233 ]
  br label %join

207:                                              ; preds = %present
  %208 = shl i64 %197, 1
  %209 = or i64 %208, 1
  %210 = trunc i64 %209 to i8
  store i8 %210, ptr %192, align 1
  %211 = getelementptr i8, ptr %192, i64 1
  br label %205

212:                                              ; preds = %present
  %213 = icmp ult i64 %197, 16384
  br i1 %213, label %214, label %219

214:                                              ; preds = %212
  %215 = shl i64 %197, 2
  %216 = or i64 %215, 2
  %217 = trunc i64 %216 to i16
  store i16 %217, ptr %192, align 1
  %218 = getelementptr i8, ptr %192, i64 2
  br label %205

219:                                              ; preds = %212
  %220 = icmp ult i64 %197, 2097152
  br i1 %220, label %221, label %226

221:                                              ; preds = %219
  %222 = shl i64 %197, 3
  %223 = or i64 %222, 4
  %224 = trunc i64 %223 to i32
  store i32 %224, ptr %192, align 1
  %225 = getelementptr i8, ptr %192, i64 3
  br label %205

226:                                              ; preds = %219
  %227 = icmp ult i64 %197, 268435456
  br i1 %227, label %228, label %233

228:                                              ; preds = %226
  %229 = shl i64 %197, 4
  %230 = or i64 %229, 8
  %231 = trunc i64 %230 to i32
  store i32 %231, ptr %192, align 1
  %232 = getelementptr i8, ptr %192, i64 4
  br label %205

233:                                              ; preds = %226
  %234 = call preserve_mostcc ptr @long_varint(ptr %192, i64 %197)
  br label %205

235:                                              ; preds = %after
  %236 = ptrtoint ptr %19 to i64
  %237 = ptrtoint ptr %141 to i64
  %238 = sub i64 %237, %236
  %239 = sub i64 %238, 4
  %240 = icmp ult i64 %239, 4294967232
  br i1 %240, label %241, label %bailout, !prof !0

241:                                              ; preds = %235
  %242 = ptrtoint ptr %141 to i64
  %243 = ptrtoint ptr %10 to i64
  %244 = icmp ult i64 %242, %243
  br i1 %244, label %245, label %bailout, !prof !0

245:                                              ; preds = %241
  %246 = trunc i64 %239 to i32
  store i32 %246, ptr %19, align 1
  %247 = add i64 %16, 1
  br label %next2
}

; Function Attrs: nounwind
declare ptr @serow_map_order(ptr, ptr, ptr, i64, i32) #0

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
