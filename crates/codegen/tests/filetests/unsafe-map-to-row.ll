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

leave:                                            ; preds = %236, %230, %after, %element, %114, %97, %93, %88, %86, %78, %76, %69, %67, %59, %57, %54, %50, %48, %45, %40, %34, %32, %27, %21, %next2
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

next2:                                            ; preds = %240, %start
  %16 = phi i64 [ %2, %start ], [ %242, %240 ]
  %17 = phi ptr [ %next, %start ], [ %134, %240 ]
  %18 = phi i64 [ 0, %start ], [ %135, %240 ]
  %19 = phi ptr [ %6, %start ], [ %136, %240 ]
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
  %94 = icmp ult i64 %count, 2
  br i1 %94, label %95, label %leave, !prof !0

95:                                               ; preds = %93
  %96 = icmp ult i64 %count, 128
  br i1 %96, label %100, label %105

97:                                               ; preds = %112, %107, %100
  %98 = phi ptr [ %104, %100 ], [ %111, %107 ], [ %113, %112 ]
  %99 = icmp ult i64 %count, 4294967296
  br i1 %99, label %114, label %leave, !prof !0

100:                                              ; preds = %95
  %101 = shl i64 %count, 1
  %102 = or i64 %101, 1
  %103 = trunc i64 %102 to i8
  store i8 %103, ptr %28, align 1
  %104 = getelementptr i8, ptr %28, i64 1
  br label %97

105:                                              ; preds = %95
  %106 = icmp ult i64 %count, 16384
  br i1 %106, label %107, label %112

107:                                              ; preds = %105
  %108 = shl i64 %count, 2
  %109 = or i64 %108, 2
  %110 = trunc i64 %109 to i16
  store i16 %110, ptr %28, align 1
  %111 = getelementptr i8, ptr %28, i64 2
  br label %97

112:                                              ; preds = %105
  %113 = call preserve_mostcc ptr @long_varint(ptr %28, i64 %count)
  br label %97

114:                                              ; preds = %97
  %115 = mul i64 %count, 19
  %116 = ptrtoint ptr %98 to i64
  %117 = ptrtoint ptr %8 to i64
  %118 = sub i64 %117, %116
  %119 = icmp ugt i64 %118, %115
  br i1 %119, label %120, label %leave, !prof !0

120:                                              ; preds = %114
  %121 = icmp ne i64 %count, 0
  br i1 %121, label %element, label %after

element:                                          ; preds = %join, %120
  %122 = phi i64 [ 0, %120 ], [ %198, %join ]
  %123 = phi ptr [ %30, %120 ], [ %195, %join ]
  %124 = phi i64 [ %89, %120 ], [ %196, %join ]
  %125 = phi ptr [ %98, %120 ], [ %197, %join ]
  %126 = lshr i64 %122, 3
  %127 = getelementptr i8, ptr %71, i64 %126
  %bits4 = load i8, ptr %127, align 1
  %128 = zext i8 %bits4 to i64
  %129 = and i64 %122, 7
  %130 = lshr i64 %128, %129
  %131 = and i64 %130, 1
  %132 = icmp ne i64 %131, 0
  %133 = icmp eq i1 %132, false
  br i1 %133, label %141, label %leave, !prof !0

after:                                            ; preds = %join, %120
  %134 = phi ptr [ %30, %120 ], [ %195, %join ]
  %135 = phi i64 [ %89, %120 ], [ %196, %join ]
  %136 = phi ptr [ %98, %120 ], [ %197, %join ]
  %137 = ptrtoint ptr %136 to i64
  %138 = ptrtoint ptr %8 to i64
  %139 = sub i64 %138, %137
  %140 = icmp ugt i64 %139, 13
  br i1 %140, label %230, label %leave, !prof !0

141:                                              ; preds = %element
  %142 = mul i64 %122, 1
  %143 = getelementptr i8, ptr %72, i64 %142
  %int = load i8, ptr %143, align 1
  %144 = sext i8 %int to i64
  %145 = shl i64 %144, 1
  %146 = ashr i64 %144, 63
  %147 = xor i64 %145, %146
  %148 = icmp ult i64 %147, 128
  br i1 %148, label %159, label %164

149:                                              ; preds = %185, %180, %173, %166, %159
  %150 = phi ptr [ %163, %159 ], [ %170, %166 ], [ %177, %173 ], [ %184, %180 ], [ %186, %185 ]
  %151 = lshr i64 %122, 3
  %152 = getelementptr i8, ptr %90, i64 %151
  %bits5 = load i8, ptr %152, align 1
  %153 = zext i8 %bits5 to i64
  %154 = and i64 %122, 7
  %155 = lshr i64 %153, %154
  %156 = and i64 %155, 1
  %157 = icmp ne i64 %156, 0
  %158 = icmp eq i1 %157, false
  br i1 %158, label %present, label %absent

159:                                              ; preds = %141
  %160 = shl i64 %147, 1
  %161 = or i64 %160, 1
  %162 = trunc i64 %161 to i8
  store i8 %162, ptr %125, align 1
  %163 = getelementptr i8, ptr %125, i64 1
  br label %149

164:                                              ; preds = %141
  %165 = icmp ult i64 %147, 16384
  br i1 %165, label %166, label %171

166:                                              ; preds = %164
  %167 = shl i64 %147, 2
  %168 = or i64 %167, 2
  %169 = trunc i64 %168 to i16
  store i16 %169, ptr %125, align 1
  %170 = getelementptr i8, ptr %125, i64 2
  br label %149

171:                                              ; preds = %164
  %172 = icmp ult i64 %147, 2097152
  br i1 %172, label %173, label %178

173:                                              ; preds = %171
  %174 = shl i64 %147, 3
  %175 = or i64 %174, 4
  %176 = trunc i64 %175 to i32
  store i32 %176, ptr %125, align 1
  %177 = getelementptr i8, ptr %125, i64 3
  br label %149

178:                                              ; preds = %171
  %179 = icmp ult i64 %147, 268435456
  br i1 %179, label %180, label %185

180:                                              ; preds = %178
  %181 = shl i64 %147, 4
  %182 = or i64 %181, 8
  %183 = trunc i64 %182 to i32
  store i32 %183, ptr %125, align 1
  %184 = getelementptr i8, ptr %125, i64 4
  br label %149

185:                                              ; preds = %178
  %186 = call preserve_mostcc ptr @long_varint(ptr %125, i64 %147)
  br label %149

present:                                          ; preds = %149
  store i8 1, ptr %150, align 1
  %187 = getelementptr i8, ptr %150, i64 1
  %188 = mul i64 %122, 8
  %189 = getelementptr i8, ptr %91, i64 %188
  %i64 = load i64, ptr %189, align 1
  %190 = shl i64 %i64, 1
  %191 = ashr i64 %i64, 63
  %192 = xor i64 %190, %191
  %193 = icmp ult i64 %192, 128
  br i1 %193, label %202, label %207

absent:                                           ; preds = %149
  store i8 0, ptr %150, align 1
  %194 = getelementptr i8, ptr %150, i64 1
  br label %join

join:                                             ; preds = %absent, %200
  %195 = phi ptr [ %123, %200 ], [ %123, %absent ]
  %196 = phi i64 [ %124, %200 ], [ %124, %absent ]
  %197 = phi ptr [ %201, %200 ], [ %194, %absent ]
  %198 = add i64 %122, 1
  %199 = icmp ult i64 %198, %count
  br i1 %199, label %element, label %after

200:                                              ; preds = %228, %223, %216, %209, %202
  %201 = phi ptr [ %206, %202 ], [ %213, %209 ], [ %220, %216 ], [ %227, %223 ], [ %229, %228 ]
  br label %join

202:                                              ; preds = %present
  %203 = shl i64 %192, 1
  %204 = or i64 %203, 1
  %205 = trunc i64 %204 to i8
  store i8 %205, ptr %187, align 1
  %206 = getelementptr i8, ptr %187, i64 1
  br label %200

207:                                              ; preds = %present
  %208 = icmp ult i64 %192, 16384
  br i1 %208, label %209, label %214

209:                                              ; preds = %207
  %210 = shl i64 %192, 2
  %211 = or i64 %210, 2
  %212 = trunc i64 %211 to i16
  store i16 %212, ptr %187, align 1
  %213 = getelementptr i8, ptr %187, i64 2
  br label %200

214:                                              ; preds = %207
  %215 = icmp ult i64 %192, 2097152
  br i1 %215, label %216, label %221

216:                                              ; preds = %214
  %217 = shl i64 %192, 3
  %218 = or i64 %217, 4
  %219 = trunc i64 %218 to i32
  store i32 %219, ptr %187, align 1
  %220 = getelementptr i8, ptr %187, i64 3
  br label %200

221:                                              ; preds = %214
  %222 = icmp ult i64 %192, 268435456
  br i1 %222, label %223, label %228

223:                                              ; preds = %221
  %224 = shl i64 %192, 4
  %225 = or i64 %224, 8
  %226 = trunc i64 %225 to i32
  store i32 %226, ptr %187, align 1
  %227 = getelementptr i8, ptr %187, i64 4
  br label %200

228:                                              ; preds = %221
  %229 = call preserve_mostcc ptr @long_varint(ptr %187, i64 %192)
  br label %200

230:                                              ; preds = %after
  %231 = ptrtoint ptr %19 to i64
  %232 = ptrtoint ptr %136 to i64
  %233 = sub i64 %232, %231
  %234 = sub i64 %233, 4
  %235 = icmp ult i64 %234, 4294967232
  br i1 %235, label %236, label %leave, !prof !0

236:                                              ; preds = %230
  %237 = ptrtoint ptr %136 to i64
  %238 = ptrtoint ptr %10 to i64
  %239 = icmp ult i64 %237, %238
  br i1 %239, label %240, label %leave, !prof !0

240:                                              ; preds = %236
  %241 = trunc i64 %234 to i32
  store i32 %241, ptr %19, align 1
  %242 = add i64 %16, 1
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
