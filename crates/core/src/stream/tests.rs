use proptest::prelude::*;

use super::decoder::READ_AT_ONCE;
use super::*;
use crate::decode::{decode, decode_frame};
use crate::encode::Rows;
use crate::encode::{MakeFrames, ManyPack, ManyRead, OneThread};
use crate::error::{Error, ErrorKind, Result};
use crate::layout::value::{ValueRows, ValueWriter};
use crate::limits::MAX_FRAME_ROWS;
use crate::program::Program;
use crate::schema::Schema;
use crate::testing::{COMPRESSIONS, WIRES, int, list, sized, tuple};
use crate::threads::Threads;
use crate::value::Value;
use crate::wire::compression::Compression;
use crate::wire::message::{
    Format, MessageReader, Metadata, PackedFrame, Position, RawFrame, STREAM_HEADER, Wire,
};

/// A stream of the rows in these pieces.
fn stream(format: impl Into<Format>, pieces: &[&[Value]]) -> Vec<u8> {
    stream_with(format, pieces, false)
}

/// A stream of the rows in these pieces, each in frames of its own if they are `apart`.
fn stream_with(format: impl Into<Format>, pieces: &[&[Value]], apart: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut put = |more: &[u8]| {
        bytes.extend_from_slice(more);
        Ok(())
    };
    let mut encoder = StreamEncoder::begin(format, None, &mut put).unwrap();
    for rows in pieces {
        let mut done = 0;
        encoder.write(&ValueRows(rows), &OneThread, &mut done, &mut put).unwrap();
        assert_eq!(done, rows.len());
        if apart {
            encoder.flush(&mut put).unwrap();
        }
    }
    encoder.finish(&mut put).unwrap();
    let (written, rows) = (encoder.written(), encoder.rows());
    assert_eq!(written, bytes.len() as u64);
    assert_eq!(rows, pieces.iter().map(|rows| rows.len() as u64).sum::<u64>());
    bytes
}

/// Reads a stream that comes in pieces of `step` bytes. Returns the rows of each frame, and the error.
fn read(mut bytes: &[u8], step: usize) -> (Vec<Vec<Value>>, Option<Error>) {
    let len = bytes.len();
    let mut decoder = StreamDecoder::new();
    let mut frames = Vec::new();
    let error = loop {
        match decoder.next_packed().and_then(|next| next.try_map(PackedFrame::unpack)) {
            Err(error) => break Some(error),
            Ok(Next::Frame(frame)) => {
                let mut rows = ValueWriter::new();
                if let Err(error) = decode_frame(&frame, None, &mut None, &mut rows) {
                    break Some(error);
                }
                frames.push(rows.into_rows());
            }
            Ok(Next::End) => {}
            Ok(Next::More) => {
                let filled = decoder.fill(|space| {
                    let count = space.len().min(step).min(bytes.len());
                    space[..count].copy_from_slice(&bytes[..count]);
                    bytes = &bytes[count..];
                    Ok::<usize, Error>(count)
                });
                match filled {
                    Ok(0) => break decoder.cut(),
                    Ok(_) => {}
                    Err(error) => break Some(error),
                }
            }
        }
    };
    if error.is_none() {
        assert_eq!(decoder.consumed(), len);
        assert_eq!(decoder.rows(), frames.iter().map(Vec::len).sum::<usize>());
    }
    (frames, error)
}

fn rows_of(bytes: &[u8]) -> Vec<Value> {
    let (frames, error) = read(bytes, usize::MAX);
    assert_eq!(error, None);
    frames.concat()
}

fn loaded(bytes: &[u8]) -> Result<Vec<Value>> {
    let mut rows = ValueWriter::new();
    decode(bytes, None, &mut rows).map(|()| rows.into_rows())
}

fn formats() -> impl Iterator<Item = Format> {
    WIRES
        .into_iter()
        .flat_map(|wire| COMPRESSIONS.iter().map(move |&compression| Format { wire, compression }))
}

fn part(i: usize) -> Value {
    tuple([
        int(i as i64),
        if i.is_multiple_of(3) { Value::Null } else { "almond".into() },
        list([int(1)]),
    ])
}

#[test]
fn rows_one_by_one_and_in_batches_come_back() {
    let rows: Vec<Value> = (0..sized(40_000, 60)).map(part).collect();
    let (few, some) = (sized(100, 20), sized(150, 40));
    let singles: Vec<&[Value]> = rows[..few].chunks(1).collect();
    let batches = [&rows[few..some], &rows[some..], &[], &rows[..7]];
    let all = [&rows[..], &rows[..7]].concat();
    for format in formats() {
        let bytes = stream(format, &[&singles[..], &batches].concat());
        assert!(rows_of(&bytes) == all);
        // A stream is a message.
        assert!(loaded(&bytes).unwrap() == all);
    }
}

#[test]
fn few_rows_wait_for_a_full_frame() {
    let rows: Vec<Value> = (0..MAX_FRAME_ROWS + 10).map(|i| int(i as i64)).collect();
    for wire in WIRES {
        let pieces: Vec<&[Value]> = rows.chunks(sized(100, 20)).collect();
        let (frames, _) = read(&stream(wire, &pieces), 1 << 20);
        let sizes: Vec<usize> = frames.iter().map(Vec::len).collect();
        assert_eq!(sizes, [MAX_FRAME_ROWS, 10]);
    }
}

#[test]
fn an_empty_stream_has_no_rows() {
    for format in formats() {
        let bytes = stream(format, &[]);
        assert_eq!(rows_of(&bytes), []);
        assert_eq!(loaded(&bytes).unwrap(), []);
    }
}

#[test]
fn the_schema_widens_in_mid_stream() {
    let rows = [int(1), int(2), Value::Null, "a".into(), tuple([]), int(1)];
    for format in formats() {
        let singles: Vec<&[Value]> = rows.chunks(1).collect();
        assert_eq!(rows_of(&stream(format, &singles)), rows);
        assert_eq!(rows_of(&stream(format, &[&rows[..2], &rows[2..]])), rows);
    }
}

#[test]
fn few_rows_get_the_wider_schema() {
    let keys = |i: i64| Value::dict([(format!("host{i}"), int(i)), ("id".into(), "a".into())]);
    let rows: Vec<Value> = (0..sized(60, 8) as i64).map(keys).collect();
    let mixed = [int(1), "a".into(), list([int(1), "b".into()]), list([]), Value::Null];
    for format in formats() {
        for rows in [&rows[..], &mixed] {
            let singles: Vec<&[Value]> = rows.chunks(1).collect();
            let (frames, error) = read(&stream(format, &singles), usize::MAX);
            assert_eq!((frames.len(), error), (1, None));
            assert_eq!(frames[0], rows);
        }
    }
}

#[test]
fn many_rows_are_not_written_again() {
    let many: Vec<Value> = (0..sized(2000, 100) as i64).map(int).collect();
    for format in formats() {
        let (frames, error) = read(&stream(format, &[&many, &["a".into()]]), usize::MAX);
        assert_eq!(error, None);
        assert_eq!(frames.iter().map(Vec::len).collect::<Vec<_>>(), [many.len(), 1]);
    }
}

#[test]
fn a_flush_gives_readers_all_rows_until_then() {
    let mut bytes = Vec::new();
    let mut put = |more: &[u8]| {
        bytes.extend_from_slice(more);
        Ok(())
    };
    let mut encoder = StreamEncoder::begin(Wire::Frame, None, &mut put).unwrap();
    for i in 0..3 {
        encoder.write(&ValueRows(&[int(i)]), &OneThread, &mut 0, &mut put).unwrap();
        encoder.flush(&mut put).unwrap();
        encoder.flush(&mut put).unwrap();
    }
    drop(encoder);
    let (frames, error) = read(&bytes, 1);
    assert_eq!(frames, [[int(0)], [int(1)], [int(2)]]);
    let error = error.unwrap();
    assert_eq!(error.kind(), ErrorKind::Decode);
    assert!(error.message().contains("cut"), "{error}");
}

#[test]
fn a_row_that_does_not_fit_leaves_the_stream_usable() {
    let many: Vec<Value> = (0..sized(20_000, 70)).map(|i| int(i as i64)).collect();
    for (format, rows) in formats().zip(std::iter::repeat(&many)) {
        for count in [3, rows.len() - 1] {
            let mut bytes = Vec::new();
            let mut put = |more: &[u8]| {
                bytes.extend_from_slice(more);
                Ok(())
            };
            let program = Program::of(&Schema::parse("i64").unwrap());
            let mut encoder = StreamEncoder::begin(format, Some(program), &mut put).unwrap();
            let mut bad = rows.clone();
            bad[count] = "x".into();
            let mut done = 0;
            let error =
                encoder.write(&ValueRows(&bad), &OneThread, &mut done, &mut put).unwrap_err();
            assert_eq!((error.kind(), error.row(), done), (ErrorKind::Encode, Some(count), count));
            encoder.write(&ValueRows(&[int(-7)]), &OneThread, &mut 0, &mut put).unwrap();
            encoder.finish(&mut put).unwrap();
            assert!(rows_of(&bytes) == [&rows[..count], &[int(-7)]].concat());
        }
    }
}

/// Earlier calls have staged rows in columns, or left them as records, and their sources are gone.
#[test]
fn a_row_that_does_not_fit_leaves_the_rows_of_earlier_calls() {
    let row = |i: usize| tuple([int(i as i64), format!("name {}", i % 900).as_str().into()]);
    let many = sized(1000, 18);
    let calls: &[&[usize]] = &[&[0], &[3], &[many], &[3, many], &[many, 3], &[many, many, 1]];
    let cases = calls.iter().flat_map(|&call| [0, 2, many / 2, many - 1].map(|bad| (call, bad)));
    for format in formats().step_by(sized(1, 3)) {
        for (call, bad) in cases.clone().step_by(sized(1, 7)) {
            let mut bytes = Vec::new();
            let mut put = |more: &[u8]| {
                bytes.extend_from_slice(more);
                Ok(())
            };
            let program = Program::of(&Schema::parse("(i64, str)").unwrap());
            let mut encoder = StreamEncoder::begin(format, Some(program), &mut put).unwrap();
            let mut rows: Vec<Value> = Vec::new();
            let mut write = |rows: &[Value]| {
                let mut done = 0;
                let written = encoder.write(&ValueRows(rows), &OneThread, &mut done, &mut put);
                (done, written.map_err(|error| error.row()))
            };
            for &count in call {
                let next: Vec<Value> = (rows.len()..rows.len() + count).map(row).collect();
                assert_eq!(write(&next), (count, Ok(())));
                rows.extend(next);
            }
            let mut next: Vec<Value> = (5000..5000 + many).map(row).collect();
            next[bad] = tuple([int(1), "a refused secret".into(), Value::Null]);
            assert_eq!(write(&next), (bad, Err(Some(bad))));
            rows.extend_from_slice(&next[..bad]);
            let last: Vec<Value> = (6000..6000 + sized(300, 10)).map(row).collect();
            assert_eq!(write(&last), (last.len(), Ok(())));
            rows.extend(last);
            encoder.finish(&mut put).unwrap();
            assert!(rows_of(&bytes) == rows, "{format:?} {call:?} {bad}");
            assert_eq!(read(&bytes, usize::MAX).0.len(), 1);
            assert!(!bytes.windows(7).any(|at| at == b"refused"));
        }
    }
}

#[test]
fn a_row_that_fits_is_appended_at_once() {
    let rows: Vec<Value> = (0..sized(3000, 80)).map(part).collect();
    for format in formats() {
        let mut bytes = Vec::new();
        let mut put = |more: &[u8]| {
            bytes.extend_from_slice(more);
            Ok(())
        };
        let mut encoder = StreamEncoder::begin(format, None, &mut put).unwrap();
        let (one, other) = (|row| ValueRows(std::slice::from_ref(row)), int(1));
        assert!(encoder.append_one(&mut one(&rows[0]).source()).unwrap().is_none());
        encoder.write(&ValueRows(&rows[..2]), &OneThread, &mut 0, &mut put).unwrap();
        for row in &rows[2..] {
            if encoder.append_one(&mut one(row).source()).unwrap().unwrap() {
                encoder.stage_waiting(&mut put).unwrap();
            }
            assert!(encoder.append_one(&mut one(&other).source()).unwrap().is_none());
        }
        assert_eq!(encoder.waiting(), rows.len());
        encoder.finish(&mut put).unwrap();
        assert!(rows_of(&bytes) == rows);
    }
}

#[test]
fn a_failed_put_ends_the_stream() {
    let mut encoder = StreamEncoder::begin(Wire::Frame, None, &mut |_| Ok(())).unwrap();
    encoder.write(&ValueRows(&[int(1)]), &OneThread, &mut 0, &mut |_| Ok(())).unwrap();
    assert_eq!(encoder.flush(&mut |_| Err(Error::host())), Err(Error::host()));
    assert!(encoder.is_ended());
    for _ in 0..2 {
        let error =
            encoder.write(&ValueRows(&[int(1)]), &OneThread, &mut 0, &mut |_| Ok(())).unwrap_err();
        assert!(error.message().contains("ended"), "{error}");
        encoder.flush(&mut |_| Ok(())).unwrap_err();
        encoder.finish(&mut |_| Ok(())).unwrap_err();
    }
}

#[test]
fn a_cut_stream_gives_each_whole_frame() {
    let rows: Vec<Value> = (0..40).map(part).collect();
    for format in formats() {
        let bytes = stream(format, &[&rows[..3], &[Value::Null], &[int(7)], &rows[3..]]);
        let whole = rows_of(&bytes);
        for cut in (0..bytes.len()).step_by(sized(1, 53)) {
            let (frames, error) = read(&bytes[..cut], 1 + cut % 50);
            let rows = frames.concat();
            assert_eq!(rows, whole[..rows.len()]);
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
    let rows: Vec<Value> = (0..40).map(part).collect();
    for format in formats() {
        let bytes = stream(format, &[&rows, &[Value::Null]]);
        let whole = rows_of(&bytes);
        for at in (0..bytes.len()).step_by(sized(1, 53)) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            let (frames, error) = read(&damaged, 1 << 16);
            assert!(error.is_some(), "{at}");
            let read = frames.concat();
            assert_eq!(read, whole[..read.len()]);
        }
    }
}

#[test]
fn streams_one_after_another_read_as_one() {
    let (one, other) = (stream(Wire::Frame, &[&[int(1)]]), stream(Wire::Row, &[&["a".into()]]));
    let both = [&one[..], &stream(Wire::Row, &[]), &other].concat();
    assert_eq!(rows_of(&both), [int(1), "a".into()]);
    let error = loaded(&both).unwrap_err();
    assert!(error.message().contains("bytes after the message's last frame"), "{error}");
    let (frames, error) = read(&[&both[..], b"SROx"].concat(), 3);
    assert_eq!(frames.concat().len(), 2);
    let error = error.unwrap();
    assert_eq!(error.offset(), Some(both.len()));
}

#[test]
fn frames_in_another_order_are_noticed() {
    let mut bounds = vec![STREAM_HEADER];
    let bytes = stream_with(Wire::Row, &[&[int(1)], &[Value::Null], &["a".into()]], true);
    let mut decoder = MessageReader::new(&bytes).unwrap();
    while let Some(frame) = decoder.next_frame().unwrap() {
        bounds.push(frame.body_at().unwrap() + frame.body().len() + 8);
    }
    let piece = |i: usize| &bytes[bounds[i]..bounds[i + 1]];
    let index = &bytes[bounds[3]..];
    for order in [[0, 2, 1], [1, 0, 2], [0, 1, 1], [0, 0, 2]] {
        let moved =
            [&bytes[..STREAM_HEADER], piece(order[0]), piece(order[1]), piece(order[2]), index]
                .concat();
        let (_, error) = read(&moved, 100);
        assert!(error.unwrap().message().contains("of the log"));
        loaded(&moved).unwrap_err();
    }
    let mut spare = bytes.clone();
    spare.extend_from_slice(&bytes[bounds[2]..bounds[3]]);
    assert!(read(&spare, 100).1.is_some());
}

#[test]
fn the_index_says_where_frames_are() {
    use crate::wire::message::index::{FrameEntry, TAIL, described, len_of};
    for format in formats() {
        let bytes = stream_with(
            format,
            &[&[int(1), int(2)], &[Value::Null], &[int(3)], &["a".into()]],
            true,
        );
        let len = len_of(bytes.last_chunk::<TAIL>().unwrap(), bytes.len() as u64).unwrap() as usize;
        let at = bytes.len() - len;
        let found = described(&bytes[at..], at as u64).unwrap().unwrap();
        assert_eq!((found.begin, found.end.row), (0, 5));
        let found = found.frames;
        let mut expected = Vec::new();
        let mut reader = MessageReader::new(&bytes).unwrap();
        while let Some(frame) = reader.next_frame().unwrap() {
            expected.push((frame.at as u64, frame.first_row as u64, frame.rows as u64));
        }
        let all =
            found.iter().map(|FrameEntry { at, first_row, rows, .. }| (*at, *first_row, *rows));
        assert_eq!(all.collect::<Vec<_>>(), expected);
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::I64),
        (-5..5i32).prop_map(|v| Value::F64(f64::from(v) / 2.0)),
        "[a-c]{0,9}".prop_map(|text| Value::from(text.as_str())),
    ];
    leaf.prop_recursive(2, 8, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Tuple),
            prop::collection::btree_map("k[0-9]", inner, 0..4).prop_map(Value::dict),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(256, 2) as u32))]

    #[test]
    fn any_rows_in_any_pieces_come_back(
        pieces in prop::collection::vec(prop::collection::vec(value(), 0..6), 0..6),
        step in 1..300usize,
    ) {
        let slices: Vec<&[Value]> = pieces.iter().map(Vec::as_slice).collect();
        for format in formats() {
            let (frames, error) = read(&stream(format, &slices), step);
            prop_assert_eq!(error, None);
            prop_assert_eq!(frames.concat(), pieces.concat());
        }
    }
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let most = MAX_FRAME_ROWS as i64;
    let mut rows: Vec<Value> = (0..sized(13, 3) as i64 * most / 2).map(|i| int(i * i)).collect();
    let count = rows.len();
    rows[count - 100] = "other".into();
    let rows = ValueRows(&rows);
    let one = written_by(&rows, &OneThread);
    let mut back = ValueWriter::new();
    decode(&one, None, &mut back).unwrap();
    assert!(back.into_rows() == rows.0);
    let threads = [Threads::of(2).unwrap(), Threads::of(4).unwrap(), Threads::Auto];
    for &threads in &threads[..sized(3, 1)] {
        assert!(written_by(&rows, &ManyPack(threads)) == one, "{threads:?}");
        assert!(written_by(&rows, &ManyRead(threads)) == one, "{threads:?}");
    }
}

fn written_by<'a>(rows: &ValueRows<'a>, maker: &impl MakeFrames<ValueRows<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut put = |part: &[u8]| {
        bytes.extend_from_slice(part);
        Ok(())
    };
    let format = Format { wire: Wire::Frame, compression: Compression::Lz4 };
    let first = Position { salt: 7, row: 0 };
    let mut encoder = StreamEncoder::at(format, None, Metadata::new(), first).unwrap();
    encoder.put_header(&mut put).unwrap();
    encoder.write(rows, maker, &mut 0, &mut put).unwrap();
    encoder.finish(&mut put).unwrap();
    bytes
}

/// Reads the frames of a stream on these threads: the first value of each, and then the error. Says how
/// many frames were read when the first was given.
fn read_ahead(bytes: &[u8], threads: Threads) -> (Vec<Value>, Option<Error>, usize) {
    let (mut decoder, mut at) = (StreamDecoder::new(), 0);
    let (mut firsts, mut read, mut read_first) = (Vec::new(), 0, 0);
    let mut ahead = Ahead::new(threads);
    loop {
        if ahead.is_empty() {
            ahead.unpack(|| {
                loop {
                    if let Next::Frame(frame) = decoder.next_owned()? {
                        read += 1;
                        return Ok(Some(frame));
                    }
                    let filled = decoder.fill(|space| {
                        let len = space.len().min(bytes.len() - at);
                        space[..len].copy_from_slice(&bytes[at..at + len]);
                        at += len;
                        Ok::<_, Error>(len)
                    })?;
                    if filled == 0 {
                        return decoder.cut().map_or(Ok(None), Err);
                    }
                }
            });
        }
        let frame = match ahead.pop() {
            Ok(Some(frame)) => frame.unwrap(),
            Ok(None) => return (firsts, None, read_first),
            Err(error) => return (firsts, Some(error), read_first),
        };
        if firsts.is_empty() {
            read_first = read;
        }
        let mut rows = ValueWriter::new();
        decode_frame(&frame, None, &mut None, &mut rows).unwrap();
        let rows = rows.into_rows();
        firsts.push(rows[0].clone());
        assert_eq!(ahead.rows(), rows.len() * firsts.len());
    }
}

#[test]
fn frames_are_unpacked_ahead() {
    let text = |i| Value::from(format!("a long text, a long text, a long text {i}").as_str());
    for &compression in &COMPRESSIONS[..2] {
        let all: Vec<Value> = (0..20).map(text).collect();
        let mut bytes = Vec::new();
        let mut put = |more: &[u8]| {
            bytes.extend_from_slice(more);
            Ok(())
        };
        let format = Format::from(Wire::Row).compressed(compression);
        let mut encoder = StreamEncoder::begin(format, None, &mut put).unwrap();
        for row in &all {
            let rows = vec![row.clone(); sized(50, 10)];
            encoder.write(&ValueRows(&rows), &OneThread, &mut 0, &mut put).unwrap();
            encoder.flush(&mut put).unwrap();
        }
        encoder.finish(&mut put).unwrap();
        for (threads, most) in [(1, 1), (2, 4), (4, 8)].into_iter().take(sized(3, 2)) {
            let threads = Threads::of(threads).unwrap();
            // Other tests may have the threads, but that many frames are read anyway.
            let ahead = if compression == Compression::None { 1 } else { most };
            assert_eq!(read_ahead(&bytes, threads), (all.clone(), None, ahead));
            let cut = read_ahead(&bytes[..bytes.len() * 3 / 4], threads);
            assert_eq!(cut.0, all[..cut.0.len()]);
            assert!(cut.0.len() > 10 && cut.1.unwrap().message().contains("cut"));
        }
        assert_eq!(read_ahead(&bytes, Threads::Auto), (all.clone(), None, 1));
    }
}

#[test]
fn messages_of_one_encoder_follow_each_other() {
    for wire in WIRES {
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        let mut encoder = StreamEncoder::of_messages(wire, None, Metadata::new()).unwrap();
        let rows: Vec<Value> = (0..5).map(|i| tuple([int(i), "text".into()])).collect();
        for row in rows.iter().chain([&Value::Null]) {
            let mut put = |more: &[u8]| {
                bytes.extend_from_slice(more);
                Ok(())
            };
            let row = std::slice::from_ref(row);
            encoder.write(&ValueRows(row), &OneThread, &mut 0, &mut put).unwrap();
            assert!(encoder.written_and_waiting() > encoder.written());
            encoder.end_message(&mut put).unwrap();
            // Nothing waits, so nothing is written.
            encoder.end_message(&mut put).unwrap();
            assert_eq!(encoder.written_and_waiting(), encoder.written());
            assert_eq!(encoder.written(), bytes.len() as u64);
            ends.push(bytes.len());
        }
        assert_eq!((encoder.rows(), encoder.frames()), (6, 6));
        for (rows, end) in (1..).zip(ends) {
            let (frames, error) = read(&bytes[..end], 100);
            assert_eq!((frames.len(), error), (rows, None));
        }
    }
}

#[test]
fn rows_that_wait_are_counted_as_those_before_them() {
    let mut bytes = Vec::new();
    let mut put = |more: &[u8]| {
        bytes.extend_from_slice(more);
        Ok(())
    };
    let mut encoder = StreamEncoder::begin(Wire::Frame, None, &mut put).unwrap();
    let rows: Vec<Value> =
        (0..300).map(|i| tuple([int(i), format!("text {i}").as_str().into()])).collect();
    let mut sizes = Vec::new();
    for _ in 0..2 {
        let before = encoder.written();
        encoder.write(&ValueRows(&rows), &OneThread, &mut 0, &mut put).unwrap();
        let estimate = encoder.written_and_waiting() - before;
        encoder.flush(&mut put).unwrap();
        sizes.push((estimate, encoder.written() - before));
    }
    let [_, (estimate, bytes)] = sizes[..] else { panic!("there are two") };
    assert!(estimate > bytes / 2 && estimate < bytes * 2, "{sizes:?}");
}

/// The frames, or the error, of a message that is read in one of two ways.
fn frames(data: &[u8], is_owned: bool) -> Result<Vec<(usize, usize, Vec<u8>)>> {
    let mut message = StreamDecoder::of_message(data.len(), vec![7; 3]);
    let mut found = Vec::new();
    let mut note = |raw: &RawFrame<'_>| found.push((raw.at, raw.rows, raw.body().to_vec()));
    loop {
        let next = match is_owned {
            true => message.next_owned(),
            false => message.next_packed(),
        };
        let next = next.and_then(|next| next.try_map(|packed| packed.unpack().map(|it| note(&it))));
        let next = match next {
            Ok(next) => next,
            Err(error) => {
                assert_eq!(message.next_owned().unwrap_err(), error);
                return Err(error);
            }
        };
        match next {
            Next::Frame(()) => {}
            Next::End => return Ok(found),
            Next::More => message.fill_from(|range, to| {
                to.extend_from_slice(&data[range]);
                Ok(())
            })?,
        }
    }
}

fn whole(data: &[u8]) -> Result<Vec<(usize, usize, Vec<u8>)>> {
    let (mut message, mut found) = (MessageReader::new(data)?, Vec::new());
    while let Some(raw) = message.next_frame()? {
        found.push((raw.at, raw.rows, raw.body().to_vec()));
    }
    Ok(found)
}

#[test]
fn a_message_that_is_copied_is_read_as_a_whole_one() {
    let mut stream = Vec::new();
    let put: Put<'_> = &mut |bytes| {
        stream.extend_from_slice(bytes);
        Ok(())
    };
    let mut encoder = StreamEncoder::begin(Wire::Row, None, put).unwrap();
    let long = [READ_AT_ONCE, 4 * READ_AT_ONCE];
    for text in [3, 70, long[0], 5, long[1], 10, 20].map(|len| "x".repeat(len)) {
        let rows = [Value::from(text.as_str()), int(7)];
        encoder.write(&ValueRows(&rows), &OneThread, &mut 0, put).unwrap();
        encoder.flush(put).unwrap();
    }
    encoder.finish(put).unwrap();
    let rows: Vec<Value> = (0..200).map(int).collect();
    let message = crate::testing::written(|room| {
        crate::encode::dumps(&ValueRows(&rows), Some(Wire::Frame), room)
    });
    for data in [stream, message.unwrap()] {
        let places = (0..data.len()).step_by(data.len() / sized(50, 10) + 1);
        let cut = places.clone().map(|len| data[..len].to_vec());
        let longer = [data.clone(), [&data[..], b"more"].concat()];
        let damaged = places.map(|at| {
            let mut damaged = data.clone();
            damaged[at] ^= 4;
            damaged
        });
        for message in cut.chain(longer).chain(damaged) {
            let text = |result: Result<_>| result.map_err(|error: Error| error.to_string());
            let expected = text(whole(&message));
            assert!(text(frames(&message, false)) == expected);
            assert!(text(frames(&message, true)) == expected);
        }
    }
}
