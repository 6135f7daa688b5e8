//! Files with an index: any row at once, and an index that lies is an error.

mod common;

use std::fs::File;
use std::io::{self, Cursor, Write};
use std::path::PathBuf;

use common::frames::{join, split};
use common::io::Failing;
use common::{any_value, formats};
use proptest::prelude::*;
use serow::{Codec, ErrorKind, Options, Reader, Result, Schema, Value, View, Wire, Writer};

/// A stream with a frame for each of these pieces.
fn stream(format: impl Into<Options>, pieces: &[Vec<Value>]) -> Vec<u8> {
    let mut writer = format.into().writer(Vec::new());
    for rows in pieces {
        writer.write_rows(rows).unwrap();
        writer.flush().unwrap();
    }
    writer.finish().unwrap()
}

fn part(i: i64) -> Value {
    Value::Tuple(vec![Value::I64(i), "almond".into()])
}

/// Reads all rows by their numbers, in an order that changes frames often.
fn every_row(file: &[u8]) -> Result<Vec<Value>> {
    let mut reader = View::new(Cursor::new(file))?;
    let mut rows = vec![None; reader.rows() as usize];
    for step in [5, 3, 1] {
        for number in (0..rows.len()).rev().step_by(step) {
            rows[number] = reader.row(number as u64)?;
        }
    }
    let frames = (0..reader.frames()).map(|number| Ok(reader.frame(number)?.unwrap()));
    let by_frame = frames.collect::<Result<Vec<_>>>()?.concat();
    let by_row: Vec<Value> = rows.into_iter().map(Option::unwrap).collect();
    assert_eq!(by_row, by_frame);
    Ok(by_row)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_rows_come_back_by_their_numbers(
        pieces in prop::collection::vec(prop::collection::vec(any_value(), 0..12), 0..5),
        other in prop::collection::vec(any_value(), 0..3),
    ) {
        for format in formats() {
            let file = [stream(format, &pieces), stream(Wire::Row, std::slice::from_ref(&other))].concat();
            prop_assert_eq!(every_row(&file).unwrap(), [pieces.concat(), other.clone()].concat());
        }
    }
}

#[test]
fn the_same_row_can_be_read_again() {
    let file = stream(Wire::Frame, &[vec![part(0), part(1)], vec![part(2)]]);
    let mut reader = View::new(Cursor::new(file)).unwrap();
    for number in [1, 1, 0, 2, 1, 1, 2] {
        assert_eq!(reader.row(number).unwrap(), Some(part(number as i64)));
    }
    assert_eq!((reader.row(3).unwrap(), reader.row(u64::MAX).unwrap()), (None, None));
    assert_eq!((reader.frame(2).unwrap(), reader.rows_of(2)), (None, None));
    assert_eq!(reader.rows_of(1), Some(2..3));
    assert_eq!(reader.frame(1).unwrap(), Some(vec![part(2)]));
}

#[test]
fn a_codec_converts_rows() {
    let file =
        [part(0), Value::Null, part(2)].map(|row| stream(Wire::Frame, &[vec![row]])).concat();
    let codec = Codec::new(&Schema::parse("(f64, str)").unwrap(), Wire::Row);
    let mut reader = codec.view(Cursor::new(file)).unwrap();
    let expected = |v| Some(Value::Tuple(vec![Value::F64(v), "almond".into()]));
    assert_eq!(reader.row(2).unwrap(), expected(2.0));
    assert_eq!(reader.row(1).unwrap_err().kind(), ErrorKind::Schema);
    assert_eq!(reader.row(0).unwrap(), expected(0.0));
}

#[test]
fn a_file_without_an_index_is_read_and_one_that_is_cut_is_not() {
    let whole = stream(Wire::Frame, &[vec![part(0)], vec![Value::Null]]);
    let mut cut = Writer::new(Vec::new());
    cut.write(&part(0)).unwrap();
    cut.flush().unwrap();
    let message = Options::from(Wire::Row).dumps(&[part(0)]).unwrap();
    for (file, rows) in [
        (message.clone(), vec![part(0)]),
        ([&message[..], &message].concat(), vec![part(0), part(0)]),
        ([&whole[..], &message].concat(), vec![part(0), Value::Null, part(0)]),
        ([&message[..], &whole].concat(), vec![part(0), part(0), Value::Null]),
    ] {
        assert_eq!(every_row(&file).unwrap(), rows);
    }
    for file in [
        [&whole[..], cut.get_ref()].concat(),
        whole[1..].to_vec(),
        b"SROW".to_vec(),
        b"something else, which has more than some bytes".to_vec(),
    ] {
        let error = View::new(Cursor::new(file)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        let is_clear = ["cut", "the index at byte", "does not begin with SROW", "is damaged"]
            .iter()
            .any(|text| error.message().contains(text));
        assert!(is_clear, "{error}");
    }
    assert_eq!(View::new(Cursor::new(Vec::new())).unwrap().rows(), 0);
}

#[test]
fn an_index_that_lies_is_an_error() {
    for wire in common::WIRES {
        let pieces = [vec![part(0), part(1)], vec![Value::Null], vec![part(3); 3]];
        let frames = split(&stream(wire, &pieces));
        let file = join(&frames);
        let index = frames.len() - 1;
        assert_eq!(every_row(&file).unwrap(), pieces.concat());
        for at in 0..frames[index].body.len() {
            for change in 1..=255u8 {
                let mut frames = frames.clone();
                frames[index].body[at] ^= change;
                let lying = join(&frames);
                match every_row(&lying) {
                    Err(error) => assert_eq!(error.kind(), ErrorKind::Decode, "{at}: {error}"),
                    // It only names another frame with the schema.
                    Ok(rows) => assert_eq!(rows, pieces.concat()),
                }
                let mut reader = Reader::new(&lying[..]);
                let rows = reader.by_ref().take_while(Result::is_ok).count();
                assert_eq!(rows, 6);
                assert!(reader.next().is_none());
            }
        }
        for field in 0..24 {
            let mut frames = frames.clone();
            frames[index].header[field] ^= 4;
            // The lengths are right again after that.
            let lying = join(&frames);
            assert_eq!(every_row(&lying).is_err(), lying != file, "{field}");
        }
    }
}

#[test]
fn frames_beside_a_damaged_one_can_be_read() {
    let mut file = stream(Wire::Row, &[vec![part(0)], vec![part(1)], vec![part(2)]]);
    let reader = View::new(Cursor::new(file.clone())).unwrap();
    assert_eq!(reader.rows_of(1), Some(1..2));
    let frames = split(&file);
    let len = |frame: &common::frames::RawFrame| 48 + frame.schema.len() + frame.body.len() + 8;
    file[32 + len(&frames[0]) + len(&frames[1]) - 1] ^= 1;
    let mut reader = View::new(Cursor::new(file)).unwrap();
    for _ in 0..2 {
        assert_eq!(reader.row(0).unwrap(), Some(part(0)));
        let error = reader.row(1).unwrap_err();
        assert!(error.message().contains("checksum"), "{error}");
        assert_eq!(error.offset(), Some(32 + len(&frames[0])));
        assert_eq!(reader.row(2).unwrap(), Some(part(2)));
    }
}

#[test]
fn errors_of_the_file_are_passed_on() {
    let file = stream(Wire::Frame, &[vec![part(0)], vec![Value::Null], vec![part(2)]]);
    let all = |calls_left| -> Result<u64> {
        let failing = Failing { file: Cursor::new(file.clone()), calls_left };
        let mut reader = View::new(failing)?;
        (0..reader.rows()).rev().try_for_each(|number| reader.row(number).map(drop))?;
        Ok(reader.rows())
    };
    let needed = (0..100).find(|calls| all(*calls).is_ok()).unwrap();
    assert!(needed > 10, "{needed}");
    for calls in 0..needed {
        let error = all(calls).unwrap_err();
        assert_eq!((error.kind(), error.io_kind()), (ErrorKind::Io, Some(io::ErrorKind::TimedOut)));
    }

    let path = temporary("shrinks");
    std::fs::write(&path, &file).unwrap();
    let mut reader = View::new(File::open(&path).unwrap()).unwrap();
    File::options().write(true).open(&path).unwrap().set_len(40).unwrap();
    let error = reader.row(2).unwrap_err();
    assert!(error.message().contains("has become shorter"), "{error}");
    std::fs::remove_file(path).unwrap();
}

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("serow-{name}-{}", std::process::id()))
}

fn opened(path: &PathBuf) -> File {
    File::options().read(true).write(true).create(true).truncate(false).open(path).unwrap()
}

#[test]
fn streams_are_appended_to_files() {
    let path = temporary("append");
    std::fs::write(&path, Options::from(Wire::Row).dumps(&[part(0)]).unwrap()).unwrap();
    let mut expected = vec![part(0)];
    for format in formats() {
        let mut writer = format.writer(opened(&path)).append().unwrap();
        writer.write_rows(&[part(1), Value::Null]).unwrap();
        expected.extend([part(1), Value::Null]);
        writer.finish().unwrap();
        let rows: Result<Vec<Value>> = Reader::new(File::open(&path).unwrap()).collect();
        assert_eq!(rows.unwrap(), expected);
    }
    std::fs::remove_file(path).unwrap();
}

#[test]
fn nothing_is_appended_to_a_file_that_does_not_end_with_a_message() {
    let path = temporary("refused");
    let whole = stream(Wire::Frame, &[vec![part(0)], vec![Value::Null]]);
    let message = Options::from(Wire::Row).dumps(&[part(0)]).unwrap();
    let mut more = 0;
    for file in [&whole, &message, &[&message[..], &whole].concat()] {
        for cut in 0..=file.len() {
            std::fs::write(&path, &file[..cut]).unwrap();
            let appended = Writer::new(opened(&path)).append();
            let is_whole =
                [0, file.len()].contains(&cut) || file.len() > whole.len() && cut == message.len();
            match appended {
                Ok(writer) => {
                    assert!(is_whole, "{cut}");
                    writer.finish().unwrap();
                    assert!(std::fs::read(&path).unwrap().starts_with(&file[..cut]));
                    more += 1;
                }
                Err(error) => {
                    assert!(!is_whole, "{cut}: {error}");
                    assert_eq!(error.kind(), ErrorKind::Decode);
                    assert!(error.message().starts_with("cannot append to the file; "), "{error}");
                    assert_eq!(std::fs::read(&path).unwrap(), file[..cut]);
                }
            }
        }
    }
    assert_eq!(more, 7);
    std::fs::write(&path, b"a text").unwrap();
    Writer::new(opened(&path)).append().unwrap_err();
    // A file that can't be read.
    let mut unread = File::options().write(true).open(&path).unwrap();
    unread.write_all(b"x").unwrap();
    let error = Writer::new(unread).append().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn rows_before_one_that_the_type_refuses_are_read() {
    let mut writer = Writer::of(Vec::new()).unwrap();
    for i in 0..1000_i64 {
        writer.write(&if i == 500 { 300 } else { i % 200 }).unwrap();
    }
    let file = Cursor::new(writer.finish().unwrap());
    let mut reader = View::of::<u8>(file).unwrap();
    assert_eq!((reader.row(3).unwrap(), reader.row(499).unwrap()), (Some(3), Some(99)));
    assert_eq!(reader.row(500).unwrap_err().row(), Some(500));
    assert!(reader.frame(0).is_err());
    assert_eq!(reader.row(4).unwrap(), Some(4));
}
