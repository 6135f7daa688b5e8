; A list is made with null items, as a claim that was checked.
; schema ([i64], null)
; from row to cpython
