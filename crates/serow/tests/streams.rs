//! Streams of values: what is written comes back, and nothing that goes wrong is hidden.

mod common;

use std::error::Error as _;
use std::io::{self, Cursor};

use common::io::{Full, Scripted, Slow};
use common::{COMPRESSIONS, WIRES, any_value, formats};
use proptest::prelude::*;
use serow::{
    Codec, Error, ErrorKind, Options, Reader, Schema, Threads, Value, Wire, Writer, loads,
};

/// A stream with a frame for each of these pieces.
fn stream(format: impl Into<Options>, pieces: &[&[Value]]) -> Vec<u8> {
    let mut writer = format.into().writer(Vec::new());
    for rows in pieces {
        writer.write_rows(rows).unwrap();
        writer.flush().unwrap();
    }
    writer.finish().unwrap()
}

/// Numbers of threads.
fn several() -> [Threads; 4] {
    [Threads::ONE, Threads::of(2).unwrap(), Threads::of(3).unwrap(), Threads::Auto]
}

fn on<R: io::Read>(threads: Threads, inner: R) -> Reader<R> {
    Options::new().with_threads(threads).reader(inner)
}

/// The rows before the first error, and the error. Nothing follows it.
fn read<R: io::Read>(reader: &mut Reader<R>) -> (Vec<Value>, Option<Error>) {
    let mut rows = Vec::new();
    while let Some(row) = reader.next() {
        match row {
            Ok(row) => rows.push(row),
            Err(error) => {
                if error.kind() != ErrorKind::Io {
                    assert_eq!(reader.next(), None);
                    assert!(reader.frames().next().is_none());
                }
                return (rows, Some(error));
            }
        }
    }
    (rows, None)
}

fn part(i: i64) -> Value {
    Value::Tuple(vec![Value::I64(i), "almond".into(), Value::List(vec![Value::F64(0.5); 9])])
}

fn parts(range: std::ops::Range<i64>) -> Vec<Value> {
    range.map(part).collect()
}

/// Rows with text that shrinks in both wires.
fn texts(range: std::ops::Range<i64>) -> Vec<Value> {
    range.map(|i| format!("the part with the number {i} of {}", i * i).as_str().into()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_rows_come_back_in_any_format(
        pieces in prop::collection::vec(prop::collection::vec(any_value(), 0..12), 0..5),
        how in prop::collection::vec(0..4u8, 5),
    ) {
        for format in formats() {
            let mut writer = format.writer(Slow::default());
            for (rows, how) in pieces.iter().zip(&how) {
                match how {
                    0 => rows.iter().try_for_each(|row| writer.write(row)).unwrap(),
                    _ => writer.write_rows(rows).unwrap(),
                }
                if *how == 3 {
                    writer.flush().unwrap();
                }
            }
            let all = pieces.concat();
            prop_assert_eq!(writer.rows(), all.len() as u64);
            let bytes = writer.finish().unwrap().bytes;
            prop_assert_eq!(&loads(&bytes).unwrap(), &all);
            for script in [
                vec![Ok(1)],
                vec![Ok(7), Err(io::ErrorKind::Interrupted), Ok(1 << 20)],
                vec![Ok(usize::MAX)],
            ] {
                for threads in [Threads::ONE, Threads::of(2).unwrap()] {
                    let mut reader = on(threads, Scripted::new(&bytes, script.clone()));
                    prop_assert_eq!(read(&mut reader), (all.clone(), None));
                    prop_assert_eq!(reader.rows(), all.len() as u64);
                    prop_assert_eq!(reader.bytes_read(), bytes.len() as u64);
                }
            }
            prop_assert_eq!(&loads(&format.dumps(&all).unwrap()).unwrap(), &all);
        }
    }
}

#[test]
fn a_reader_that_would_block_loses_nothing() {
    let rows = parts(0..20);
    let bytes = stream(Wire::Row, &[&rows[..5], &rows[5..]]);
    for (kind, threads) in
        [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut].into_iter().zip(several())
    {
        for before in 0..9 {
            let script = [vec![Ok(13); before], vec![Err(kind)]].concat();
            let reader = on(threads, Scripted::new(&bytes, [script, vec![Ok(5)]].concat()));
            let mut all = Vec::new();
            let mut blocked = 0;
            for row in reader {
                match row {
                    Ok(row) => all.push(row),
                    Err(error) => {
                        assert_eq!((error.kind(), error.io_kind()), (ErrorKind::Io, Some(kind)));
                        let cause = error.source().unwrap().downcast_ref::<io::Error>().unwrap();
                        assert_eq!(cause.kind(), kind);
                        blocked += 1;
                    }
                }
            }
            assert_eq!(all, rows);
            assert!(blocked > 1, "{blocked}");
        }
    }
}

#[test]
fn a_cut_stream_gives_each_whole_frame() {
    let rows = [parts(0..3), vec![Value::Null], parts(4..30)];
    for format in formats() {
        let bytes = stream(format, &rows.each_ref().map(Vec::as_slice));
        // The ends of the frames, and how many rows are before them.
        let mut reader = Reader::new(&bytes[..]);
        let mut ends = vec![(8, 0)];
        while let Some(frame) = reader.frames().next() {
            frame.unwrap();
            ends.push((reader.bytes_read() as usize, reader.rows() as usize));
        }
        assert_eq!(ends.len(), 4);
        for (cut, threads) in (0..bytes.len()).flat_map(|cut| several().map(|it| (cut, it))) {
            let (read, error) = read(&mut on(threads, &bytes[..cut]));
            let whole = ends.iter().rev().find(|(end, _)| *end <= cut).map_or(0, |(_, rows)| *rows);
            assert_eq!(read, rows.concat()[..whole], "{cut}");
            match (cut, error) {
                (0, None) => {}
                (_, Some(error)) => {
                    assert_eq!(error.kind(), ErrorKind::Decode);
                    assert!(error.message().contains("cut"), "{cut}: {error}");
                }
                (_, None) => panic!("{cut} bytes are no stream"),
            }
        }
    }
}

#[test]
fn a_damaged_byte_is_noticed() {
    let rows = parts(0..10);
    for format in formats() {
        let bytes = stream(format, &[&rows[..4], &[Value::Null], &rows[4..]]);
        let (whole, _) = read(&mut Reader::new(&bytes[..]));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            let (rows, error) = read(&mut Reader::new(&damaged[..]));
            assert_eq!(error.as_ref().unwrap().kind(), ErrorKind::Decode, "{at}");
            assert_eq!(rows, whole[..rows.len()]);
            let mut reader = on(Threads::of(3).unwrap(), &damaged[..]);
            assert_eq!(read(&mut reader), (rows, error));
        }
    }
}

#[test]
fn a_full_writer_is_an_error_wherever_it_is_full() {
    let rows = [parts(0..3), vec![Value::Null], parts(4..30)];
    for format in formats() {
        let whole = stream(format, &rows.each_ref().map(Vec::as_slice));
        for room in 0..whole.len() {
            let mut full = Full::new(room);
            let mut writer = format.writer(&mut full);
            let failed = rows
                .iter()
                .find_map(|rows| writer.write_rows(rows).and_then(|()| writer.flush()).err());
            let error = match failed {
                Some(error) => {
                    // The stream has ended.
                    let again = writer.write(&Value::Null).unwrap_err();
                    assert_eq!(again.kind(), ErrorKind::Encode);
                    assert!(again.message().contains("ended"), "{again}");
                    writer.flush().unwrap_err();
                    let written = writer.bytes_written() as usize;
                    let again = writer.finish().unwrap_err();
                    assert!(again.message().contains("ended"), "{again}");
                    assert!(written <= full.bytes.len());
                    error
                }
                None => writer.finish().unwrap_err(),
            };
            assert_eq!(error.kind(), ErrorKind::Io);
            assert_eq!(error.io_kind(), Some(io::ErrorKind::StorageFull));
            assert_eq!(error.source().unwrap().to_string(), "no room is left");
            assert_eq!(error.message(), "cannot write the stream: no room is left");
            assert_eq!(full.bytes.len(), room);
            let (read, error) = read(&mut Reader::new(&full.bytes[..]));
            assert_eq!(read, rows.concat()[..read.len()]);
            assert_eq!(error.is_none(), room == 0);
        }
    }
}

#[test]
fn streams_one_after_another_are_one() {
    let one = stream(Wire::Row, &[&parts(0..3)]);
    let message = Options::from(Wire::Frame).dumps(&[Value::Null]).unwrap();
    let both = [&one[..], &stream(Wire::Frame, &[]), &message, &one].concat();
    let expected = [parts(0..3), vec![Value::Null], parts(0..3)].concat();
    let mut reader = Reader::new(&both[..]);
    assert_eq!(read(&mut reader), (expected, None));
    assert_eq!((reader.rows(), reader.bytes_read()), (7, both.len() as u64));

    let mut reader = Reader::new(&b"SROW\x02\0\0\0"[..]);
    let error = read(&mut reader).1.unwrap();
    assert!(error.message().contains("version 2"), "{error}");
    let followed = [&one[..], b"other"].concat();
    let (rows, error) = read(&mut Reader::new(&followed[..]));
    assert_eq!((rows, error.unwrap().offset()), (parts(0..3), Some(one.len())));
}

#[test]
fn one_stream_leaves_the_bytes_after_it() {
    for format in formats() {
        let (one, other) = (stream(format, &[&parts(0..3)]), stream(format, &[&parts(3..50)]));
        let message = format.dumps(&parts(50..51)).unwrap();
        let all = [&one[..], &other, &message, b"other"].concat();
        for (step, threads) in [1, 50, usize::MAX, usize::MAX].into_iter().zip(several()) {
            let mut inner = Scripted::new(&all, [Ok(step)]);
            for (expected, after) in [
                (parts(0..3), &all[one.len()..]),
                (parts(3..50), &all[one.len() + other.len()..]),
                (parts(50..51), &b"other"[..]),
            ] {
                let mut reader = on(threads, &mut inner).one_stream();
                assert_eq!(read(&mut reader), (expected, None));
                assert_eq!(reader.next(), None);
                assert_eq!(reader.into_inner().rest, after);
            }
        }
    }
}

#[test]
fn a_row_that_does_not_fit_leaves_the_stream_usable() {
    let schema = Schema::parse("(i64, str, [f64])").unwrap();
    for format in formats() {
        for bad_at in [0, 7, 16_999] {
            let mut rows = parts(0..17_000);
            rows[bad_at] = Value::Null;
            let mut writer = Codec::new(&schema, format).writer(Vec::new());
            assert_eq!(writer.schema(), Some(&schema));
            let error = writer.write_rows(&rows).unwrap_err();
            assert_eq!((error.kind(), error.row()), (ErrorKind::Encode, Some(bad_at)));
            assert_eq!(writer.rows(), bad_at as u64);
            assert_eq!(writer.write(&Value::Null).unwrap_err().row(), Some(0));
            writer.write_rows(&rows[bad_at + 1..]).unwrap();
            rows.remove(bad_at);
            assert!(loads(&writer.finish().unwrap()).unwrap() == rows);
        }
    }
}

#[test]
fn the_schema_widens() {
    let rows = [Value::I64(1), Value::Null, "a".into(), part(3), Value::I64(5)];
    for format in formats() {
        let mut writer = format.writer(Vec::new());
        assert_eq!(writer.schema(), None);
        let mut schemas = Vec::new();
        for row in &rows {
            writer.write(row).unwrap();
            schemas.push(writer.schema().unwrap().to_string());
        }
        assert_eq!(schemas[..3], ["i64", "i64?", "(i64|str)?"]);
        assert_eq!(schemas[3], schemas[4]);
        assert!(schemas[3].starts_with("(i64|str|(i64, str, ["), "{}", schemas[3]);
        let bytes = writer.finish().unwrap();
        assert_eq!(read(&mut Reader::new(&bytes[..])), (rows.to_vec(), None));
    }
}

#[test]
fn a_codec_converts_the_rows_of_each_frame() {
    let record = |fields: &[(&str, Value)]| Value::record("Part", fields.iter().cloned());
    let (one, two) = (("key", Value::I64(1)), ("name", Value::from("peru")));
    let mut bytes = stream(Wire::Frame, &[&[record(std::slice::from_ref(&one))]]);
    bytes.extend(stream(Wire::Row, &[&[record(&[one.clone(), two.clone()])]]));
    let codec = Codec::new(&Schema::parse("Part{name: str?, key: i64}").unwrap(), Wire::Row);
    let (rows, error) = read(&mut codec.reader(&bytes[..]));
    let expected = [record(&[("name", Value::Null), one.clone()]), record(&[two, one])];
    assert_eq!((rows, error), (expected.to_vec(), None));
    let other = Codec::new(&Schema::parse("Part{key: str}").unwrap(), Wire::Row);
    let (rows, error) = read(&mut other.reader(&bytes[..]));
    assert_eq!((rows, error.unwrap().kind()), (vec![], ErrorKind::Schema));
}

#[test]
fn rows_before_a_bad_one_come_first() {
    // 2^53 + 1 is no float.
    let rows: Vec<Value> = [1, 2, (1 << 53) + 1, 4].map(Value::I64).to_vec();
    let bytes = stream(Wire::Row, &[&rows[..1], &rows[1..]]);
    for threads in several() {
        let options = Options::from(Wire::Row).with_threads(threads);
        let codec = Codec::new(&Schema::parse("f64").unwrap(), options);
        let (read, error) = read(&mut codec.reader(&bytes[..]));
        assert_eq!(read, [Value::F64(1.0), Value::F64(2.0)]);
        assert_eq!(error.unwrap().row(), Some(2));
        let mut reader = codec.reader(&bytes[..]);
        let lens: Vec<_> = reader.frames().map(|frame| frame.map(|rows| rows.len()).ok()).collect();
        assert_eq!(lens, [Some(1), Some(1), None]);
        assert_eq!(reader.rows(), 4);
    }
}

#[test]
fn a_reader_on_several_threads_reads_some_frames_ahead() {
    let rows = texts(0..40);
    for format in formats() {
        let pieces: Vec<&[Value]> = rows.chunks(2).collect();
        let bytes = stream(format, &pieces);
        let mut reader = on(Threads::of(2).unwrap(), &bytes[..]);
        assert_eq!((reader.rows(), reader.bytes_read()), (0, 0));
        assert_eq!(reader.frames().next(), Some(Ok(rows[..2].to_vec())));
        assert_eq!(reader.rows(), 2);
        // The machine may have one processor.
        let mut one = Reader::new(&bytes[..]);
        let most = one.frames().take(4).count();
        assert!(most == 4 && reader.bytes_read() <= one.bytes_read());
        assert_eq!(read(&mut reader), (rows[2..].to_vec(), None));
        assert_eq!((reader.rows(), reader.bytes_read()), (40, bytes.len() as u64));
    }
}

#[test]
fn frames_and_rows_can_take_turns() {
    let rows = parts(0..10);
    let bytes = stream(Wire::Frame, &[&rows[..4], &rows[4..6], &rows[6..]]);
    let mut reader = Reader::new(&bytes[..]);
    assert_eq!(reader.next(), Some(Ok(part(0))));
    assert_eq!(reader.frames().next(), Some(Ok(parts(1..4))));
    assert_eq!(reader.frames().next(), Some(Ok(parts(4..6))));
    assert_eq!(read(&mut reader), (parts(6..10), None));
    assert!(reader.frames().next().is_none());
}

#[test]
fn a_writer_that_is_dropped_writes_its_rows_but_does_not_read_as_complete() {
    for count in [0, 1, 3] {
        let mut full = Full::new(1 << 20);
        let mut writer = Writer::new(&mut full);
        writer.write_rows(&parts(0..count)).unwrap();
        drop(writer);
        assert_eq!(full.flushes, 1);
        let (rows, error) = read(&mut Reader::new(&full.bytes[..]));
        assert_eq!(rows, parts(0..count));
        let message = error.unwrap().message().to_owned();
        assert!(
            message.contains("an error stopped its writer, or its writer was not closed"),
            "{message}"
        );
    }
    // There is no room for it, and nobody to tell.
    let mut full = Full::new(40);
    Writer::new(&mut full).write(&part(1)).unwrap();
    assert_eq!(full.bytes.len(), 40);
}

#[test]
fn an_error_of_other_code_leaves_a_stream_that_does_not_read_as_complete() {
    fn write(bytes: &mut Vec<u8>) -> Result<(), std::num::ParseIntError> {
        let mut writer = Writer::new(bytes);
        for text in ["1", "2", "three"] {
            writer.write(&Value::I64(text.parse()?)).unwrap();
        }
        writer.finish().unwrap();
        Ok(())
    }
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap_err();
    let (rows, error) = read(&mut Reader::new(&bytes[..]));
    assert_eq!(rows, [Value::I64(1), Value::I64(2)]);
    assert!(error.unwrap().message().contains("cut"));
}

#[test]
fn a_writer_that_is_dropped_in_a_panic_does_not_finish() {
    let mut bytes = Vec::new();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut writer = Writer::new(&mut bytes);
        writer.write(&part(1)).unwrap();
        panic!("something else");
    }));
    assert!(panicked.is_err());
    let (rows, error) = read(&mut Reader::new(&bytes[..]));
    assert_eq!(rows, [part(1)]);
    assert!(error.unwrap().message().contains("cut"));

    struct Panicking(usize);
    impl io::Write for &mut Panicking {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            self.0 += 1;
            panic!("this writer panics");
        }

        fn flush(&mut self) -> io::Result<()> {
            self.0 += 1;
            panic!("this writer panics");
        }
    }
    let mut inner = Panicking(0);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = Writer::new(&mut inner).write(&part(1));
    }));
    assert!(panicked.is_err());
    assert_eq!(inner.0, 1, "a writer that has panicked is called again");
}

#[test]
fn finish_reports_what_flush_says() {
    #[derive(Debug)]
    struct Unflushed;
    impl io::Write for Unflushed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
    }
    let mut writer = Writer::new(Unflushed);
    let broken = Some(io::ErrorKind::BrokenPipe);
    assert_eq!(writer.flush().unwrap_err().io_kind(), broken);
    assert_eq!(writer.finish().unwrap_err().io_kind(), broken);
}

#[test]
fn a_compressed_body_that_lies_about_its_size_is_refused() {
    use common::frames::{join, split};
    let rows = texts(0..100);
    for format in formats().filter(|format| !WIRES.map(Options::from).contains(format)) {
        let mut frames = split(&stream(format, &[&rows[..50], &rows[50..]]));
        let len = u64::from_le_bytes(frames[1].body[..8].try_into().unwrap());
        for lie in [0, 1, len - 1, len + 1, 2 * len, 1 << 30, 1 << 40, u64::MAX] {
            frames[1].body[..8].copy_from_slice(&lie.to_le_bytes());
            let lying = join(&frames);
            let (read, error) = read(&mut Reader::new(&lying[..]));
            assert_eq!(read, rows[..50]);
            let error = error.unwrap();
            assert_eq!(error.kind(), ErrorKind::Decode);
            assert!(error.message().contains("claims"), "{error}");
            let mut indexed = serow::View::new(Cursor::new(lying)).unwrap();
            assert!(indexed.row(50).unwrap_err().message().contains("claims"));
            assert_eq!(indexed.row(49).unwrap(), Some(rows[49].clone()));
        }
    }
}

#[test]
fn compression_makes_streams_smaller() {
    let rows = texts(0..2000);
    for wire in WIRES {
        let plain = stream(wire, &[&rows]).len();
        for format in COMPRESSIONS.map(|it| Options::from(wire).with_compression(it)) {
            let (len, is_plain) = (stream(format, &[&rows]).len(), format == wire.into());
            assert_eq!(len < plain, !is_plain, "{format:?}: {len} of {plain}");
        }
    }
}

#[test]
fn threads_may_send_writers_and_readers() {
    fn is_send<T: Send>(_: &T) {}
    let writer = Writer::new(Vec::new());
    is_send(&writer);
    let bytes = writer.finish().unwrap();
    is_send(&Reader::new(&bytes[..]));
    is_send(&serow::View::new(Cursor::new(bytes)).unwrap());
}
