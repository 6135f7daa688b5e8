use proptest::prelude::*;

use super::*;
use crate::decode::decode_frame;
use crate::encode::OneThread;
use crate::layout::value::{ValueRows, ValueWriter};
use crate::stream::{SeekDecoder, StreamEncoder};
use crate::testing::{COMPRESSIONS, WIRES, int, sized, tuple};
use crate::value::{Composite, Value};
use crate::wire::message::{Format, Metadata, PackedFrame};

/// The ends of the frames of a file, with the number of rows up to there.
type Ends = Vec<(usize, usize)>;

/// A log with a stream for each of these numbers of frames. The last may be open.
fn file(format: impl Into<Format>, messages: &[usize], is_open: bool) -> (Vec<u8>, Ends) {
    file_of(format, messages, is_open, Position::of_new_log().unwrap(), &value)
}

/// The same, of the rows that `value` makes, at this position.
fn file_of(
    format: impl Into<Format>,
    messages: &[usize],
    is_open: bool,
    first: Position,
    value: &dyn Fn(usize) -> Value,
) -> (Vec<u8>, Ends) {
    let (format, mut bytes, mut ends, mut row) = (format.into(), Vec::new(), Ends::new(), 0);
    for (message, frames) in messages.iter().enumerate() {
        let mut put = |more: &[u8]| {
            bytes.extend_from_slice(more);
            Ok(())
        };
        let mut encoder =
            StreamEncoder::at(format, None, Metadata::new(), first.after(row)).unwrap();
        encoder.put_header(&mut put).unwrap();
        let begin = ends.last().map_or(0, |(end, _)| *end);
        for _ in 0..*frames {
            let rows: Vec<Value> = (row..row + 3).map(value).collect();
            row += 3;
            encoder.write(&ValueRows(&rows), &OneThread, &mut 0, &mut put).unwrap();
            encoder.flush(&mut put).unwrap();
            ends.push((begin + encoder.written() as usize, row));
        }
        if !(is_open && message == messages.len() - 1) {
            encoder.finish(&mut put).unwrap();
            ends.push((begin + encoder.written() as usize, row));
        }
    }
    (bytes, ends)
}

fn value(row: usize) -> Value {
    tuple([int(row as i64), "a text".into()])
}

fn salvage(file: &[u8]) -> Result<Salvage> {
    Salvage::of(file.len() as u64, &mut |range, bytes| read_at(file, range, bytes))
}

fn read_at(file: &[u8], range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
    let (from, to) = (range.start as usize, file.len().min(range.end as usize));
    *bytes = file.get(from..to).unwrap_or_default().to_vec();
    Ok(())
}

/// Where a log goes on.
fn end(file: &[u8]) -> Option<Position> {
    let len = file.len() as u64;
    end_of_log(len, None, &mut |range, bytes| read_at(file, range, bytes)).unwrap()
}

fn repaired(file: &[u8]) -> (Salvage, Vec<u8>) {
    let found = salvage(file).unwrap();
    let mut whole = file[..found.keep as usize].to_vec();
    whole.extend_from_slice(&found.index);
    (found, whole)
}

/// Reads all rows. Returns them, the numbers of bytes and rows that were skipped, and the error.
fn read(
    mut file: &[u8],
    mut decoder: StreamDecoder,
) -> (Vec<Value>, (u64, u64), Option<crate::Error>) {
    let mut found = Vec::new();
    let error = loop {
        match decoder.next_packed().and_then(|next| next.try_map(PackedFrame::unpack)) {
            Err(error) => break Some(error),
            Ok(Next::Frame(frame)) => {
                let mut rows = ValueWriter::new();
                decode_frame(&frame, None, &mut None, &mut rows).unwrap();
                found.extend(rows.into_rows());
            }
            Ok(Next::End) => {}
            Ok(Next::More) => {
                let filled = decoder.fill(|space| {
                    let count = space.len().min(file.len());
                    space[..count].copy_from_slice(&file[..count]);
                    file = &file[count..];
                    Ok::<usize, crate::Error>(count)
                });
                match filled {
                    Ok(0) => match decoder.ends() {
                        Ok(true) => break None,
                        Ok(false) => {}
                        Err(error) => break Some(error),
                    },
                    Ok(_) => {}
                    Err(error) => break Some(error),
                }
            }
        }
    };
    (found, decoder.lost(), error)
}

/// Reads all rows by the indexes.
fn read_indexed(file: &[u8]) -> Result<usize> {
    let mut search = IndexSearch::new(file.len() as u64);
    while let Some(range) = search.wanted() {
        search.give(&file[range.start as usize..range.end as usize])?;
    }
    let mut decoder = SeekDecoder::new(search.finish());
    let mut rows = 0;
    for frame in 0..decoder.index().frames() {
        while let Some(range) = decoder.schema_wanted(frame) {
            decoder.give_schema(frame, &file[range.start as usize..range.end as usize])?;
        }
        let entry = *decoder.index().entry(frame).unwrap();
        let bytes = &file[entry.at as usize..(entry.at + entry.bytes) as usize];
        rows += decoder.read(frame, bytes)?.rows;
    }
    Ok(rows)
}

#[test]
#[cfg_attr(miri, ignore = "it reads too many files")]
fn a_file_cut_anywhere_keeps_its_whole_frames() {
    for wire in WIRES {
        for compression in COMPRESSIONS {
            let format = Format::from(wire).compressed(*compression);
            let (whole, ends) = file(format, &[2, 0, 1, 3], false);
            for len in 0..=whole.len() {
                let (found, mut repaired) = repaired(&whole[..len]);
                let rows = ends.iter().rfind(|(end, _)| *end <= len).map_or(0, |(_, rows)| *rows);
                assert_eq!(found.rows, rows as u64, "{len}");
                assert_eq!(found.damaged, 0);
                let end = end(&repaired).unwrap();
                assert_eq!(end.row, rows as u64);
                assert!(found.end == Some(end) || repaired.is_empty());
                // Nothing is left to do.
                let again = salvage(&repaired).unwrap();
                assert_eq!((again.keep, again.index), (repaired.len() as u64, Vec::new()));
                assert_eq!(read_indexed(&repaired).unwrap(), rows);
                repaired.extend(file_of(format, &[1], false, end, &value).0);
                let (values, _, error) = read(&repaired, StreamDecoder::new());
                assert_eq!(error, None);
                let expected: Vec<Value> = (0..rows).chain(0..3).map(value).collect();
                assert_eq!(values, expected, "{len}");
            }
        }
    }
}

#[test]
fn only_the_last_index_is_read() {
    let (mut bytes, _) = file(Format::default(), &[1], false);
    let mut costs = Vec::new();
    for _ in 0..3 {
        let mut read = 0;
        let end = end_of_log(bytes.len() as u64, None, &mut |range, to| {
            read += range.end - range.start;
            read_at(&bytes, range, to)
        });
        costs.push(read);
        let end = end.unwrap().unwrap();
        bytes.extend(file_of(Format::default(), &[2; 20], false, end, &value).0);
    }
    assert_eq!(costs[1], costs[2]);
}

#[test]
fn files_of_other_kinds_are_refused() {
    let mut later = file(Format::default(), &[1], false).0;
    let len = later.len();
    later.extend(b"SROW\x02\0\0\0....");
    for bytes in [&b"a text file"[..], b"\0\0\0\0\0\0\0\0\0\0\0", b"S", b"PAR1", &later] {
        match salvage(bytes) {
            Err(error) => assert_eq!(error.kind(), ErrorKind::Decode),
            Ok(found) => assert_eq!((bytes, found.keep), (&b"S"[..], 0)),
        }
    }
    assert!(salvage(&later).unwrap_err().message().contains(&format!("byte {len}")));
}

#[test]
fn zeros_of_a_lost_block_are_cut_off() {
    for is_open in [true, false] {
        let (whole, ends) = file(Format::default(), &[2, 2], is_open);
        for zeros in [1, 8, 100, 5000] {
            let mut bytes = whole.clone();
            bytes.resize(whole.len() + zeros, 0);
            let (found, repaired) = repaired(&bytes);
            assert_eq!((found.keep, found.damaged), (whole.len() as u64, 0));
            assert_eq!(read_indexed(&repaired).unwrap(), ends.last().unwrap().1);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "it reads too many files")]
fn whole_frames_after_damage_stay() {
    let (bytes, ends) = file(Format::default(), &[1, 4], true);
    // A byte of the second frame of the last message, after its first frame.
    let (from, to) = (ends[2].0, ends[3].0);
    for at in from..to {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        damaged.extend([1, 0]);
        let (found, repaired) = repaired(&damaged);
        assert_eq!(found.keep, bytes.len() as u64, "{at}");
        assert_eq!((found.rows, found.damaged), (12, (to - from) as u64));
        assert!(!found.index.is_empty());
        let expected: Vec<Value> = (0..15).filter(|row| !(6..9).contains(row)).map(value).collect();
        let (values, lost, error) = read(&repaired, StreamDecoder::new().skipping());
        assert_eq!((values, error), (expected, None), "{at}");
        assert_eq!(lost.0, (to - from) as u64);
        assert!(read_indexed(&repaired).is_err());
    }
}

#[test]
#[cfg_attr(miri, ignore = "it reads too many files")]
fn each_damaged_byte_costs_one_frame() {
    for wire in WIRES {
        for compression in COMPRESSIONS {
            let format = Format::from(wire).compressed(*compression);
            let (bytes, ends) = file(format, &[3, 2], false);
            for at in 0..bytes.len() {
                let mut damaged = bytes.clone();
                damaged[at] ^= 0x21;
                let (values, lost, error) = read(&damaged, StreamDecoder::new().skipping());
                assert_eq!(error, None, "{at}");
                let hit = ends.iter().position(|(end, _)| at < *end).unwrap();
                let is_header = |at| at < STREAM_HEADER;
                let gone = match hit {
                    _ if is_header(at) || is_header(at.wrapping_sub(ends[3].0)) => 0..0,
                    0 => 0..3,
                    1 => 3..6,
                    2 => 6..9,
                    4 => 9..12,
                    5 => 12..15,
                    _ => 0..0,
                };
                let expected: Vec<Value> =
                    (0..15).filter(|row| !gone.contains(row)).map(value).collect();
                assert_eq!(values, expected, "{at}");
                assert!(lost.0 > 0);
                // The next frame, or the index, tells how many rows there were.
                assert_eq!(lost.1, gone.len() as u64, "{at}");
            }
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "it reads too many files")]
fn lost_bytes_are_skipped_too() {
    let (bytes, ends) = file(Format::default(), &[4], false);
    for from in ends[0].0..bytes.len() - 1 {
        for to in [from + 1, from + 7, from + 30].map(|to| to.min(bytes.len())) {
            let damaged = [&bytes[..from], &bytes[to..]].concat();
            let (values, _, error) = read(&damaged, StreamDecoder::new().skipping());
            assert_eq!(error, None);
            let is_whole = |row: &usize| {
                let frame = row / 3;
                let begin = if frame == 0 { STREAM_HEADER } else { ends[frame - 1].0 };
                ends[frame].0 <= from || begin >= to
            };
            let expected: Vec<Value> = (0..12).filter(is_whole).map(value).collect();
            assert_eq!(values, expected, "{from}..{to}");
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "it reads too many files")]
fn a_cut_stream_ends_without_an_error() {
    let (bytes, ends) = file(Format::default(), &[2, 2], false);
    for len in 0..bytes.len() {
        let (values, lost, error) = read(&bytes[..len], StreamDecoder::new().skipping());
        let rows = ends.iter().rfind(|(end, _)| *end <= len).map_or(0, |(_, rows)| *rows);
        assert_eq!(values, (0..rows).map(value).collect::<Vec<_>>(), "{len}");
        match len {
            // Nothing says that these bytes are of serow.
            1..STREAM_HEADER => assert!(error.is_some()),
            _ => assert_eq!(error, None),
        }
        assert!(lost.0 <= len as u64);
    }
}

#[test]
#[cfg_attr(miri, ignore = "it reads too many files")]
fn messages_in_rows_are_no_frames_of_the_stream() {
    let inner = file(Format::default(), &[1], false).0;
    let rows: Vec<Value> =
        (0..3).map(|_| Value::Logical(Box::new(Composite::bytes(&inner)))).collect();
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    let mut put = |more: &[u8]| {
        bytes.extend_from_slice(more);
        Ok(())
    };
    let mut encoder = StreamEncoder::begin(Format::default(), None, &mut put).unwrap();
    for _ in 0..3 {
        encoder.write(&ValueRows(&rows), &OneThread, &mut 0, &mut put).unwrap();
        encoder.flush(&mut put).unwrap();
        ends.push(encoder.written() as usize);
    }
    for at in ends[0]..ends[1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x04;
        let (values, _, error) = read(&damaged, StreamDecoder::new().skipping());
        assert_eq!((values.len(), error), (6, None), "{at}");
        assert!(values.iter().all(|value| *value == rows[0]));
        for len in [ends[1] - 1, ends[1] - 10] {
            let (found, repaired) = repaired(&bytes[..len]);
            assert_eq!((found.keep, found.rows), (ends[0] as u64, 3));
            assert_eq!(read_indexed(&repaired).unwrap(), 3);
        }
    }
}

#[test]
fn bytes_that_are_no_message_are_an_error() {
    for bytes in [&b"a text file that is longer than a header"[..], b"SROW\x09\0\0\0........"] {
        let (values, _, error) = read(bytes, StreamDecoder::new().skipping());
        assert_eq!((values, error.unwrap().kind()), (Vec::new(), ErrorKind::Decode));
    }
}

/// A damaged log.
struct Damaged {
    /// What was done to it.
    what: String,
    bytes: Vec<u8>,
    /// The rows of the frames that are whole and in order.
    whole: Vec<Value>,
    /// The rows that were written.
    written: Vec<Value>,
}

fn damaged_logs(stride: usize) -> Vec<Damaged> {
    // The rows of the nested log hold another log, messages, and a copy of the frames that were written before them.
    let [own, inner, later] = [7, 8, 9].map(|salt| Position { salt: salt << 56 | salt, row: 0 });
    let (inner, inner_ends) = file_of(WIRES[0], &[2, 1], false, inner, &value);
    let mut plain = Vec::new();
    crate::encode::dumps(&ValueRows(&[int(1), int(2)]), None, &mut plain).unwrap();
    let held = [inner.clone(), plain.repeat(3), inner[..inner.len() - 30].to_vec()];
    let holding = |row: usize, bytes: &[u8]| {
        tuple([int(row as i64), Value::Logical(Box::new(Composite::bytes(bytes)))])
    };
    let others = |row: usize| holding(row, &held[row % held.len()]);
    let so_far = file_of(WIRES[0], &[2], true, own, &others).0;
    let nested = |row| if row > 6 && row % 4 == 3 { holding(row, &so_far) } else { others(row) };
    let values: [(&str, &dyn Fn(usize) -> Value); 2] = [("rows", &value), ("nested", &nested)];
    let mut logs = Vec::new();
    for (name, value) in values {
        for wire in WIRES {
            let (bytes, ends) = file_of(wire, &[3, 1, 2], false, own, value);
            // The places of the frames, and the rows in each.
            let mut frames: Vec<(Range<usize>, Range<usize>)> = Vec::new();
            for pair in [&[(STREAM_HEADER, 0)], &ends[..]].concat().windows(2) {
                let [(begin, from), (end, to)] = [pair[0], pair[1]];
                let header = if bytes[begin..].starts_with(MAGIC) { STREAM_HEADER } else { 0 };
                frames.push((begin + header..end, from..to));
            }
            let whole = |is_gone: &dyn Fn(&Range<usize>) -> bool| {
                let left = frames.iter().filter(|(place, _)| !is_gone(place));
                left.flat_map(|(_, rows)| rows.clone()).map(value).collect::<Vec<_>>()
            };
            let all: Vec<Value> = (0..ends.last().unwrap().1).map(value).collect();
            let mut add = |what: String, bytes: Vec<u8>, whole: Vec<Value>| {
                let written = if what.starts_with("joined") { &whole } else { &all };
                let (what, written) = (format!("{name} {wire:?} {what}"), written.clone());
                logs.push(Damaged { what, bytes, whole, written });
            };
            for cut in (STREAM_HEADER..bytes.len()).step_by(stride) {
                let rows = whole(&|place| place.end > cut);
                add(format!("cut at {cut}"), bytes[..cut].to_vec(), rows.clone());
                // The file system has left zeros.
                let zeros = [&bytes[..cut], &[0; 600]].concat();
                add(format!("zeros from {cut}"), zeros, rows.clone());
                // Another log follows.
                let other_value = |row| self::value(row + 100);
                let other = file_of(wire, &[2], false, later, &other_value).0;
                let all = (0..6).map(other_value);
                let joined = [&bytes[..cut], &other].concat();
                // If it may be in a row of the frame that is cut, it is not read.
                let frame =
                    frames.iter().find(|(place, _)| place.start + 48 <= cut && cut < place.end);
                // After a message in a row the other log would be one more of the row.
                let streams = inner_ends.iter().map(|(end, _)| &inner[..*end]);
                if streams.chain([&plain[..]]).any(|held| bytes[..cut].ends_with(held)) {
                    continue;
                }
                let is_within = frame.is_some_and(|(place, _)| place.end >= joined.len());
                let all = all.take(if is_within { 0 } else { 6 });
                add(format!("joined at {cut}"), joined, rows.into_iter().chain(all).collect());
            }
            for at in (0..bytes.len()).step_by(stride) {
                for mask in [1, 0x80, 0xff] {
                    let mut flipped = bytes.clone();
                    flipped[at] ^= mask;
                    let rows = whole(&|place| place.contains(&at));
                    add(format!("byte {at} by {mask}"), flipped, rows);
                }
                let to = bytes.len().min(at + 40);
                // The first two frames of a stream have the schema of those that follow.
                if at < frames[0].0.end && frames[1].0.start < to {
                    continue;
                }
                let gone = whole(&|place| place.start < to && place.end > at);
                let mut zeroed = bytes.clone();
                zeroed[at..to].fill(0);
                add(format!("zeros {at}..{to}"), zeroed, gone.clone());
                if to < bytes.len() {
                    let lacking = [&bytes[..at], &bytes[to..]].concat();
                    add(format!("without {at}..{to}"), lacking, gone);
                }
            }
            for (one, _) in &frames {
                let doubled = [&bytes[..one.end], &bytes[one.start..]].concat();
                add(format!("{one:?} twice"), doubled, whole(&|_| false));
                for (other, _) in frames.iter().filter(|(other, _)| other.start >= one.end) {
                    let (a, b) = (&bytes[one.clone()], &bytes[other.clone()]);
                    let between = &bytes[one.end..other.start];
                    let parts = [&bytes[..one.start], b, between, a, &bytes[other.end..]];
                    // A reader that goes on with a later one does not go back.
                    let rows = whole(&|place| place.start >= one.start && place.end <= other.end);
                    add(format!("{one:?} and {other:?} swapped"), parts.concat(), rows);
                }
            }
        }
    }
    logs
}

#[test]
#[cfg_attr(miri, ignore = "it reads too many files")]
fn damaged_logs_lose_no_whole_frame_and_give_no_row_twice() {
    let logs = damaged_logs(sized(11, 200));
    for Damaged { what, bytes, whole, written } in &logs {
        let (rows, lost, error) = read(bytes, StreamDecoder::new().skipping());
        assert_eq!(error, None, "{what}");
        let numbers = rows.iter().map(|row| written.iter().position(|of| of == row));
        let numbers = numbers.collect::<Option<Vec<_>>>().expect(what);
        assert!(numbers.is_sorted_by(|one, next| one < next), "{what}: {numbers:?}");
        let is_given = |row| rows.contains(row);
        assert!(whole.iter().all(is_given), "{what}: {} rows of {}", rows.len(), whole.len());
        assert!(lost.0 <= bytes.len() as u64);
        let (strict, _, _) = read(bytes, StreamDecoder::new());
        assert!(rows.starts_with(&strict), "{what}");
        let (found, mut repaired) = repaired(bytes);
        let more = file_of(WIRES[0], &[1], false, found.end.unwrap(), &value).0;
        repaired.extend(more);
        let (kept, _, _) = read(&repaired, StreamDecoder::new().skipping());
        assert!(kept.starts_with(&rows) && kept.len() == rows.len() + 3, "{what}, repaired");
    }
    println!("{} logs", logs.len());
}

/// A change of a file's bytes.
#[derive(Clone, Debug)]
enum Change {
    Flip(usize, u8),
    Remove(usize, usize),
    Zeros(usize, usize),
    Repeat(usize, usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let (at, len) = (0..4000_usize, 1..80_usize);
    let change = prop_oneof![
        (at.clone(), 1..=255_u8).prop_map(|(at, by)| Change::Flip(at, by)),
        (at.clone(), len.clone()).prop_map(|(at, len)| Change::Remove(at, len)),
        (at.clone(), len.clone()).prop_map(|(at, len)| Change::Zeros(at, len)),
        (at, len).prop_map(|(at, len)| Change::Repeat(at, len)),
    ];
    prop::collection::vec(change, 1..4)
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let (at, len) = match *change {
            Change::Flip(at, _) => (at, 1),
            Change::Remove(at, len) | Change::Zeros(at, len) | Change::Repeat(at, len) => (at, len),
        };
        let at = at % bytes.len();
        let range = at..bytes.len().min(at + len);
        match *change {
            Change::Flip(_, by) => bytes[at] ^= by,
            Change::Remove(..) => drop(bytes.drain(range)),
            Change::Zeros(_, len) => drop(bytes.splice(at..at, vec![0; len])),
            Change::Repeat(..) => {
                let again = bytes[range].to_vec();
                drop(bytes.splice(at..at, again));
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(sized(400, 4) as u32))]

    #[test]
    fn any_damage_leaves_rows_of_the_file_and_a_file_that_goes_on(
        messages in prop::collection::vec(0..4_usize, 1..5),
        is_open in any::<bool>(),
        changes in changes(),
    ) {
        let (bytes, ends) = file(Format::default(), &messages, is_open);
        let damaged = changed(bytes, &changes);
        let all: Vec<Value> = (0..ends.last().map_or(0, |(_, rows)| *rows)).map(value).collect();
        let (rows, lost, error) = read(&damaged, StreamDecoder::new().skipping());
        prop_assert!(rows.iter().all(|row| all.contains(row)));
        prop_assert!(lost.0 <= damaged.len() as u64);
        if let Some(error) = error {
            prop_assert_eq!((error.kind(), rows.len()), (ErrorKind::Decode, 0));
        }
        // What a reader without skipping gives comes first.
        let (strict, _, _) = read(&damaged, StreamDecoder::new());
        prop_assert_eq!(&rows[..strict.len()], &strict[..]);
        match salvage(&damaged) {
            Err(error) => prop_assert_eq!(error.kind(), ErrorKind::Decode),
            Ok(found) => {
                prop_assert!(found.keep <= damaged.len() as u64);
                let (_, mut repaired) = repaired(&damaged);
                let again = salvage(&repaired).unwrap();
                prop_assert_eq!((again.keep, again.index), (repaired.len() as u64, Vec::new()));
                // No row that could be read is lost by the repair, and rows can follow.
                let end = end(&repaired).or(again.end).unwrap();
                repaired.extend(file_of(Format::default(), &[1], false, end, &value).0);
                let (mut kept, _, _) = read(&repaired, StreamDecoder::new().skipping());
                let more = kept.split_off(kept.len() - 3);
                prop_assert_eq!(more, (0..3).map(value).collect::<Vec<_>>());
                prop_assert!(rows.iter().all(|row| kept.contains(row)), "{rows:?} {kept:?}");
            }
        }
    }
}
