; An optional is a branch; what the sink lives on is joined in phis after it.
; schema (i64?,)
; from cpython to row
;
; 0  tuple of 1, acyclic
; 1  optional, bit 0, else to 3
; 2  i64, int 0
; 3  leave
; 4  end

@serow_py_tuple = external global i8
@serow_py_none = external global i8
@serow_py_int = external global i8

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

bailout:                                          ; preds = %122, %join, %84, %three, %present, %44, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory10 = load ptr, ptr %1, align 1
  %start11 = load ptr, ptr %memory10, align 1
  %11 = ptrtoint ptr %start11 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory10, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %126, %start
  %15 = phi i64 [ %2, %start ], [ %128, %126 ]
  %16 = phi ptr [ %5, %start ], [ %56, %126 ]
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
  br i1 %39, label %44, label %bailout, !prof !0

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
  br i1 %46, label %47, label %bailout, !prof !0

47:                                               ; preds = %44
  %48 = getelementptr i8, ptr %object, i64 24
  %object5 = load ptr, ptr %48, align 1
  %49 = icmp eq ptr %object5, @serow_py_none
  %50 = xor i1 %49, true
  br i1 %50, label %present, label %absent

present:                                          ; preds = %47
  store i8 1, ptr %25, align 1
  %51 = getelementptr i8, ptr %25, i64 1
  %52 = getelementptr i8, ptr %object, i64 24
  %object6 = load ptr, ptr %52, align 1
  %53 = getelementptr i8, ptr %object6, i64 8
  %type7 = load ptr, ptr %53, align 1
  %54 = icmp eq ptr %type7, @serow_py_int
  br i1 %54, label %62, label %bailout, !prof !0

absent:                                           ; preds = %47
  store i8 0, ptr %25, align 1
  %55 = getelementptr i8, ptr %25, i64 1
  br label %join

join:                                             ; preds = %absent, %92
  %56 = phi ptr [ %93, %92 ], [ %55, %absent ]
  %57 = ptrtoint ptr %16 to i64
  %58 = ptrtoint ptr %56 to i64
  %59 = sub i64 %58, %57
  %60 = sub i64 %59, 4
  %61 = icmp ult i64 %60, 4294967232
  br i1 %61, label %122, label %bailout, !prof !0

62:                                               ; preds = %present
  %63 = getelementptr i8, ptr %object6, i64 16
  %size = load i64, ptr %63, align 1
  %64 = getelementptr i8, ptr %object6, i64 24
  %digit = load i32, ptr %64, align 1
  %65 = zext i32 %digit to i64
  %66 = add i64 %size, 1
  %67 = icmp ult i64 %66, 3
  br i1 %67, label %small, label %large, !prof !0

small:                                            ; preds = %62
  %68 = mul i64 %size, %65
  br label %int

large:                                            ; preds = %62
  %69 = ashr i64 %size, 63
  %70 = or i64 %69, 1
  %71 = mul i64 %size, %70
  %72 = getelementptr i8, ptr %object6, i64 28
  %digit8 = load i32, ptr %72, align 1
  %73 = zext i32 %digit8 to i64
  %74 = shl i64 %73, 30
  %75 = or i64 %74, %65
  %76 = icmp ult i64 %71, 3
  br i1 %76, label %two, label %three

int:                                              ; preds = %88, %two, %small
  %77 = phi i64 [ %68, %small ], [ %82, %two ], [ %91, %88 ]
  %78 = shl i64 %77, 1
  %79 = ashr i64 %77, 63
  %80 = xor i64 %78, %79
  %81 = icmp ult i64 %80, 128
  br i1 %81, label %94, label %99

two:                                              ; preds = %large
  %82 = mul i64 %70, %75
  br label %int

three:                                            ; preds = %large
  %83 = icmp ult i64 %71, 4
  br i1 %83, label %84, label %bailout, !prof !0

84:                                               ; preds = %three
  %85 = getelementptr i8, ptr %object6, i64 32
  %digit9 = load i32, ptr %85, align 1
  %86 = zext i32 %digit9 to i64
  %87 = icmp ult i64 %86, 8
  br i1 %87, label %88, label %bailout, !prof !0

88:                                               ; preds = %84
  %89 = shl i64 %86, 60
  %90 = or i64 %89, %75
  %91 = mul i64 %70, %90
  br label %int

92:                                               ; preds = %120, %115, %108, %101, %94
  %93 = phi ptr [ %98, %94 ], [ %105, %101 ], [ %112, %108 ], [ %119, %115 ], [ %121, %120 ]
  br label %join

94:                                               ; preds = %int
  %95 = shl i64 %80, 1
  %96 = or i64 %95, 1
  %97 = trunc i64 %96 to i8
  store i8 %97, ptr %51, align 1
  %98 = getelementptr i8, ptr %51, i64 1
  br label %92

99:                                               ; preds = %int
  %100 = icmp ult i64 %80, 16384
  br i1 %100, label %101, label %106

101:                                              ; preds = %99
  %102 = shl i64 %80, 2
  %103 = or i64 %102, 2
  %104 = trunc i64 %103 to i16
  store i16 %104, ptr %51, align 1
  %105 = getelementptr i8, ptr %51, i64 2
  br label %92

106:                                              ; preds = %99
  %107 = icmp ult i64 %80, 2097152
  br i1 %107, label %108, label %113

108:                                              ; preds = %106
  %109 = shl i64 %80, 3
  %110 = or i64 %109, 4
  %111 = trunc i64 %110 to i32
  store i32 %111, ptr %51, align 1
  %112 = getelementptr i8, ptr %51, i64 3
  br label %92

113:                                              ; preds = %106
  %114 = icmp ult i64 %80, 268435456
  br i1 %114, label %115, label %120

115:                                              ; preds = %113
  %116 = shl i64 %80, 4
  %117 = or i64 %116, 8
  %118 = trunc i64 %117 to i32
  store i32 %118, ptr %51, align 1
  %119 = getelementptr i8, ptr %51, i64 4
  br label %92

120:                                              ; preds = %113
  %121 = call preserve_mostcc ptr @long_varint(ptr %51, i64 %80)
  br label %92

122:                                              ; preds = %join
  %123 = ptrtoint ptr %56 to i64
  %124 = ptrtoint ptr %9 to i64
  %125 = icmp ult i64 %123, %124
  br i1 %125, label %126, label %bailout, !prof !0

126:                                              ; preds = %122
  %127 = trunc i64 %60 to i32
  store i32 %127, ptr %16, align 1
  %128 = add i64 %15, 1
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

attributes #0 = { nounwind }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = !{!"branch_weights", i32 2000, i32 1}
