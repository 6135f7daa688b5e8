; A varint has a branch for each of its lengths up to four, and is in the record or not, which is
; seen at the record's end.
; schema i64
; from row to batch
