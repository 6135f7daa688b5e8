; A list is made with null items, as a claim that was checked.
; schema ([i64], null)
; from row to cpython
;
; 0  tuple of 2
; 1  sequence as list, int 0, to 4, 9 bytes each
; 2  i64, int 1
; 3  next, from 2
; 4  null
; 5  leave
; 6  end

@serow_py_tuple = external global i8
@serow_py_small_ints = external global i8
@serow_py_int = external global i8
@serow_py_none = external global i8

; Function Attrs: nounwind
define i64 @serow(ptr %0, ptr %1, i64 %2, i64 %3) #0 {
start:
  %next = load ptr, ptr %0, align 1
  %4 = getelementptr i8, ptr %0, i64 8
  %end = load ptr, ptr %4, align 1
  %5 = getelementptr i8, ptr %0, i64 16
  %readable = load ptr, ptr %5, align 1
  %6 = getelementptr i8, ptr %0, i64 24
  %left = load i64, ptr %6, align 1
  %7 = getelementptr i8, ptr %0, i64 32
  %left1 = load i64, ptr %7, align 1
  %rows = load ptr, ptr %1, align 1
  br label %next2

bailout:                                          ; preds = %172, %after, %long, %short, %element, %74, %53, %37, %32, %25, %17, %next2
  %8 = sub i64 %12, %2
  store ptr %13, ptr %0, align 1
  %9 = getelementptr i8, ptr %0, i64 24
  store i64 %14, ptr %9, align 1
  %10 = getelementptr i8, ptr %0, i64 32
  store i64 %15, ptr %10, align 1
  %11 = getelementptr i8, ptr %1, i64 8
  store i64 %8, ptr %11, align 1
  ret i64 %12

next2:                                            ; preds = %177, %start
  %12 = phi i64 [ %2, %start ], [ %178, %177 ]
  %13 = phi ptr [ %next, %start ], [ %93, %177 ]
  %14 = phi i64 [ %left, %start ], [ %94, %177 ]
  %15 = phi i64 [ %left1, %start ], [ %173, %177 ]
  %16 = icmp ult i64 %12, %3
  br i1 %16, label %17, label %bailout, !prof !0

17:                                               ; preds = %next2
  %18 = sub i64 %12, %2
  %19 = mul i64 %18, 8
  %20 = getelementptr i8, ptr %rows, i64 %19
  store i64 0, ptr %20, align 1
  %21 = ptrtoint ptr %13 to i64
  %22 = ptrtoint ptr %readable to i64
  %23 = sub i64 %22, %21
  %24 = icmp uge i64 %23, 4
  br i1 %24, label %25, label %bailout, !prof !0

25:                                               ; preds = %17
  %26 = getelementptr i8, ptr %13, i64 4
  %len = load i32, ptr %13, align 1
  %27 = zext i32 %len to i64
  %28 = ptrtoint ptr %26 to i64
  %29 = ptrtoint ptr %end to i64
  %30 = sub i64 %29, %28
  %31 = icmp sge i64 %30, %27
  br i1 %31, label %32, label %bailout, !prof !0

32:                                               ; preds = %25
  %33 = getelementptr i8, ptr %26, i64 %27
  %34 = call ptr @serow_py_malloc(i64 56)
  %35 = ptrtoint ptr %34 to i64
  %36 = icmp ne i64 %35, 0
  br i1 %36, label %37, label %bailout, !prof !0

37:                                               ; preds = %32
  %38 = getelementptr i8, ptr %34, i64 112
  call void @llvm.prefetch.p0(ptr %38, i32 0, i32 3, i32 1)
  %39 = getelementptr i8, ptr %34, i64 176
  call void @llvm.prefetch.p0(ptr %39, i32 0, i32 3, i32 1)
  store i64 0, ptr %34, align 1
  %40 = getelementptr i8, ptr %34, i64 8
  store i64 0, ptr %40, align 1
  %41 = getelementptr i8, ptr %34, i64 16
  store i64 1, ptr %41, align 1
  %42 = getelementptr i8, ptr %41, i64 8
  store ptr @serow_py_tuple, ptr %42, align 1
  %43 = getelementptr i8, ptr %41, i64 16
  store i64 2, ptr %43, align 1
  %44 = getelementptr i8, ptr %41, i64 24
  store i64 0, ptr %44, align 1
  %45 = getelementptr i8, ptr %41, i64 32
  store i64 0, ptr %45, align 1
  store ptr %41, ptr %20, align 1
  %46 = ptrtoint ptr %26 to i64
  %47 = ptrtoint ptr %readable to i64
  %48 = sub i64 %47, %46
  %49 = icmp uge i64 %48, 9
  br i1 %49, label %50, label %bailout, !prof !0

50:                                               ; preds = %37
  %varint = load i64, ptr %26, align 1
  %51 = and i64 %varint, 1
  %52 = icmp ne i64 %51, 0
  br i1 %52, label %57, label %61

53:                                               ; preds = %68, %64, %57
  %54 = phi i64 [ %59, %57 ], [ %66, %64 ], [ %71, %68 ]
  %55 = phi ptr [ %60, %57 ], [ %67, %64 ], [ %73, %68 ]
  %56 = icmp ule i64 %54, %14
  br i1 %56, label %74, label %bailout, !prof !0

57:                                               ; preds = %50
  %58 = lshr i64 %varint, 1
  %59 = and i64 %58, 127
  %60 = getelementptr i8, ptr %26, i64 1
  br label %53

61:                                               ; preds = %50
  %62 = and i64 %varint, 2
  %63 = icmp ne i64 %62, 0
  br i1 %63, label %64, label %68

64:                                               ; preds = %61
  %65 = lshr i64 %varint, 2
  %66 = and i64 %65, 16383
  %67 = getelementptr i8, ptr %26, i64 2
  br label %53

68:                                               ; preds = %61
  %69 = or i64 %varint, 256
  %70 = call i64 @llvm.cttz.i64(i64 %69, i1 true)
  %71 = call preserve_mostcc i64 @long_varint_at(ptr %26, i64 %70)
  %72 = getelementptr i8, ptr %26, i64 %70
  %73 = getelementptr i8, ptr %72, i64 1
  br label %53

74:                                               ; preds = %53
  %75 = sub i64 %14, %54
  %76 = call ptr @serow_py_make_list(i64 %54)
  %77 = ptrtoint ptr %76 to i64
  %78 = icmp ne i64 %77, 0
  br i1 %78, label %79, label %bailout, !prof !0

79:                                               ; preds = %74
  %80 = getelementptr i8, ptr %41, i64 24
  store ptr %76, ptr %80, align 1
  %81 = getelementptr i8, ptr %76, i64 24
  %items = load ptr, ptr %81, align 1
  %82 = icmp ne i64 %54, 0
  br i1 %82, label %element, label %after

element:                                          ; preds = %int, %79
  %83 = phi i64 [ 0, %79 ], [ %152, %int ]
  %84 = phi ptr [ %55, %79 ], [ %102, %int ]
  %85 = phi i64 [ %75, %79 ], [ %85, %int ]
  %86 = phi i64 [ %15, %79 ], [ %86, %int ]
  %87 = mul i64 %83, 8
  %88 = getelementptr i8, ptr %items, i64 %87
  %89 = ptrtoint ptr %84 to i64
  %90 = ptrtoint ptr %readable to i64
  %91 = sub i64 %90, %89
  %92 = icmp uge i64 %91, 9
  br i1 %92, label %97, label %bailout, !prof !0

after:                                            ; preds = %int, %79
  %93 = phi ptr [ %55, %79 ], [ %102, %int ]
  %94 = phi i64 [ %75, %79 ], [ %85, %int ]
  %95 = phi i64 [ %15, %79 ], [ %86, %int ]
  call void @serow_py_track(ptr %76)
  %96 = icmp ne i64 %95, 0
  br i1 %96, label %172, label %bailout, !prof !0

97:                                               ; preds = %element
  %varint3 = load i64, ptr %84, align 1
  %98 = and i64 %varint3, 1
  %99 = icmp ne i64 %98, 0
  br i1 %99, label %109, label %113

100:                                              ; preds = %134, %130, %123, %116, %109
  %101 = phi i64 [ %111, %109 ], [ %118, %116 ], [ %125, %123 ], [ %132, %130 ], [ %137, %134 ]
  %102 = phi ptr [ %112, %109 ], [ %119, %116 ], [ %126, %123 ], [ %133, %130 ], [ %139, %134 ]
  %103 = and i64 %101, 1
  %104 = sub i64 0, %103
  %105 = lshr i64 %101, 1
  %106 = xor i64 %105, %104
  %107 = sub i64 %106, -5
  %108 = icmp ult i64 %107, 262
  br i1 %108, label %small, label %other

109:                                              ; preds = %97
  %110 = lshr i64 %varint3, 1
  %111 = and i64 %110, 127
  %112 = getelementptr i8, ptr %84, i64 1
  br label %100

113:                                              ; preds = %97
  %114 = and i64 %varint3, 2
  %115 = icmp ne i64 %114, 0
  br i1 %115, label %116, label %120

116:                                              ; preds = %113
  %117 = lshr i64 %varint3, 2
  %118 = and i64 %117, 16383
  %119 = getelementptr i8, ptr %84, i64 2
  br label %100

120:                                              ; preds = %113
  %121 = and i64 %varint3, 4
  %122 = icmp ne i64 %121, 0
  br i1 %122, label %123, label %127

123:                                              ; preds = %120
  %124 = lshr i64 %varint3, 3
  %125 = and i64 %124, 2097151
  %126 = getelementptr i8, ptr %84, i64 3
  br label %100

127:                                              ; preds = %120
  %128 = and i64 %varint3, 8
  %129 = icmp ne i64 %128, 0
  br i1 %129, label %130, label %134

130:                                              ; preds = %127
  %131 = lshr i64 %varint3, 4
  %132 = and i64 %131, 268435455
  %133 = getelementptr i8, ptr %84, i64 4
  br label %100

134:                                              ; preds = %127
  %135 = or i64 %varint3, 256
  %136 = call i64 @llvm.cttz.i64(i64 %135, i1 true)
  %137 = call preserve_mostcc i64 @long_varint_at(ptr %84, i64 %136)
  %138 = getelementptr i8, ptr %84, i64 %136
  %139 = getelementptr i8, ptr %138, i64 1
  br label %100

small:                                            ; preds = %100
  %140 = mul i64 %107, 8
  %141 = getelementptr i8, ptr @serow_py_small_ints, i64 %140
  %int4 = load ptr, ptr %141, align 1
  %count = load i64, ptr %int4, align 1
  %142 = add i64 %count, 1
  store i64 %142, ptr %int4, align 1
  br label %int

other:                                            ; preds = %100
  %143 = add i64 %106, 1152921504606846975
  %144 = icmp ult i64 %143, 2305843009213693951
  br i1 %144, label %short, label %long, !prof !0

short:                                            ; preds = %other
  %145 = call ptr @serow_py_malloc(i64 32)
  %146 = ptrtoint ptr %145 to i64
  %147 = icmp ne i64 %146, 0
  br i1 %147, label %154, label %bailout, !prof !0

long:                                             ; preds = %other
  %148 = call ptr @serow_py_make_int(i64 %106)
  %149 = ptrtoint ptr %148 to i64
  %150 = icmp ne i64 %149, 0
  br i1 %150, label %171, label %bailout, !prof !0

int:                                              ; preds = %171, %154, %small
  %151 = phi ptr [ %int4, %small ], [ %145, %154 ], [ %148, %171 ]
  store ptr %151, ptr %88, align 1
  %152 = add i64 %83, 1
  %153 = icmp ult i64 %152, %54
  br i1 %153, label %element, label %after

154:                                              ; preds = %short
  %155 = getelementptr i8, ptr %145, i64 256
  call void @llvm.prefetch.p0(ptr %155, i32 0, i32 3, i32 1)
  store i64 1, ptr %145, align 1
  %156 = getelementptr i8, ptr %145, i64 8
  store ptr @serow_py_int, ptr %156, align 1
  %157 = ashr i64 %106, 63
  %158 = xor i64 %106, %157
  %159 = sub i64 %158, %157
  %160 = lshr i64 %159, 30
  %161 = and i64 %159, 1073741823
  %162 = shl i64 %160, 32
  %163 = or i64 %161, %162
  %164 = getelementptr i8, ptr %145, i64 24
  store i64 %163, ptr %164, align 1
  %165 = icmp ne i64 %160, 0
  %166 = zext i1 %165 to i64
  %167 = add i64 %166, 1
  %168 = xor i64 %167, %157
  %169 = sub i64 %168, %157
  %170 = getelementptr i8, ptr %145, i64 16
  store i64 %169, ptr %170, align 1
  br label %int

171:                                              ; preds = %long
  br label %int

172:                                              ; preds = %after
  %173 = sub i64 %95, 1
  %count5 = load i64, ptr @serow_py_none, align 1
  %174 = add i64 %count5, 1
  store i64 %174, ptr @serow_py_none, align 1
  %175 = getelementptr i8, ptr %41, i64 32
  store ptr @serow_py_none, ptr %175, align 1
  call void @serow_py_track(ptr %41)
  %176 = icmp eq ptr %93, %33
  br i1 %176, label %177, label %bailout, !prof !0

177:                                              ; preds = %172
  %178 = add i64 %12, 1
  br label %next2
}

; Function Attrs: nounwind
declare ptr @serow_py_malloc(i64) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.cttz.i64(i64, i1 immarg) #2

; Function Attrs: nounwind
define internal preserve_mostcc i64 @long_varint_at(ptr %0, i64 %1) #0 {
start:
  %2 = icmp ult i64 %1, 8
  br i1 %2, label %some, label %all

some:                                             ; preds = %start
  %3 = add i64 %1, 1
  %word = load i64, ptr %0, align 1
  %4 = mul i64 %3, 8
  %5 = sub i64 64, %4
  %6 = shl i64 %word, %5
  %7 = mul i64 %3, 7
  %8 = sub i64 64, %7
  %9 = lshr i64 %6, %8
  ret i64 %9

all:                                              ; preds = %start
  %10 = getelementptr i8, ptr %0, i64 1
  %word1 = load i64, ptr %10, align 1
  ret i64 %word1
}

; Function Attrs: nounwind
declare ptr @serow_py_make_list(i64) #0

; Function Attrs: nounwind
declare ptr @serow_py_make_int(i64) #0

; Function Attrs: nounwind
declare void @serow_py_track(ptr) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
