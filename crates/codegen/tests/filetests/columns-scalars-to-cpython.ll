; One value a row: all stand at fixed distances from one address.
; schema (i64, f64, bool)
; from columns to cpython
