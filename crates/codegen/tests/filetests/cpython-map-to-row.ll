; An element of a map is two objects, its key and its value.
; schema {i64: bool}
; from cpython to row
;
; 0  sequence as map, int 0, to 4, 10 bytes each
; 1  i64, int 1
; 2  bool, bit 0
; 3  next, from 1
; 4  end

@serow_py_int = external global i8
@serow_py_true = external global i8
@serow_py_false = external global i8

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

bailout:                                          ; preds = %153, %147, %after, %108, %100, %three, %element, %59, %42, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory7 = load ptr, ptr %1, align 1
  %start8 = load ptr, ptr %memory7, align 1
  %11 = ptrtoint ptr %start8 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory7, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %157, %start
  %15 = phi i64 [ %2, %start ], [ %159, %157 ]
  %16 = phi ptr [ %5, %start ], [ %73, %157 ]
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
  br label %fetched

fetched:                                          ; preds = %fetch, %24
  %33 = mul i64 %15, 8
  %34 = getelementptr i8, ptr %rows, i64 %33
  %35 = getelementptr i8, ptr %0, i64 96
  store i64 0, ptr %35, align 1
  %object = load ptr, ptr %34, align 1
  %36 = call ptr @serow_py_view(ptr %0, ptr %object, i32 2)
  %37 = ptrtoint ptr %36 to i64
  %38 = icmp ne i64 %37, 0
  br i1 %38, label %39, label %bailout, !prof !0

39:                                               ; preds = %fetched
  %40 = getelementptr i8, ptr %0, i64 88
  %len2 = load i64, ptr %40, align 1
  %41 = icmp ult i64 %len2, 128
  br i1 %41, label %45, label %50

42:                                               ; preds = %57, %52, %45
  %43 = phi ptr [ %49, %45 ], [ %56, %52 ], [ %58, %57 ]
  %44 = icmp ult i64 %len2, 4294967296
  br i1 %44, label %59, label %bailout, !prof !0

45:                                               ; preds = %39
  %46 = shl i64 %len2, 1
  %47 = or i64 %46, 1
  %48 = trunc i64 %47 to i8
  store i8 %48, ptr %25, align 1
  %49 = getelementptr i8, ptr %25, i64 1
  br label %42

50:                                               ; preds = %39
  %51 = icmp ult i64 %len2, 16384
  br i1 %51, label %52, label %57

52:                                               ; preds = %50
  %53 = shl i64 %len2, 2
  %54 = or i64 %53, 2
  %55 = trunc i64 %54 to i16
  store i16 %55, ptr %25, align 1
  %56 = getelementptr i8, ptr %25, i64 2
  br label %42

57:                                               ; preds = %50
  %58 = call preserve_mostcc ptr @long_varint(ptr %25, i64 %len2)
  br label %42

59:                                               ; preds = %42
  %60 = mul i64 %len2, 10
  %61 = ptrtoint ptr %43 to i64
  %62 = ptrtoint ptr %7 to i64
  %63 = sub i64 %62, %61
  %64 = icmp ugt i64 %63, %60
  br i1 %64, label %65, label %bailout, !prof !0

65:                                               ; preds = %59
  %66 = icmp ne i64 %len2, 0
  br i1 %66, label %element, label %after

element:                                          ; preds = %142, %65
  %67 = phi i64 [ 0, %65 ], [ %145, %142 ]
  %68 = phi ptr [ %43, %65 ], [ %144, %142 ]
  %69 = mul i64 %67, 16
  %70 = getelementptr i8, ptr %36, i64 %69
  %object3 = load ptr, ptr %70, align 1
  %71 = getelementptr i8, ptr %object3, i64 8
  %type = load ptr, ptr %71, align 1
  %72 = icmp eq ptr %type, @serow_py_int
  br i1 %72, label %78, label %bailout, !prof !0

after:                                            ; preds = %142, %65
  %73 = phi ptr [ %43, %65 ], [ %144, %142 ]
  %74 = ptrtoint ptr %73 to i64
  %75 = ptrtoint ptr %7 to i64
  %76 = sub i64 %75, %74
  %77 = icmp ugt i64 %76, 13
  br i1 %77, label %147, label %bailout, !prof !0

78:                                               ; preds = %element
  %79 = getelementptr i8, ptr %object3, i64 16
  %size = load i64, ptr %79, align 1
  %80 = getelementptr i8, ptr %object3, i64 24
  %digit = load i32, ptr %80, align 1
  %81 = zext i32 %digit to i64
  %82 = add i64 %size, 1
  %83 = icmp ult i64 %82, 3
  br i1 %83, label %small, label %large, !prof !0

small:                                            ; preds = %78
  %84 = mul i64 %size, %81
  br label %int

large:                                            ; preds = %78
  %85 = ashr i64 %size, 63
  %86 = or i64 %85, 1
  %87 = mul i64 %size, %86
  %88 = getelementptr i8, ptr %object3, i64 28
  %digit4 = load i32, ptr %88, align 1
  %89 = zext i32 %digit4 to i64
  %90 = shl i64 %89, 30
  %91 = or i64 %90, %81
  %92 = icmp ult i64 %87, 3
  br i1 %92, label %two, label %three

int:                                              ; preds = %104, %two, %small
  %93 = phi i64 [ %84, %small ], [ %98, %two ], [ %107, %104 ]
  %94 = shl i64 %93, 1
  %95 = ashr i64 %93, 63
  %96 = xor i64 %94, %95
  %97 = icmp ult i64 %96, 128
  br i1 %97, label %114, label %119

two:                                              ; preds = %large
  %98 = mul i64 %86, %91
  br label %int

three:                                            ; preds = %large
  %99 = icmp ult i64 %87, 4
  br i1 %99, label %100, label %bailout, !prof !0

100:                                              ; preds = %three
  %101 = getelementptr i8, ptr %object3, i64 32
  %digit5 = load i32, ptr %101, align 1
  %102 = zext i32 %digit5 to i64
  %103 = icmp ult i64 %102, 8
  br i1 %103, label %104, label %bailout, !prof !0

104:                                              ; preds = %100
  %105 = shl i64 %102, 60
  %106 = or i64 %105, %91
  %107 = mul i64 %86, %106
  br label %int

108:                                              ; preds = %140, %135, %128, %121, %114
  %109 = phi ptr [ %118, %114 ], [ %125, %121 ], [ %132, %128 ], [ %139, %135 ], [ %141, %140 ]
  %110 = getelementptr i8, ptr %70, i64 8
  %object6 = load ptr, ptr %110, align 1
  %111 = icmp eq ptr %object6, @serow_py_true
  %112 = icmp eq ptr %object6, @serow_py_false
  %113 = or i1 %111, %112
  br i1 %113, label %142, label %bailout, !prof !0

114:                                              ; preds = %int
  %115 = shl i64 %96, 1
  %116 = or i64 %115, 1
  %117 = trunc i64 %116 to i8
  store i8 %117, ptr %68, align 1
  %118 = getelementptr i8, ptr %68, i64 1
  br label %108

119:                                              ; preds = %int
  %120 = icmp ult i64 %96, 16384
  br i1 %120, label %121, label %126

121:                                              ; preds = %119
  %122 = shl i64 %96, 2
  %123 = or i64 %122, 2
  %124 = trunc i64 %123 to i16
  store i16 %124, ptr %68, align 1
  %125 = getelementptr i8, ptr %68, i64 2
  br label %108

126:                                              ; preds = %119
  %127 = icmp ult i64 %96, 2097152
  br i1 %127, label %128, label %133

128:                                              ; preds = %126
  %129 = shl i64 %96, 3
  %130 = or i64 %129, 4
  %131 = trunc i64 %130 to i32
  store i32 %131, ptr %68, align 1
  %132 = getelementptr i8, ptr %68, i64 3
  br label %108

133:                                              ; preds = %126
  %134 = icmp ult i64 %96, 268435456
  br i1 %134, label %135, label %140

135:                                              ; preds = %133
  %136 = shl i64 %96, 4
  %137 = or i64 %136, 8
  %138 = trunc i64 %137 to i32
  store i32 %138, ptr %68, align 1
  %139 = getelementptr i8, ptr %68, i64 4
  br label %108

140:                                              ; preds = %133
  %141 = call preserve_mostcc ptr @long_varint(ptr %68, i64 %96)
  br label %108

142:                                              ; preds = %108
  %143 = zext i1 %111 to i8
  store i8 %143, ptr %109, align 1
  %144 = getelementptr i8, ptr %109, i64 1
  %145 = add i64 %67, 1
  %146 = icmp ult i64 %145, %len2
  br i1 %146, label %element, label %after

147:                                              ; preds = %after
  %148 = ptrtoint ptr %16 to i64
  %149 = ptrtoint ptr %73 to i64
  %150 = sub i64 %149, %148
  %151 = sub i64 %150, 4
  %152 = icmp ult i64 %151, 4294967232
  br i1 %152, label %153, label %bailout, !prof !0

153:                                              ; preds = %147
  %154 = ptrtoint ptr %73 to i64
  %155 = ptrtoint ptr %9 to i64
  %156 = icmp ult i64 %154, %155
  br i1 %156, label %157, label %bailout, !prof !0

157:                                              ; preds = %153
  %158 = trunc i64 %151 to i32
  store i32 %158, ptr %16, align 1
  %159 = add i64 %15, 1
  br label %next
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @llvm.prefetch.p0(ptr readonly captures(none), i32 immarg, i32 immarg, i32 immarg) #1

; Function Attrs: nounwind
declare ptr @serow_py_view(ptr, ptr, i32) #0

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
