; A column of strings is a dictionary in one frame and text in another.
; schema (i64, str)
; from columns to cpython
