; A function gives a dict's values in the order of the plan, with null for one that is missing.
; schema {"a": i64, "b"?: bool}
; from cpython to row
;
; 0  struct of 2: dict, a, b
; 1  i64, int 0
; 2  maybe, bit 0, else to 4
; 3  bool, bit 1
; 4  leave
; 5  end

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

bailout:                                          ; preds = %120, %join, %present, %64, %three, %39, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory7 = load ptr, ptr %1, align 1
  %start8 = load ptr, ptr %memory7, align 1
  %11 = ptrtoint ptr %start8 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory7, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %124, %start
  %15 = phi i64 [ %2, %start ], [ %126, %124 ]
  %16 = phi ptr [ %5, %start ], [ %111, %124 ]
  %17 = icmp ult i64 %15, %3
  br i1 %17, label %18, label %bailout, !prof !0

18:                                               ; preds = %next
  %19 = sub i64 %15, %2
  %20 = ptrtoint ptr %16 to i64
  %21 = ptrtoint ptr %7 to i64
  %22 = sub i64 %21, %20
  %23 = icmp ugt i64 %22, 15
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
  br i1 %61, label %77, label %82

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

72:                                               ; preds = %103, %98, %91, %84, %77
  %73 = phi ptr [ %81, %77 ], [ %88, %84 ], [ %95, %91 ], [ %102, %98 ], [ %104, %103 ]
  %74 = getelementptr i8, ptr %36, i64 8
  %object5 = load ptr, ptr %74, align 1
  %75 = ptrtoint ptr %object5 to i64
  %76 = icmp ne i64 %75, 0
  br i1 %76, label %present, label %absent

77:                                               ; preds = %int
  %78 = shl i64 %60, 1
  %79 = or i64 %78, 1
  %80 = trunc i64 %79 to i8
  store i8 %80, ptr %25, align 1
  %81 = getelementptr i8, ptr %25, i64 1
  br label %72

82:                                               ; preds = %int
  %83 = icmp ult i64 %60, 16384
  br i1 %83, label %84, label %89

84:                                               ; preds = %82
  %85 = shl i64 %60, 2
  %86 = or i64 %85, 2
  %87 = trunc i64 %86 to i16
  store i16 %87, ptr %25, align 1
  %88 = getelementptr i8, ptr %25, i64 2
  br label %72

89:                                               ; preds = %82
  %90 = icmp ult i64 %60, 2097152
  br i1 %90, label %91, label %96

91:                                               ; preds = %89
  %92 = shl i64 %60, 3
  %93 = or i64 %92, 4
  %94 = trunc i64 %93 to i32
  store i32 %94, ptr %25, align 1
  %95 = getelementptr i8, ptr %25, i64 3
  br label %72

96:                                               ; preds = %89
  %97 = icmp ult i64 %60, 268435456
  br i1 %97, label %98, label %103

98:                                               ; preds = %96
  %99 = shl i64 %60, 4
  %100 = or i64 %99, 8
  %101 = trunc i64 %100 to i32
  store i32 %101, ptr %25, align 1
  %102 = getelementptr i8, ptr %25, i64 4
  br label %72

103:                                              ; preds = %96
  %104 = call preserve_mostcc ptr @long_varint(ptr %25, i64 %60)
  br label %72

present:                                          ; preds = %72
  store i8 1, ptr %73, align 1
  %105 = getelementptr i8, ptr %73, i64 1
  %106 = getelementptr i8, ptr %36, i64 8
  %object6 = load ptr, ptr %106, align 1
  %107 = icmp eq ptr %object6, @serow_py_true
  %108 = icmp eq ptr %object6, @serow_py_false
  %109 = or i1 %107, %108
  br i1 %109, label %117, label %bailout, !prof !0

absent:                                           ; preds = %72
  store i8 0, ptr %73, align 1
  %110 = getelementptr i8, ptr %73, i64 1
  br label %join

join:                                             ; preds = %absent, %117
  %111 = phi ptr [ %119, %117 ], [ %110, %absent ]
  %112 = ptrtoint ptr %16 to i64
  %113 = ptrtoint ptr %111 to i64
  %114 = sub i64 %113, %112
  %115 = sub i64 %114, 4
  %116 = icmp ult i64 %115, 4294967232
  br i1 %116, label %120, label %bailout, !prof !0

117:                                              ; preds = %present
  %118 = zext i1 %107 to i8
  store i8 %118, ptr %105, align 1
  %119 = getelementptr i8, ptr %105, i64 1
  br label %join

120:                                              ; preds = %join
  %121 = ptrtoint ptr %111 to i64
  %122 = ptrtoint ptr %9 to i64
  %123 = icmp ult i64 %121, %122
  br i1 %123, label %124, label %bailout, !prof !0

124:                                              ; preds = %120
  %125 = trunc i64 %115 to i32
  store i32 %125, ptr %16, align 1
  %126 = add i64 %15, 1
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
