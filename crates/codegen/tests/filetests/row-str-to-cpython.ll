; Text is looked at, and the string is made, by overlapping words.
; schema str
; from row to cpython
