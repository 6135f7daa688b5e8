; An int is guarded by its type and by the number of its digits, up to three; one beyond 63 bits leaves the row.
; schema (i64,)
; from cpython to row
;
; 0  tuple of 1, acyclic
; 1  i64, int 0
; 2  leave
; 3  end

@serow_py_tuple = external global i8
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

bailout:                                          ; preds = %115, %80, %72, %three, %46, %43, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory9 = load ptr, ptr %1, align 1
  %start10 = load ptr, ptr %memory9, align 1
  %11 = ptrtoint ptr %start10 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory9, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %119, %start
  %15 = phi i64 [ %2, %start ], [ %121, %119 ]
  %16 = phi ptr [ %5, %start ], [ %81, %119 ]
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
  br i1 %39, label %43, label %bailout, !prof !0

tuple:                                            ; preds = %fetch
  %40 = getelementptr i8, ptr %soon, i64 16
  %len2 = load i64, ptr %40, align 1
  %41 = icmp eq i64 %len2, 1
  br i1 %41, label %fields, label %fetched

fields:                                           ; preds = %tuple
  %42 = getelementptr i8, ptr %soon, i64 24
  %field = load ptr, ptr %42, align 1
  call void @llvm.prefetch.p0(ptr %field, i32 0, i32 3, i32 1)
  br label %fetched

43:                                               ; preds = %fetched
  %44 = getelementptr i8, ptr %object, i64 16
  %len4 = load i64, ptr %44, align 1
  %45 = icmp eq i64 %len4, 1
  br i1 %45, label %46, label %bailout, !prof !0

46:                                               ; preds = %43
  %47 = getelementptr i8, ptr %object, i64 24
  %object5 = load ptr, ptr %47, align 1
  %48 = getelementptr i8, ptr %object5, i64 8
  %type6 = load ptr, ptr %48, align 1
  %49 = icmp eq ptr %type6, @serow_py_int
  br i1 %49, label %50, label %bailout, !prof !0

50:                                               ; preds = %46
  %51 = getelementptr i8, ptr %object5, i64 16
  %size = load i64, ptr %51, align 1
  %52 = getelementptr i8, ptr %object5, i64 24
  %digit = load i32, ptr %52, align 1
  %53 = zext i32 %digit to i64
  %54 = add i64 %size, 1
  %55 = icmp ult i64 %54, 3
  br i1 %55, label %small, label %large, !prof !0

small:                                            ; preds = %50
  %56 = mul i64 %size, %53
  br label %int

large:                                            ; preds = %50
  %57 = ashr i64 %size, 63
  %58 = or i64 %57, 1
  %59 = mul i64 %size, %58
  %60 = getelementptr i8, ptr %object5, i64 28
  %digit7 = load i32, ptr %60, align 1
  %61 = zext i32 %digit7 to i64
  %62 = shl i64 %61, 30
  %63 = or i64 %62, %53
  %64 = icmp ult i64 %59, 3
  br i1 %64, label %two, label %three

int:                                              ; preds = %76, %two, %small
  %65 = phi i64 [ %56, %small ], [ %70, %two ], [ %79, %76 ]
  %66 = shl i64 %65, 1
  %67 = ashr i64 %65, 63
  %68 = xor i64 %66, %67
  %69 = icmp ult i64 %68, 128
  br i1 %69, label %87, label %92

two:                                              ; preds = %large
  %70 = mul i64 %58, %63
  br label %int

three:                                            ; preds = %large
  %71 = icmp ult i64 %59, 4
  br i1 %71, label %72, label %bailout, !prof !0

72:                                               ; preds = %three
  %73 = getelementptr i8, ptr %object5, i64 32
  %digit8 = load i32, ptr %73, align 1
  %74 = zext i32 %digit8 to i64
  %75 = icmp ult i64 %74, 8
  br i1 %75, label %76, label %bailout, !prof !0

76:                                               ; preds = %72
  %77 = shl i64 %74, 60
  %78 = or i64 %77, %63
  %79 = mul i64 %58, %78
  br label %int

80:                                               ; preds = %113, %108, %101, %94, %87
  %81 = phi ptr [ %91, %87 ], [ %98, %94 ], [ %105, %101 ], [ %112, %108 ], [ %114, %113 ]
  %82 = ptrtoint ptr %16 to i64
  %83 = ptrtoint ptr %81 to i64
  %84 = sub i64 %83, %82
  %85 = sub i64 %84, 4
  %86 = icmp ult i64 %85, 4294967232
  br i1 %86, label %115, label %bailout, !prof !0

87:                                               ; preds = %int
  %88 = shl i64 %68, 1
  %89 = or i64 %88, 1
  %90 = trunc i64 %89 to i8
  store i8 %90, ptr %25, align 1
  %91 = getelementptr i8, ptr %25, i64 1
  br label %80

92:                                               ; preds = %int
  %93 = icmp ult i64 %68, 16384
  br i1 %93, label %94, label %99

94:                                               ; preds = %92
  %95 = shl i64 %68, 2
  %96 = or i64 %95, 2
  %97 = trunc i64 %96 to i16
  store i16 %97, ptr %25, align 1
  %98 = getelementptr i8, ptr %25, i64 2
  br label %80

99:                                               ; preds = %92
  %100 = icmp ult i64 %68, 2097152
  br i1 %100, label %101, label %106

101:                                              ; preds = %99
  %102 = shl i64 %68, 3
  %103 = or i64 %102, 4
  %104 = trunc i64 %103 to i32
  store i32 %104, ptr %25, align 1
  %105 = getelementptr i8, ptr %25, i64 3
  br label %80

106:                                              ; preds = %99
  %107 = icmp ult i64 %68, 268435456
  br i1 %107, label %108, label %113

108:                                              ; preds = %106
  %109 = shl i64 %68, 4
  %110 = or i64 %109, 8
  %111 = trunc i64 %110 to i32
  store i32 %111, ptr %25, align 1
  %112 = getelementptr i8, ptr %25, i64 4
  br label %80

113:                                              ; preds = %106
  %114 = call preserve_mostcc ptr @long_varint(ptr %25, i64 %68)
  br label %80

115:                                              ; preds = %80
  %116 = ptrtoint ptr %81 to i64
  %117 = ptrtoint ptr %9 to i64
  %118 = icmp ult i64 %116, %117
  br i1 %118, label %119, label %bailout, !prof !0

119:                                              ; preds = %115
  %120 = trunc i64 %85 to i32
  store i32 %120, ptr %16, align 1
  %121 = add i64 %15, 1
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
