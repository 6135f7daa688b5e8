//! Answers the requests that `tests/cross/README.md` describes, with serow for Rust.

#[path = "../tests/common/rowtext.rs"]
#[allow(dead_code, reason = "only tests read the text of rows")]
mod rowtext;

use std::io::{self, ErrorKind as IoErrorKind, Read, Write};
use std::panic::catch_unwind;

use serow::{ErrorKind, Options, Wire, dumps, loads};

fn main() -> io::Result<()> {
    let (mut requests, mut answers) = (io::stdin().lock(), io::stdout().lock());
    let mut head = [0; 5];
    loop {
        match requests.read_exact(&mut head) {
            Err(error) if error.kind() == IoErrorKind::UnexpectedEof => return Ok(()),
            other => other?,
        }
        let [asked, length @ ..] = head;
        let mut message = vec![0; u32::from_le_bytes(length) as usize];
        requests.read_exact(&mut message)?;
        let (status, content) = match catch_unwind(|| answer(asked, &message)) {
            Ok(Ok(content)) => (0, content),
            Ok(Err(error)) => (1, error.into_bytes()),
            Err(_) => (2, b"panicked; see standard error".to_vec()),
        };
        answers.write_all(&[status])?;
        answers.write_all(&(content.len() as u32).to_le_bytes())?;
        answers.write_all(&content)?;
        answers.flush()?;
    }
}

fn answer(asked: u8, message: &[u8]) -> Result<Vec<u8>, String> {
    let named = |error: serow::Error| {
        let kind = match error.kind() {
            ErrorKind::Decode => "decode",
            ErrorKind::Encode => "encode",
            ErrorKind::Limit => "limit",
            ErrorKind::Schema => "schema",
            other => panic!("{other:?} is not for Rust: {error}"),
        };
        format!("{kind}: {error}")
    };
    let rows = loads(message).map_err(named)?;
    match asked {
        0 => Options::from(Wire::Row).dumps(&rows).map_err(named),
        1 => Options::from(Wire::Frame).dumps(&rows).map_err(named),
        3 => dumps(&rows).map_err(named),
        _ => Ok(rows.iter().flat_map(|row| (rowtext::line(row) + "\n").into_bytes()).collect()),
    }
}
