; A column with fewer values than rows counts them in memory, and asks for more at a window's end.
; schema (i64?, [f64], i64|str)
; from columns to cpython
