use xxhash_rust::xxh3::xxh3_64;

use super::*;
use crate::bytes::varint;
use crate::decode::decode_frame;
use crate::encode::{OneThread, dumps_with};
use crate::error::ErrorKind;
use crate::layout::value::{ValueRows, ValueWriter};
use crate::stream::file_index::LONG_INDEX;
use crate::stream::{IndexSearch, StreamEncoder};
use crate::testing::{COMPRESSIONS, WIRES, int, sized, tuple};
use crate::value::Value;
use crate::wire::compression::Compression;
use crate::wire::message::index::TAIL;
use crate::wire::message::{
    FRAME_HEADER, Format, MARKED_HEADER, MARKER, MessageHeader, Metadata, Position, STREAM_HEADER,
};

/// A stream with a frame for each of these pieces.
fn stream(format: impl Into<Format>, pieces: &[&[Value]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut put = |more: &[u8]| {
        bytes.extend_from_slice(more);
        Ok(())
    };
    let mut encoder = StreamEncoder::begin(format, None, &mut put).unwrap();
    for rows in pieces {
        encoder.write(&ValueRows(rows), &OneThread, &mut 0, &mut put).unwrap();
        encoder.flush(&mut put).unwrap();
    }
    encoder.finish(&mut put).unwrap();
    bytes
}

fn slice(file: &[u8], range: Range<u64>) -> &[u8] {
    &file[range.start as usize..range.end as usize]
}

fn index(file: &[u8]) -> Result<FileIndex> {
    let mut search = IndexSearch::new(file.len() as u64);
    while let Some(range) = search.wanted() {
        search.give(slice(file, range))?;
    }
    Ok(search.finish())
}

fn frame(decoder: &mut SeekDecoder, file: &[u8], frame: usize) -> Result<Vec<Value>> {
    while let Some(range) = decoder.schema_wanted(frame) {
        decoder.give_schema(frame, slice(file, range))?;
    }
    let entry = *decoder.index().entry(frame).expect("there is this frame");
    let raw = decoder.read(frame, slice(file, entry.at..entry.at + entry.bytes))?;
    assert_eq!(
        (raw.index, raw.at as u64, raw.first_row as u64),
        (frame, entry.at, entry.first_row)
    );
    let mut rows = ValueWriter::new();
    decode_frame(&raw.unpack()?, None, &mut None, &mut rows)?;
    Ok(rows.into_rows())
}

/// Reads all frames of a file, from the last to the first.
fn backwards(file: &[u8]) -> Result<Vec<Vec<Value>>> {
    let mut decoder = SeekDecoder::new(index(file)?);
    let numbers = 0..decoder.index().frames();
    let frames = numbers.rev().map(|number| frame(&mut decoder, file, number));
    let mut frames = frames.collect::<Result<Vec<_>>>()?;
    frames.reverse();
    Ok(frames)
}

/// Three frames of one schema and one of another.
fn pieces() -> Vec<Vec<Value>> {
    let part = |i: i64| tuple([int(i), "almond".into()]);
    let parts = |rows: Range<i64>| rows.map(part).collect::<Vec<_>>();
    vec![parts(0..3), parts(3..4), vec![Value::Null, part(5)], parts(6..40)]
}

fn sample(format: impl Into<Format>) -> Vec<u8> {
    stream(format, &pieces().iter().map(Vec::as_slice).collect::<Vec<_>>())
}

#[test]
fn frames_of_several_messages_are_read_in_any_order() {
    for wire in WIRES {
        for &compression in COMPRESSIONS {
            let one = sample(Format { wire, compression });
            let file = [&one[..], &stream(wire, &[]), &one, &stream(wire, &[&[int(7)]])].concat();
            let expected = [pieces(), pieces(), vec![vec![int(7)]]].concat();
            assert_eq!(backwards(&file).unwrap(), expected);
            let index = index(&file).unwrap();
            assert_eq!((index.frames(), index.rows()), (9, 81));
            let first_rows = [0, 3, 4, 6, 40, 43, 44, 46, 80];
            for (number, first) in first_rows.into_iter().enumerate() {
                assert_eq!(index.entry(number).unwrap().first_row, first);
                let last = first_rows.get(number + 1).map_or(80, |next| next - 1);
                assert_eq!(index.frame_of(first), Some(number));
                assert_eq!(index.frame_of(last), Some(number));
            }
            assert_eq!(index.frame_of(81), None);
            assert_eq!(index.entry(9), None);
        }
    }
}

#[test]
fn few_bytes_are_read_besides_the_frame() {
    let rows: Vec<Value> = (0..sized(20_000, 100)).map(|i| int(i as i64 * i as i64)).collect();
    let file = stream(WIRES[0], &[&rows, &rows[..1]]);
    let mut read = 0;
    let mut search = IndexSearch::new(file.len() as u64);
    while let Some(range) = search.wanted() {
        read += range.end - range.start;
        search.give(slice(&file, range)).unwrap();
    }
    let mut decoder = SeekDecoder::new(search.finish());
    while let Some(range) = decoder.schema_wanted(1) {
        read += range.end - range.start;
        decoder.give_schema(1, slice(&file, range)).unwrap();
    }
    assert!(read < 1_200, "{read}");
    assert_eq!(frame(&mut decoder, &file, 1).unwrap(), rows[..1]);
}

#[test]
fn a_long_schema_is_read_in_two_steps() {
    let name = "n".repeat(3_000);
    let row = |v| Value::dict([(name.as_str(), int(v))]);
    let file = stream(WIRES[1], &[&[row(1)], &[row(2)]]);
    let mut decoder = SeekDecoder::new(index(&file).unwrap());
    let first = decoder.schema_wanted(1).unwrap();
    assert_eq!(first, 32..32 + HEAD_GUESS);
    let error = decoder.read(1, slice(&file, decoder.index().places(1))).unwrap_err();
    assert!(error.message().contains("its schema was not given"), "{error}");
    decoder.give_schema(1, slice(&file, first)).unwrap();
    assert!(decoder.schema_wanted(1).is_some_and(|range| range.end > 3_000));
    assert_eq!(frame(&mut decoder, &file, 1).unwrap(), [row(2)]);
    assert_eq!(decoder.schema_wanted(1), None);
}

impl FileIndex {
    fn places(&self, frame: usize) -> Range<u64> {
        let entry = self.frames[frame];
        entry.at..entry.at + entry.bytes
    }
}

#[test]
fn an_empty_file_has_no_frames() {
    let index = index(&[]).unwrap();
    assert_eq!((index.frames(), index.rows(), index.frame_of(0)), (0, 0, None));
    let error = SeekDecoder::new(index).read(0, &[]).unwrap_err();
    assert_eq!(error.message(), "there is no frame 0: the file has 0");
}

#[test]
fn a_cut_file_is_an_error() {
    let one = sample(WIRES[1]);
    let file = [&one[..], &one].concat();
    for cut in 1..file.len() {
        match index(&file[..cut]) {
            Ok(found) => assert_eq!((cut, found.frames()), (one.len(), 4)),
            Err(error) => {
                assert_ne!(cut, one.len());
                assert!(error.message().contains("cut"), "{cut}: {error}");
                assert_eq!(error.kind(), ErrorKind::Decode);
            }
        }
    }
}

#[test]
fn messages_without_an_index_are_read_too() {
    for wire in WIRES {
        let pieces = pieces();
        let plain = |rows: &Vec<Value>| {
            let mut bytes = Vec::new();
            dumps_with(&ValueRows(rows), Some(wire), Compression::None, &OneThread, &mut bytes)
                .unwrap();
            bytes
        };
        let plain = [plain(&pieces[3]), plain(&pieces[0])].concat();
        let stream = sample(wire);
        for before in [&[][..], &stream] {
            for after in [&[][..], &stream] {
                let file = [before, &plain, after].concat();
                let of = |stream: &[u8]| if stream.is_empty() { vec![] } else { pieces.clone() };
                let own = vec![pieces[3].clone(), pieces[0].clone()];
                assert_eq!(backwards(&file).unwrap(), [of(before), own, of(after)].concat());
                for at in (0..file.len()).step_by(sized(1, 29)) {
                    let mut damaged = file.clone();
                    damaged[at] ^= 1 << (at % 8);
                    let error = backwards(&damaged).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Decode, "{at}");
                    // A file may end with any message.
                    if let Ok(rows) = backwards(&file[..at]) {
                        let all = backwards(&file).unwrap();
                        assert_eq!(rows, all[..rows.len()], "{at}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_damaged_byte_is_noticed() {
    for wire in WIRES {
        let one = sample(wire);
        let file = [&one[..], &stream(wire, &[&["x".into()]])].concat();
        for at in (0..file.len()).step_by(sized(1, 29)) {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << (at % 8);
            let error = backwards(&damaged).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Decode, "{at}");
        }
    }
}

#[test]
fn fewer_bytes_than_wanted_are_an_error() {
    let file = sample(WIRES[0]);
    let mut search = IndexSearch::new(file.len() as u64);
    let error = search.give(&file[file.len() - 15..]).unwrap_err();
    assert!(error.message().contains("shorter"), "{error}");
    let mut decoder = SeekDecoder::new(index(&file).unwrap());
    let entry = decoder.index().places(0);
    decoder.read(0, slice(&file, entry.start..entry.end - 1)).unwrap_err();
    decoder.give_schema(1, &file[8..9]).unwrap_err();
    assert_eq!(frame(&mut decoder, &file, 1).unwrap(), pieces()[1]);
}

/// An intact index of these entries, which ends at this position.
fn forged(count: u64, entries: &[[u64; 3]], end: Position) -> Vec<u8> {
    let mut bytes = vec![0; FRAME_HEADER];
    (bytes[0], bytes[1]) = (2, 3);
    varint::push(&mut bytes, STREAM_HEADER as u64);
    varint::push(&mut bytes, count);
    entries.as_flattened().iter().for_each(|number| varint::push(&mut bytes, *number));
    let len = MARKER + bytes.len() + TAIL;
    bytes.extend((len as u64).to_le_bytes());
    bytes[16..24].copy_from_slice(&((len - MARKED_HEADER - 8) as u64).to_le_bytes());
    let checksum = xxh3_64(&bytes);
    bytes.extend(checksum.to_le_bytes());
    [&end.marker(bytes.first_chunk().unwrap())[..], &bytes].concat()
}

#[test]
fn an_index_that_lies_is_refused() {
    for wire in WIRES {
        let file = sample(wire);
        let found = index(&file).unwrap();
        let entries: Vec<[u64; 3]> = (0..)
            .zip(&found.frames)
            .map(|(number, entry)| [entry.bytes, entry.rows, number - entry.schema as u64])
            .collect();
        let end = found.places(3).end as usize;
        let count = entries.len() as u64;
        let (last, _) = Position::read(&file[end..]).unwrap();
        let forged = |count, entries: &[[u64; 3]]| forged(count, entries, last);
        let with = |index: &[u8]| [&file[..end], index].concat();
        assert_eq!(with(&forged(count, &entries)), file);
        for number in (0..entries.len()).step_by(sized(1, 3)) {
            for (field, lies) in [
                (0, vec![0, 1, 55, 56, 57, 1 << 20, 1 << 62, u64::MAX]),
                (1, vec![0, 65_536, 65_537, u64::MAX]),
                (2, vec![0, 1, 2, 3, 4, u64::MAX]),
            ] {
                let right = entries[number][field];
                for lie in lies.into_iter().chain([right + 1, right.wrapping_sub(1)]) {
                    // The second frame of each schema has that in band too.
                    if lie == right || (field, lie) == (2, 0) && [1, 3].contains(&number) {
                        continue;
                    }
                    let mut lying = entries.clone();
                    lying[number][field] = lie;
                    let error = backwards(&with(&forged(count, &lying))).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Decode, "{number} {field} {lie}");
                    // Two frames' lengths that are both wrong add up.
                    if field == 0 && number > 0 {
                        lying[0][0] = entries[0][0].wrapping_add(right).wrapping_sub(lie);
                        backwards(&with(&forged(count, &lying))).unwrap_err();
                    }
                }
            }
        }
        for lie in [0, 1, 3, 5, 1 << 40, u64::MAX] {
            backwards(&with(&forged(lie, &entries))).unwrap_err();
        }
        // Left out, twice, and in another order.
        backwards(&with(&forged(3, &entries[1..]))).unwrap_err();
        backwards(&with(&forged(5, &[&entries[..1], &entries].concat()))).unwrap_err();
        let mut swapped = entries.clone();
        swapped.swap(2, 3);
        backwards(&with(&forged(4, &swapped))).unwrap_err();
    }
}

#[test]
fn a_length_that_lies_is_refused() {
    let file = sample(WIRES[1]);
    let at = file.len() - TAIL;
    let len = u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
    for lie in (0..file.len() as u64 + 9).chain([1 << 40, u64::MAX]).filter(|lie| *lie != len) {
        let mut lying = file.clone();
        lying[at..at + 8].copy_from_slice(&lie.to_le_bytes());
        let error = index(&lying).unwrap_err();
        assert!(error.message().contains("the index at byte"), "{lie}: {error}");
    }
}

#[test]
fn bytes_that_are_no_index_ask_for_no_memory() {
    let tail = [&(1u64 << 40).to_le_bytes()[..], &[0; 8]].concat();
    let mut search = IndexSearch::new(1 << 41);
    search.give(&tail).unwrap();
    let at = (1u64 << 41) - (1 << 40);
    assert_eq!(search.wanted(), Some(at..at + MARKED_HEADER as u64));
    assert!(search.is_by_index());
    search.give(&[0; MARKED_HEADER]).unwrap();
    assert_eq!((search.is_by_index(), search.wanted()), (false, Some(0..HEAD_GUESS)));
}

#[test]
fn a_long_index_is_found() {
    let entries = vec![[60, 2, 0]; LONG_INDEX as usize / 3];
    let end = Position { salt: 7, row: 2 * entries.len() as u64 };
    let index = forged(entries.len() as u64, &entries, end);
    assert!(index.len() as u64 > LONG_INDEX);
    let at = STREAM_HEADER as u64 + 60 * entries.len() as u64;
    let mut search = IndexSearch::new(at + index.len() as u64);
    search.give(&index[index.len() - TAIL..]).unwrap();
    search.give(&index[..MARKED_HEADER]).unwrap();
    search.give(&index).unwrap();
    assert_eq!(search.wanted(), Some(0..32));
    let first = Position { row: 0, ..end };
    search.give(&MessageHeader::of_stream(first, &Metadata::new()).unwrap()).unwrap();
    assert_eq!(search.wanted(), None);
    assert_eq!(search.finish().rows(), 2 * entries.len() as u64);
}
