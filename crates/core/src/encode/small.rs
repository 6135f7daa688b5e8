//! Small messages, which have the row wire if the caller does not name a wire.
//!
//! Whether a message is small depends on its length on the row wire, so `write` tries that. The
//! attempt ends soon after the bytes exceed the limit, also within a row, because a row may be large.

use crate::bytes::out::GrowableBuffer;
use crate::error::{ErrorKind, Fault, Result};
use crate::limits::{SMALL_MESSAGE, SMALL_MESSAGE_ROWS};
use crate::plan::RowType;
use crate::wire::row::{LENGTH, least};

/// The most bytes beyond the limit that an attempt writes, unless one string or row needs more.
const OVERSHOOT: usize = 4 << 10;

/// A message that needs this many more bytes at once is not small, because only a string and a schema
/// need many.
const MAX_RESERVE: usize = SMALL_MESSAGE + OVERSHOOT;

/// Returns whether a message of `rows` rows may be small, whatever their type.
pub fn may_be(rows: usize) -> bool {
    rows <= SMALL_MESSAGE_ROWS
}

/// Returns whether a message of `rows` rows of type `of` may be small. `rows` has passed [`may_be`].
pub fn may_be_of(rows: usize, of: &RowType) -> bool {
    let may_be = |least: usize| rows * (LENGTH + least) <= SMALL_MESSAGE;
    // No column has a value with a least size of more than a float's. So few types are looked at.
    may_be(size_of::<f64>() * of.order.len()) || may_be(least(of.schema.root()))
}

/// Writes a message, of rows that may be few enough, by `write_rows` on the row wire. Returns its
/// length, or `None` if it is not small.
///
/// # Errors
/// An error of `write_rows`. Not an error: a row beyond a limit of the row wire; the result is `None`,
/// because other wires have other limits.
pub fn write(
    buffer: &mut dyn GrowableBuffer,
    write_rows: impl FnOnce(&mut dyn GrowableBuffer) -> Result<usize>,
) -> Result<Option<usize>> {
    let mut buffer = SmallBuffer { buffer, is_exceeded: false };
    match write_rows(&mut buffer) {
        Ok(len) => Ok((len <= SMALL_MESSAGE).then_some(len)),
        Err(error) if buffer.is_exceeded || error.kind() == ErrorKind::Limit => Ok(None),
        Err(error) => Err(error),
    }
}

/// A buffer that does not grow for a message that is not small.
struct SmallBuffer<'a> {
    buffer: &'a mut dyn GrowableBuffer,
    is_exceeded: bool,
}

// SAFETY: returns the memory of the buffer inside, or the beginning of it.
unsafe impl GrowableBuffer for SmallBuffer<'_> {
    unsafe fn grow(
        &mut self,
        used: usize,
        needed: usize,
    ) -> std::result::Result<(*mut u8, usize), Fault> {
        if used > SMALL_MESSAGE || needed - used > MAX_RESERVE {
            self.is_exceeded = true;
            return Err(Fault::NoMemory);
        }
        // SAFETY: the caller's promise.
        let (memory, len) = unsafe { self.buffer.grow(used, needed)? };
        Ok((memory, len.min(needed.max(SMALL_MESSAGE + OVERSHOOT))))
    }

    unsafe fn commit(&mut self, len: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.buffer.commit(len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::dumps;
    use crate::layout::value::ValueRows;
    use crate::testing::{each_frame, frames, int, list, plan, sized, tuple, written};
    use crate::value::Value;
    use crate::wire::message::Wire;

    fn dumped(rows: &[Value], wire: Option<Wire>) -> Vec<u8> {
        written(|buffer| dumps(&ValueRows(rows), wire, buffer)).unwrap()
    }

    /// Encodes rows without naming a wire, and checks the rule. Returns the wire.
    #[track_caller]
    fn chosen(rows: &[Value]) -> Wire {
        let message = dumped(rows, None);
        let on_rows = dumped(rows, Some(Wire::Row));
        let is_small = on_rows.len() <= SMALL_MESSAGE && rows.len() <= SMALL_MESSAGE_ROWS;
        let wire = if is_small { Wire::Row } else { Wire::Frame };
        assert!(message == if is_small { on_rows } else { dumped(rows, Some(Wire::Frame)) });
        each_frame(&message, |frame| assert_eq!(frame.wire, wire));
        let back: Vec<Value> = frames(&message).into_iter().flat_map(|(_, rows)| rows).collect();
        assert_eq!(back, rows);
        wire
    }

    /// Rows of one string each whose message takes `bytes` bytes on the row wire.
    fn texts(count: usize, bytes: usize) -> Vec<Value> {
        // A record has a length of four bytes, and each of these strings one of two bytes.
        let each = (bytes - dumped(&[], Some(Wire::Row)).len()) / count - 6;
        let last = bytes - dumped(&[], Some(Wire::Row)).len() - (each + 6) * (count - 1) - 6;
        let text = |len: usize| Value::from("x".repeat(len).as_str());
        let mut rows = vec![text(each); count];
        rows[count - 1] = text(last);
        assert_eq!(dumped(&rows, Some(Wire::Row)).len(), bytes);
        rows
    }

    #[test]
    fn a_small_message_has_few_rows() {
        for (count, wire) in [(0, Wire::Row), (1, Wire::Row), (128, Wire::Row), (129, Wire::Frame)]
        {
            let rows: Vec<Value> = (0..count).map(int).collect();
            assert_eq!(chosen(&rows), wire, "{count} rows");
        }
    }

    #[test]
    fn a_small_message_has_few_bytes() {
        let many = sized(100, 12);
        for &count in &[2, many, 3, 64][..sized(4, 2)] {
            assert_eq!(chosen(&texts(count, SMALL_MESSAGE - 1)), Wire::Row);
            assert_eq!(chosen(&texts(count, SMALL_MESSAGE)), Wire::Row);
            assert_eq!(chosen(&texts(count, SMALL_MESSAGE + 1)), Wire::Frame);
            assert_eq!(chosen(&texts(count, SMALL_MESSAGE + OVERSHOOT)), Wire::Frame);
        }
        assert_eq!(chosen(&texts(many, 3 * SMALL_MESSAGE)), Wire::Frame);
        assert_eq!(chosen(&[list((0..sized(100_000, 1_500) as i64).map(int))]), Wire::Frame);
    }

    #[test]
    #[cfg_attr(miri, ignore = "the schemas have many fields")]
    fn the_schemas_of_a_message_count() {
        // The second row does not fit the sample of one row, so there are two frames. Each name of a
        // field takes a byte for each character.
        let wide = |fields: usize| Value::dict((0..fields).map(|i| (format!("{i:04}"), int(1))));
        for (fields, wire) in [(1, Wire::Row), (500, Wire::Row), (3000, Wire::Frame)] {
            let mut rows = vec![int(7); 40];
            rows.push(wide(fields));
            assert_eq!(chosen(&rows), wire, "{fields} fields");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "the rows have many fields")]
    fn rows_that_do_not_fit_a_large_type_may_be_small() {
        // The sample has rows 0 to 31 and every third row from 32 on. A wide row takes many bytes,
        // and a null takes none.
        let (many, some) = (200, 150);
        let wide = tuple((0..many as i64).map(int));
        let mut rows = vec![wide.clone(); 100];
        let may_be =
            |fields| may_be_of(rows.len(), &plan(&format!("({})", "i64, ".repeat(fields))).to);
        assert!(!may_be(many) && may_be(some));
        assert_eq!(chosen(&rows), Wire::Frame);
        for (row, value) in rows.iter_mut().enumerate() {
            if row >= 32 && row % 3 != 2 {
                *value = Value::Null;
            }
        }
        assert_eq!(chosen(&rows), Wire::Frame);
        let short = tuple((0..160).map(|_| int(1)));
        let mut rows: Vec<Value> = rows
            .iter()
            .map(|row| if *row == Value::Null { Value::Null } else { short.clone() })
            .collect();
        assert_eq!(chosen(&rows), Wire::Row);
        rows.push(int(7));
        assert_eq!(chosen(&rows), Wire::Row);
    }

    #[test]
    fn reserved_bytes_do_not_count() {
        // Nine bytes are reserved for each of these numbers, and each takes one.
        assert_eq!(chosen(&[tuple((0..sized(3000, 400)).map(|_| int(1)))]), Wire::Row);
    }

    #[test]
    #[cfg_attr(miri, ignore = "the row has many values")]
    fn a_row_beyond_a_limit_is_the_frame_wires_error() {
        let rows = [list(vec![Value::Null; 5_000_000])];
        let error = |wire| written(|buffer| dumps(&ValueRows(&rows), wire, buffer)).unwrap_err();
        assert_eq!(error(None), error(Some(Wire::Frame)));
        assert_eq!(error(None).kind(), ErrorKind::Limit);
    }

    /// A vector that remembers the most bytes that it was asked for.
    #[derive(Default)]
    struct Observed {
        bytes: Vec<u8>,
        most: usize,
    }

    // SAFETY: it is the vector's memory.
    unsafe impl GrowableBuffer for Observed {
        unsafe fn grow(
            &mut self,
            used: usize,
            needed: usize,
        ) -> std::result::Result<(*mut u8, usize), Fault> {
            self.most = self.most.max(needed);
            // SAFETY: the caller's promise.
            unsafe { self.bytes.grow(used, needed) }
        }

        unsafe fn commit(&mut self, len: usize) {
            // SAFETY: the caller's promise.
            unsafe { self.bytes.commit(len) };
        }
    }

    #[test]
    fn an_attempt_ends_soon_after_the_limit() {
        let text = |len: usize| Value::from("x".repeat(len).as_str());
        let cases = [
            (vec![text(MAX_RESERVE)], SMALL_MESSAGE),
            (vec![list(vec![text(100); sized(100_000, 500)])], SMALL_MESSAGE + 2 * OVERSHOOT),
            (
                vec![text(SMALL_MESSAGE - 1_384), text(MAX_RESERVE / 2), text(1)],
                SMALL_MESSAGE - 384 + MAX_RESERVE / 2,
            ),
        ];
        for (rows, most) in cases {
            let mut observed = Observed::default();
            let written =
                write(&mut observed, |buffer| dumps(&ValueRows(&rows), Some(Wire::Row), buffer));
            assert_eq!(written, Ok(None));
            assert!(observed.most <= most, "{} bytes", observed.most);
        }
    }
}
