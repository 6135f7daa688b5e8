//! Rows that borrow from what they are read from.

use std::borrow::Cow;

use serow::{Codec, ErrorKind, Reader, Row, Wire, schema_of};

#[derive(Clone, Debug, PartialEq, Row)]
struct Part<'a> {
    name: &'a str,
    code: &'a [u8],
    note: Option<Cow<'a, str>>,
    data: Cow<'a, [u8]>,
    sizes: Cow<'a, [i32]>,
}

#[derive(Clone, Debug, PartialEq, Row)]
struct Note<'a> {
    text: Cow<'a, str>,
}

const NAME: &str = "dim \u{e9}cru";

fn part() -> Part<'static> {
    let (note, data) = (Some(NAME.into()), Cow::Borrowed(&[0, 255][..]));
    Part { name: NAME, code: b"\xff\0", note, data, sizes: vec![1, -1].into() }
}

fn is_in<T>(bytes: &[u8], part: &[T]) -> bool {
    bytes.as_ptr_range().contains(&part.as_ptr().cast())
}

/// The codec may live longer than the bytes that it reads.
fn codec(wire: Wire) -> Codec<Part<'static>> {
    Codec::of(wire).unwrap()
}

#[test]
fn records_and_row_messages_are_borrowed_from() {
    let codec = codec(Wire::Row);
    assert_eq!(
        codec.schema().to_string(),
        "Part{name: str, code: bytes, note: str?, data: bytes, sizes: [i32]}"
    );
    let check = |bytes: &[u8], read: &Part<'_>| {
        assert_eq!(*read, part());
        assert!(is_in(bytes, read.name.as_bytes()) && is_in(bytes, read.code));
        let (Some(Cow::Borrowed(note)), Cow::Borrowed(data)) = (&read.note, &read.data) else {
            panic!("{read:?} is not borrowed")
        };
        assert!(is_in(bytes, note.as_bytes()) && is_in(bytes, data));
    };
    let record = codec.encode_one(&part()).unwrap();
    check(&record, &codec.decode_one(&record).unwrap());
    let mut again = codec.decode_one(&record).unwrap();
    codec.decode_one_into(&record, &mut again).unwrap();
    check(&record, &again);
    let message = codec.encode(&[part(), part()]).unwrap();
    for read in codec.decode(&message).unwrap() {
        check(&message, &read);
    }
    let read: Vec<Part<'_>> = serow::from_slice(&message).unwrap();
    check(&message, &read[1]);
}

#[test]
fn what_can_t_be_borrowed_is_owned_or_refused() {
    // Repeated texts are in a dictionary.
    let notes = vec![Note { text: NAME.into() }; 1000];
    let bytes = Codec::of::<Note<'_>>(Wire::Frame).unwrap().encode(&notes).unwrap();
    let read: Vec<Note<'_>> = serow::from_slice(&bytes).unwrap();
    assert!(read == notes && matches!(read[0].text, Cow::Owned(_)));
    // A reader keeps no bytes.
    let bytes = codec(Wire::Row).encode(&[part()]).unwrap();
    let error = Reader::of::<Part<'static>>(&bytes[..]).unwrap().next().unwrap().unwrap_err();
    assert_eq!((error.kind(), error.row()), (ErrorKind::Decode, Some(0)));
    assert_eq!(
        error.message(),
        "frame 0, row 0, field name (str): the text or the bytes can't be borrowed from a \
         frame, a stream, compressed bytes or rows of another schema; declare a Cow, or a type that owns them"
    );
    let bytes = serow::to_vec(&notes).unwrap();
    let all = Reader::of::<Note<'static>>(&bytes[..]).unwrap();
    assert_eq!(all.collect::<serow::Result<Vec<_>>>().unwrap(), notes);
}

#[test]
fn another_schema_is_read_to_owned_texts() {
    #[derive(Row)]
    #[row(rename = "Note")]
    struct More {
        text: String,
        size: u8,
    }
    let more = Codec::of::<More>(Wire::Row).unwrap();
    let record = more.encode_one(&More { text: NAME.into(), size: 1 }).unwrap();
    let schemas = serow::SchemaSet::default();
    schemas.add(more.schema()).unwrap();
    let codec = Codec::of::<Note<'_>>(Wire::Row).unwrap().with_schemas(&schemas);
    assert_eq!(codec.decode_one(&record).unwrap(), Note { text: NAME.into() });
    let mut note = Note { text: "a".into() };
    codec.decode_one_into(&record, &mut note).unwrap();
    assert_eq!(note, Note { text: NAME.into() });
}

#[test]
fn bytes_are_one_value() {
    type Bytes = (Vec<u8>, Box<[u8]>, [u8; 32], Option<Vec<u8>>, Vec<Vec<u8>>);
    assert_eq!(schema_of::<Bytes>().unwrap().to_string(), "(bytes, bytes, bytes, bytes?, [bytes])");
    let all: Vec<u8> = (0..=255).collect();
    let row: Bytes = (all.clone(), all.clone().into(), [7; 32], Some(vec![]), vec![all.clone()]);
    crate::come_back(&[row.clone(), (vec![], Box::new([]), [0; 32], None, vec![]), row]);
    let codec = Codec::of::<[u8; 4]>(Wire::Row).unwrap();
    let record = Codec::of::<Vec<u8>>(Wire::Row).unwrap().encode_one(&all).unwrap();
    let error = codec.decode_one(&record).unwrap_err();
    assert_eq!(error.message(), "record, (bytes): the value has 256 elements, not 4");
    // So they are for serde.
    let bytes = serow::to_vec(&[[1_u8, 2, 3, 4]]).unwrap();
    assert_eq!(serow::serde::from_slice::<[u8; 4]>(&bytes).unwrap(), [[1, 2, 3, 4]]);
    assert_eq!(serow::serde::from_slice::<Vec<u8>>(&bytes).unwrap(), [[1, 2, 3, 4]]);
    // Sets of bytes and queues are lists of numbers.
    assert_eq!(schema_of::<std::collections::VecDeque<u8>>().unwrap().to_string(), "[u8]");
}

#[test]
fn memory_is_used_again() {
    type Row = (String, Vec<String>, Option<Box<Vec<i64>>>);
    let codec = Codec::of::<Row>(Wire::Row).unwrap();
    let row: Row = ("a".into(), vec!["b".into(), "c".into()], Some(Box::new(vec![1, 2])));
    let record = codec.encode_one(&row).unwrap();
    let long = || String::with_capacity(100);
    let mut into: Row = (long(), vec![long(), long(), long()], Some(Box::new(vec![5; 100])));
    codec.decode_one_into(&record, &mut into).unwrap();
    assert_eq!(into, row);
    assert!(into.0.capacity() >= 100 && into.1.iter().all(|text| text.capacity() >= 100));
    assert!(into.2.unwrap().capacity() >= 100);
    let mut cut = row.clone();
    assert!(codec.decode_one_into(&record[..record.len() - 1], &mut cut).is_err());
}
