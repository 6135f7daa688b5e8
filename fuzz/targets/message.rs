//! Messages: all readers of a message must agree, and rows that are accepted must encode and decode
//! again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serow::{Options, Reader, Threads, Value, Wire, loads};
use serow_fuzz::{is_about_bytes, repaired};

fuzz_target!(|bytes: &[u8]| {
    let _ = loads(bytes);
    let message = repaired(bytes);
    let two = Options::new().with_threads(Threads::of(2).expect("two are allowed"));
    let streamed: Result<Vec<Value>, _> = Reader::new(&message[..]).one_stream().collect();
    match (loads(&message), two.loads(&message)) {
        (Ok(rows), Ok(by_two)) => {
            assert!(rows == by_two, "two threads decode other rows");
            assert!(streamed.is_ok_and(|streamed| streamed == rows), "a stream has other rows");
            for wire in [Wire::Frame, Wire::Row] {
                match Options::from(wire).dumps(&rows) {
                    Ok(again) => assert!(loads(&again).is_ok_and(|again| again == rows)),
                    // A reader accepts a few more values without bytes than a writer.
                    Err(error) => is_about_bytes(&error),
                }
            }
        }
        (Err(error), Err(by_two)) => {
            is_about_bytes(&error);
            assert_eq!(error.to_string(), by_two.to_string());
            assert!(streamed.is_err(), "a stream accepts what loads refuses: {error}");
        }
        (one, two) => panic!("one thread: {:?}, two: {:?}", one.err(), two.err()),
    }
});
