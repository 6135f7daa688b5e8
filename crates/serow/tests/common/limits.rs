//! The cases of `tests/limits`.

use std::path::Path;

/// Something just beyond a limit, and the error that it gives.
#[derive(Default)]
pub struct Case {
    /// The limit's name.
    pub limit: String,
    /// The kind of the error, and its text.
    pub error: String,
    /// The name of the row, if the limit is a writer's.
    pub rows: Option<String>,
    /// Whether only readers of streams have the limit.
    pub is_stream: bool,
    /// The message, if the limit is a reader's.
    pub message: Vec<u8>,
}

/// Reads the cases.
pub fn cases() -> Vec<Case> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/limits/messages.txt");
    let text = std::fs::read_to_string(file).unwrap();
    let cases: Vec<Case> = text.trim_end().split("\n\n").map(case).collect();
    assert!(cases.len() >= 23, "{}", cases.len());
    cases
}

fn case(lines: &str) -> Case {
    let mut case = Case::default();
    for line in lines.lines() {
        let (word, rest) = line.split_once(' ').unwrap();
        match word {
            "limit" => case.limit = rest.to_string(),
            "what" => {}
            "error" => case.error = rest.to_string(),
            "rows" => case.rows = Some(rest.to_string()),
            "door" => case.is_stream = true,
            count => {
                let digit = |at: usize| u8::from_str_radix(&rest[at..at + 2], 16).unwrap();
                let bytes: Vec<u8> = (0..rest.len()).step_by(2).map(digit).collect();
                case.message.extend(bytes.repeat(count.parse().unwrap()));
            }
        }
    }
    case
}

/// Returns the kind and the text of an error, as the cases have them.
pub fn said(error: &serow::Error) -> String {
    format!("{:?} {error}", error.kind())
}
