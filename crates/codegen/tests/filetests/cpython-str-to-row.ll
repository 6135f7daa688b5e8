; ASCII text is copied from where it lies in the object, in steps of sixteen bytes.
; schema (str,)
; from cpython to row
;
; 0  tuple of 1, acyclic
; 1  str, str 0
; 2  leave
; 3  end

@serow_py_tuple = external global i8
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

bailout:                                          ; preds = %93, %join, %long, %51, %47, %44, %fetched, %18, %next
  %10 = sub i64 %15, %2
  %memory8 = load ptr, ptr %1, align 1
  %start9 = load ptr, ptr %memory8, align 1
  %11 = ptrtoint ptr %start9 to i64
  %12 = ptrtoint ptr %16 to i64
  %13 = sub i64 %12, %11
  %14 = getelementptr i8, ptr %memory8, i64 8
  store i64 %13, ptr %14, align 1
  ret i64 %15

next:                                             ; preds = %97, %start
  %15 = phi i64 [ %2, %start ], [ %99, %97 ]
  %16 = phi ptr [ %5, %start ], [ %72, %97 ]
  %17 = icmp ult i64 %15, %3
  br i1 %17, label %18, label %bailout, !prof !0

18:                                               ; preds = %next
  %19 = sub i64 %15, %2
  %20 = ptrtoint ptr %16 to i64
  %21 = ptrtoint ptr %7 to i64
  %22 = sub i64 %21, %20
  %23 = icmp ugt i64 %22, 77
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
  %49 = getelementptr i8, ptr %object5, i64 8
  %type6 = load ptr, ptr %49, align 1
  %50 = icmp eq ptr %type6, @serow_py_str
  br i1 %50, label %51, label %bailout, !prof !0

51:                                               ; preds = %47
  %52 = getelementptr i8, ptr %object5, i64 32
  %state = load i32, ptr %52, align 1
  %53 = and i32 %state, 96
  %54 = icmp eq i32 %53, 96
  br i1 %54, label %55, label %bailout, !prof !0

55:                                               ; preds = %51
  %56 = getelementptr i8, ptr %object5, i64 16
  %len7 = load i64, ptr %56, align 1
  %57 = getelementptr i8, ptr %object5, i64 48
  %58 = ptrtoint ptr %57 to i64
  %59 = and i64 %58, 4095
  %60 = icmp ult i64 %59, 4033
  %61 = icmp ult i64 %len7, 65
  %62 = and i1 %61, %60
  br i1 %62, label %short, label %long, !prof !0

short:                                            ; preds = %55
  %63 = shl i64 %len7, 1
  %64 = or i64 %63, 1
  %65 = trunc i64 %64 to i8
  store i8 %65, ptr %25, align 1
  %66 = getelementptr i8, ptr %25, i64 1
  %67 = load <16 x i8>, ptr %57, align 1
  store <16 x i8> %67, ptr %66, align 1
  %68 = icmp ult i64 %len7, 17
  br i1 %68, label %90, label %78

long:                                             ; preds = %55
  %69 = call preserve_mostcc ptr @long_str(ptr %25, ptr %7, ptr %57, i64 %len7, i64 77)
  %70 = ptrtoint ptr %69 to i64
  %71 = icmp ne i64 %70, 0
  br i1 %71, label %92, label %bailout, !prof !0

join:                                             ; preds = %92, %90
  %72 = phi ptr [ %91, %90 ], [ %69, %92 ]
  %73 = ptrtoint ptr %16 to i64
  %74 = ptrtoint ptr %72 to i64
  %75 = sub i64 %74, %73
  %76 = sub i64 %75, 4
  %77 = icmp ult i64 %76, 4294967232
  br i1 %77, label %93, label %bailout, !prof !0

78:                                               ; preds = %short
  %79 = getelementptr i8, ptr %57, i64 16
  %80 = load <16 x i8>, ptr %79, align 1
  %81 = getelementptr i8, ptr %66, i64 16
  store <16 x i8> %80, ptr %81, align 1
  %82 = icmp ult i64 %len7, 33
  br i1 %82, label %90, label %83

83:                                               ; preds = %78
  %84 = getelementptr i8, ptr %57, i64 32
  %85 = load <16 x i8>, ptr %84, align 1
  %86 = getelementptr i8, ptr %66, i64 32
  store <16 x i8> %85, ptr %86, align 1
  %87 = getelementptr i8, ptr %57, i64 48
  %88 = load <16 x i8>, ptr %87, align 1
  %89 = getelementptr i8, ptr %66, i64 48
  store <16 x i8> %88, ptr %89, align 1
  br label %90

90:                                               ; preds = %83, %78, %short
  %91 = getelementptr i8, ptr %66, i64 %len7
  br label %join

92:                                               ; preds = %long
  br label %join

93:                                               ; preds = %join
  %94 = ptrtoint ptr %72 to i64
  %95 = ptrtoint ptr %9 to i64
  %96 = icmp ult i64 %94, %95
  br i1 %96, label %97, label %bailout, !prof !0

97:                                               ; preds = %93
  %98 = trunc i64 %76 to i32
  store i32 %98, ptr %16, align 1
  %99 = add i64 %15, 1
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
