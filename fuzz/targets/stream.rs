//! Streams and their index: the size of the pieces that a reader gets makes no difference, and the rows
//! that an index finds are those that a reader gives.

#![no_main]

use std::io::{Cursor, Read};

use libfuzzer_sys::fuzz_target;
use serow::{View, Reader, Value};
use serow_core::wire::message::Position;
use serow_fuzz::{is_about_bytes, repaired, streamed};

/// Gives at most this many bytes at a time.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(self.1);
        self.0.read(&mut buffer[..len])
    }
}

/// The rows until the first error, and the error.
fn read(source: impl Read) -> (Vec<Value>, Option<String>) {
    let mut rows = Vec::new();
    for row in Reader::new(source) {
        match row {
            Ok(row) => rows.push(row),
            Err(error) => return (rows, Some(error.to_string())),
        }
    }
    (rows, None)
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&piece, bytes)) = bytes.split_last() else { return };
    let message = repaired(bytes);
    let stream = streamed(&message, Position { salt: 7, row: 0 });
    for stream in [bytes, &message, &stream] {
        let (rows, error) = read(stream);
        assert_eq!(read(Pieces(stream, 1 + usize::from(piece))), (rows.clone(), error.clone()));
        match View::new(Cursor::new(stream)) {
            Ok(mut indexed) if error.is_none() => {
                assert_eq!(indexed.rows(), rows.len() as u64);
                for at in [0, rows.len() / 2, rows.len().wrapping_sub(1)] {
                    let found = indexed.row(at as u64).expect("a reader accepts all frames");
                    assert_eq!(found.as_ref(), rows.get(at));
                }
            }
            Ok(mut indexed) => _ = indexed.row(0),
            Err(error) => is_about_bytes(&error),
        }
    }
});
