; A union is decided by the type of the object, arm after arm.
; schema (i64|str,)
; from cpython to row
;
; 0  tuple of 1, atomic
; 1  union, int 0, i64 at 2, str at 4
; 2  i64, int 1
; 3  jump to 6
; 4  str, str 0
; 5  jump to 6
; 6  leave
; 7  end

@serow_py_tuple = external global i8
@serow_py_int = external global i8
@serow_py_str = external global i8

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

leave:                                            ; preds = %157, %join, %long, %120, %arm5, %large, %arm, %67, %44, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory15 = load ptr, ptr %1, align 1
  %start16 = load ptr, ptr %memory15, align 1
  %11 = ptrtoint ptr %start16 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory15, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %161, %start
  %15 = phi i64 [ %2, %start ], [ %163, %161 ]
  %16 = phi ptr [ %5, %start ], [ %59, %161 ]
  %17 = icmp ult i64 %15, %3
  br i1 %17, label %18, label %leave, !prof !0

18:                                               ; preds = %next
  %19 = sub i64 %15, %2
  %20 = ptrtoint ptr %16 to i64
  %21 = ptrtoint ptr %7 to i64
  %22 = sub i64 %21, %20
  %23 = icmp ugt i64 %22, 95
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
  %type3 = load ptr, ptr %38, align 1
  %39 = icmp eq ptr %type3, @serow_py_tuple
  br i1 %39, label %44, label %leave, !prof !0

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
  br i1 %46, label %47, label %leave, !prof !0

47:                                               ; preds = %44
  %48 = getelementptr i8, ptr %object, i64 24
  %object6 = load ptr, ptr %48, align 1
  %49 = getelementptr i8, ptr %object6, i64 8
  %type7 = load ptr, ptr %49, align 1
  %50 = icmp eq ptr %type7, @serow_py_int
  br i1 %50, label %arm, label %65

arm:                                              ; preds = %47
  store i8 1, ptr %25, align 1
  %51 = getelementptr i8, ptr %25, i64 1
  %52 = getelementptr i8, ptr %object, i64 24
  %object8 = load ptr, ptr %52, align 1
  %53 = getelementptr i8, ptr %object8, i64 8
  %type9 = load ptr, ptr %53, align 1
  %54 = icmp eq ptr %type9, @serow_py_int
  br i1 %54, label %68, label %leave, !prof !0

arm5:                                             ; preds = %65
  store i8 3, ptr %25, align 1
  %55 = getelementptr i8, ptr %25, i64 1
  %56 = getelementptr i8, ptr %object, i64 24
  %object11 = load ptr, ptr %56, align 1
  %57 = getelementptr i8, ptr %object11, i64 8
  %type12 = load ptr, ptr %57, align 1
  %58 = icmp eq ptr %type12, @serow_py_str
  br i1 %58, label %120, label %leave, !prof !0

join:                                             ; preds = %join14, %90
  %59 = phi ptr [ %91, %90 ], [ %141, %join14 ]
  %60 = ptrtoint ptr %16 to i64
  %61 = ptrtoint ptr %59 to i64
  %62 = sub i64 %61, %60
  %63 = sub i64 %62, 4
  %64 = icmp ult i64 %63, 4294967232
  br i1 %64, label %157, label %leave, !prof !0

65:                                               ; preds = %47
  %66 = icmp eq ptr %type7, @serow_py_str
  br i1 %66, label %arm5, label %67

67:                                               ; preds = %65
  br label %leave

68:                                               ; preds = %arm
  %69 = getelementptr i8, ptr %object8, i64 16
  %size = load i64, ptr %69, align 1
  %70 = getelementptr i8, ptr %object8, i64 24
  %digit = load i32, ptr %70, align 1
  %71 = zext i32 %digit to i64
  %72 = add i64 %size, 1
  %73 = icmp ult i64 %72, 3
  br i1 %73, label %small, label %large, !prof !0

small:                                            ; preds = %68
  %74 = mul i64 %size, %71
  br label %int

large:                                            ; preds = %68
  %75 = add i64 %size, 2
  %76 = icmp ult i64 %75, 5
  br i1 %76, label %82, label %leave, !prof !0

int:                                              ; preds = %82, %small
  %77 = phi i64 [ %74, %small ], [ %89, %82 ]
  %78 = shl i64 %77, 1
  %79 = ashr i64 %77, 63
  %80 = xor i64 %78, %79
  %81 = icmp ult i64 %80, 128
  br i1 %81, label %92, label %97

82:                                               ; preds = %large
  %83 = ashr i64 %size, 63
  %84 = or i64 %83, 1
  %85 = getelementptr i8, ptr %object8, i64 28
  %digit10 = load i32, ptr %85, align 1
  %86 = zext i32 %digit10 to i64
  %87 = shl i64 %86, 30
  %88 = or i64 %87, %71
  %89 = mul i64 %84, %88
  br label %int

90:                                               ; preds = %118, %113, %106, %99, %92
  %91 = phi ptr [ %96, %92 ], [ %103, %99 ], [ %110, %106 ], [ %117, %113 ], [ %119, %118 ]
  br label %join

92:                                               ; preds = %int
  %93 = shl i64 %80, 1
  %94 = or i64 %93, 1
  %95 = trunc i64 %94 to i8
  store i8 %95, ptr %51, align 1
  %96 = getelementptr i8, ptr %51, i64 1
  br label %90

97:                                               ; preds = %int
  %98 = icmp ult i64 %80, 16384
  br i1 %98, label %99, label %104

99:                                               ; preds = %97
  %100 = shl i64 %80, 2
  %101 = or i64 %100, 2
  %102 = trunc i64 %101 to i16
  store i16 %102, ptr %51, align 1
  %103 = getelementptr i8, ptr %51, i64 2
  br label %90

104:                                              ; preds = %97
  %105 = icmp ult i64 %80, 2097152
  br i1 %105, label %106, label %111

106:                                              ; preds = %104
  %107 = shl i64 %80, 3
  %108 = or i64 %107, 4
  %109 = trunc i64 %108 to i32
  store i32 %109, ptr %51, align 1
  %110 = getelementptr i8, ptr %51, i64 3
  br label %90

111:                                              ; preds = %104
  %112 = icmp ult i64 %80, 268435456
  br i1 %112, label %113, label %118

113:                                              ; preds = %111
  %114 = shl i64 %80, 4
  %115 = or i64 %114, 8
  %116 = trunc i64 %115 to i32
  store i32 %116, ptr %51, align 1
  %117 = getelementptr i8, ptr %51, i64 4
  br label %90

118:                                              ; preds = %111
  %119 = call preserve_mostcc ptr @long_varint(ptr %51, i64 %80)
  br label %90

120:                                              ; preds = %arm5
  %121 = getelementptr i8, ptr %object11, i64 32
  %state = load i32, ptr %121, align 1
  %122 = and i32 %state, 96
  %123 = icmp eq i32 %122, 96
  br i1 %123, label %124, label %leave, !prof !0

124:                                              ; preds = %120
  %125 = getelementptr i8, ptr %object11, i64 16
  %len13 = load i64, ptr %125, align 1
  %126 = getelementptr i8, ptr %object11, i64 48
  %127 = ptrtoint ptr %126 to i64
  %128 = and i64 %127, 4095
  %129 = icmp ult i64 %128, 4033
  %130 = icmp ult i64 %len13, 65
  %131 = and i1 %130, %129
  br i1 %131, label %short, label %long, !prof !0

short:                                            ; preds = %124
  %132 = shl i64 %len13, 1
  %133 = or i64 %132, 1
  %134 = trunc i64 %133 to i8
  store i8 %134, ptr %55, align 1
  %135 = getelementptr i8, ptr %55, i64 1
  %136 = load <16 x i8>, ptr %126, align 1
  store <16 x i8> %136, ptr %135, align 1
  %137 = icmp ult i64 %len13, 17
  br i1 %137, label %154, label %142

long:                                             ; preds = %124
  %138 = call preserve_mostcc ptr @long_str(ptr %55, ptr %7, ptr %126, i64 %len13, i64 95)
  %139 = ptrtoint ptr %138 to i64
  %140 = icmp ne i64 %139, 0
  br i1 %140, label %156, label %leave, !prof !0

join14:                                           ; preds = %156, %154
  %141 = phi ptr [ %155, %154 ], [ %138, %156 ]
  br label %join

142:                                              ; preds = %short
  %143 = getelementptr i8, ptr %126, i64 16
  %144 = load <16 x i8>, ptr %143, align 1
  %145 = getelementptr i8, ptr %135, i64 16
  store <16 x i8> %144, ptr %145, align 1
  %146 = icmp ult i64 %len13, 33
  br i1 %146, label %154, label %147

147:                                              ; preds = %142
  %148 = getelementptr i8, ptr %126, i64 32
  %149 = load <16 x i8>, ptr %148, align 1
  %150 = getelementptr i8, ptr %135, i64 32
  store <16 x i8> %149, ptr %150, align 1
  %151 = getelementptr i8, ptr %126, i64 48
  %152 = load <16 x i8>, ptr %151, align 1
  %153 = getelementptr i8, ptr %135, i64 48
  store <16 x i8> %152, ptr %153, align 1
  br label %154

154:                                              ; preds = %147, %142, %short
  %155 = getelementptr i8, ptr %135, i64 %len13
  br label %join14

156:                                              ; preds = %long
  br label %join14

157:                                              ; preds = %join
  %158 = ptrtoint ptr %59 to i64
  %159 = ptrtoint ptr %9 to i64
  %160 = icmp ult i64 %158, %159
  br i1 %160, label %161, label %leave, !prof !0

161:                                              ; preds = %157
  %162 = trunc i64 %63 to i32
  store i32 %162, ptr %16, align 1
  %163 = add i64 %15, 1
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

; Function Attrs: nounwind
define internal preserve_mostcc ptr @long_str(ptr %0, ptr %1, ptr %2, i64 %3, i64 %4) #0 {
start:
  %5 = icmp ult i64 %3, 4294967232
  br i1 %5, label %checked, label %none

checked:                                          ; preds = %start
  %6 = ptrtoint ptr %0 to i64
  %7 = ptrtoint ptr %1 to i64
  %8 = sub i64 %7, %6
  %9 = add i64 %3, %4
  %10 = icmp ugt i64 %8, %9
  br i1 %10, label %fits, label %none

fits:                                             ; preds = %checked
  %11 = icmp ult i64 %3, 128
  br i1 %11, label %one, label %more

none:                                             ; preds = %checked, %start
  ret ptr null

one:                                              ; preds = %fits
  %12 = shl i64 %3, 1
  %13 = or i64 %12, 1
  %14 = trunc i64 %13 to i8
  store i8 %14, ptr %0, align 1
  %15 = getelementptr i8, ptr %0, i64 1
  br label %copy

more:                                             ; preds = %fits
  %16 = call preserve_mostcc ptr @long_varint(ptr %0, i64 %3)
  br label %copy

copy:                                             ; preds = %more, %one
  %17 = phi ptr [ %15, %one ], [ %16, %more ]
  call void @serow_copy(ptr %17, ptr %2, i64 %3)
  %18 = getelementptr i8, ptr %17, i64 %3
  ret ptr %18
}

; Function Attrs: nounwind
declare void @serow_copy(ptr, ptr, i64) #0

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
