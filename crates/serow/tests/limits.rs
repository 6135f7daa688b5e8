//! What is just beyond each limit gives the error that other languages give for it too.

mod common;

use common::WIRES;
use common::limits::{Case, cases, said};
use serow::{Composite, Logical, Options, Reader, Result, Value, loads};

/// Reads a message as a stream.
fn read(message: &[u8]) -> Result<Vec<Value>> {
    Reader::new(message).collect()
}

/// Returns the row just beyond a limit, or `None` if Rust can't make it.
fn beyond(name: &str) -> Option<Value> {
    let one = || Value::I64(1);
    let dict = |prefix: &str, count: usize, value: &dyn Fn() -> Value| {
        Value::dict((0..count).map(|n| (format!("{prefix}{n}"), value())))
    };
    match name {
        "nested" => Some((0..65).fold(one(), |inner, _| Value::List([inner].into()))),
        "nulls" => Some(Value::Tuple([Value::List(vec![Value::Null; 3_145_729])].into())),
        "digits" => {
            let mut bytes = vec![0; 415_243];
            bytes[415_241] = 0x80;
            Composite::of(Logical::Int, &[0], &[], &bytes).map(|v| Value::Logical(v.into()))
        }
        "name" => Some(Value::dict([("a".repeat(1 << 20), one())])),
        "keys" => Some(dict("d", 9, &|| dict("k", 4_000, &one))),
        // A value owns its elements, so none occurs twice.
        "shared" => None,
        name => panic!("{name}"),
    }
}

#[test]
fn readers_refuse_the_message() {
    for Case { limit, error, message, is_stream, .. } in cases().iter().filter(|c| c.rows.is_none())
    {
        assert_eq!(said(&read(message).unwrap_err()), *error, "{limit}");
        if !is_stream {
            assert_eq!(said(&loads(message).unwrap_err()), *error, "{limit}");
        }
    }
}

#[test]
fn writers_refuse_the_rows() {
    for case in cases() {
        let Some(name) = &case.rows else { continue };
        let Some(row) = beyond(name) else {
            assert!(["digits", "shared"].contains(&name.as_str()), "{name}");
            continue;
        };
        for wire in WIRES {
            let error = Options::from(wire).dumps(std::slice::from_ref(&row)).unwrap_err();
            assert_eq!(said(&error), case.error, "{}", case.limit);
        }
    }
}
