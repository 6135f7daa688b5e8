; A record's fields are where a function says, whatever its class is.
; schema Part{key: i64, size: bool}
; from cpython to row
;
; 0  struct of 2: Part, key, size
; 1  i64, int 0
; 2  bool, bit 0
; 3  leave
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

bailout:                                          ; preds = %114, %106, %72, %64, %three, %39, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory6 = load ptr, ptr %1, align 1
  %start7 = load ptr, ptr %memory6, align 1
  %11 = ptrtoint ptr %start7 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory6, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %118, %start
  %15 = phi i64 [ %2, %start ], [ %120, %118 ]
  %16 = phi ptr [ %5, %start ], [ %108, %118 ]
  %17 = icmp ult i64 %15, %3
  br i1 %17, label %18, label %bailout, !prof !0

18:                                               ; preds = %next
  %19 = sub i64 %15, %2
  %20 = ptrtoint ptr %16 to i64
  %21 = ptrtoint ptr %7 to i64
  %22 = sub i64 %21, %20
  %23 = icmp ugt i64 %22, 14
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
  %36 = call ptr @serow_py_view(ptr %0, ptr %object, i32 3)
  %37 = ptrtoint ptr %36 to i64
  %38 = icmp ne i64 %37, 0
  br i1 %38, label %39, label %bailout, !prof !0

39:                                               ; preds = %fetched
  %object2 = load ptr, ptr %36, align 1
  %40 = getelementptr i8, ptr %object2, i64 8
  %type = load ptr, ptr %40, align 1
  %41 = icmp eq ptr %type, @serow_py_int
  br i1 %41, label %42, label %bailout, !prof !0

42:                                               ; preds = %39
  %43 = getelementptr i8, ptr %object2, i64 16
  %size = load i64, ptr %43, align 1
  %44 = getelementptr i8, ptr %object2, i64 24
  %digit = load i32, ptr %44, align 1
  %45 = zext i32 %digit to i64
  %46 = add i64 %size, 1
  %47 = icmp ult i64 %46, 3
  br i1 %47, label %small, label %large, !prof !0

small:                                            ; preds = %42
  %48 = mul i64 %size, %45
  br label %int

large:                                            ; preds = %42
  %49 = ashr i64 %size, 63
  %50 = or i64 %49, 1
  %51 = mul i64 %size, %50
  %52 = getelementptr i8, ptr %object2, i64 28
  %digit3 = load i32, ptr %52, align 1
  %53 = zext i32 %digit3 to i64
  %54 = shl i64 %53, 30
  %55 = or i64 %54, %45
  %56 = icmp ult i64 %51, 3
  br i1 %56, label %two, label %three

int:                                              ; preds = %68, %two, %small
  %57 = phi i64 [ %48, %small ], [ %62, %two ], [ %71, %68 ]
  %58 = shl i64 %57, 1
  %59 = ashr i64 %57, 63
  %60 = xor i64 %58, %59
  %61 = icmp ult i64 %60, 128
  br i1 %61, label %78, label %83

two:                                              ; preds = %large
  %62 = mul i64 %50, %55
  br label %int

three:                                            ; preds = %large
  %63 = icmp ult i64 %51, 4
  br i1 %63, label %64, label %bailout, !prof !0

64:                                               ; preds = %three
  %65 = getelementptr i8, ptr %object2, i64 32
  %digit4 = load i32, ptr %65, align 1
  %66 = zext i32 %digit4 to i64
  %67 = icmp ult i64 %66, 8
  br i1 %67, label %68, label %bailout, !prof !0

68:                                               ; preds = %64
  %69 = shl i64 %66, 60
  %70 = or i64 %69, %55
  %71 = mul i64 %50, %70
  br label %int

72:                                               ; preds = %104, %99, %92, %85, %78
  %73 = phi ptr [ %82, %78 ], [ %89, %85 ], [ %96, %92 ], [ %103, %99 ], [ %105, %104 ]
  %74 = getelementptr i8, ptr %36, i64 8
  %object5 = load ptr, ptr %74, align 1
  %75 = icmp eq ptr %object5, @serow_py_true
  %76 = icmp eq ptr %object5, @serow_py_false
  %77 = or i1 %75, %76
  br i1 %77, label %106, label %bailout, !prof !0

78:                                               ; preds = %int
  %79 = shl i64 %60, 1
  %80 = or i64 %79, 1
  %81 = trunc i64 %80 to i8
  store i8 %81, ptr %25, align 1
  %82 = getelementptr i8, ptr %25, i64 1
  br label %72

83:                                               ; preds = %int
  %84 = icmp ult i64 %60, 16384
  br i1 %84, label %85, label %90

85:                                               ; preds = %83
  %86 = shl i64 %60, 2
  %87 = or i64 %86, 2
  %88 = trunc i64 %87 to i16
  store i16 %88, ptr %25, align 1
  %89 = getelementptr i8, ptr %25, i64 2
  br label %72

90:                                               ; preds = %83
  %91 = icmp ult i64 %60, 2097152
  br i1 %91, label %92, label %97

92:                                               ; preds = %90
  %93 = shl i64 %60, 3
  %94 = or i64 %93, 4
  %95 = trunc i64 %94 to i32
  store i32 %95, ptr %25, align 1
  %96 = getelementptr i8, ptr %25, i64 3
  br label %72

97:                                               ; preds = %90
  %98 = icmp ult i64 %60, 268435456
  br i1 %98, label %99, label %104

99:                                               ; preds = %97
  %100 = shl i64 %60, 4
  %101 = or i64 %100, 8
  %102 = trunc i64 %101 to i32
  store i32 %102, ptr %25, align 1
  %103 = getelementptr i8, ptr %25, i64 4
  br label %72

104:                                              ; preds = %97
  %105 = call preserve_mostcc ptr @long_varint(ptr %25, i64 %60)
  br label %72

106:                                              ; preds = %72
  %107 = zext i1 %75 to i8
  store i8 %107, ptr %73, align 1
  %108 = getelementptr i8, ptr %73, i64 1
  %109 = ptrtoint ptr %16 to i64
  %110 = ptrtoint ptr %108 to i64
  %111 = sub i64 %110, %109
  %112 = sub i64 %111, 4
  %113 = icmp ult i64 %112, 4294967232
  br i1 %113, label %114, label %bailout, !prof !0

114:                                              ; preds = %106
  %115 = ptrtoint ptr %108 to i64
  %116 = ptrtoint ptr %9 to i64
  %117 = icmp ult i64 %115, %116
  br i1 %117, label %118, label %bailout, !prof !0

118:                                              ; preds = %114
  %119 = trunc i64 %112 to i32
  store i32 %119, ptr %16, align 1
  %120 = add i64 %15, 1
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
