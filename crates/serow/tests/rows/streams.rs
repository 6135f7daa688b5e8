//! Streams, threads, compression, and columns of Arrow.

use serow::{Codec, Compression, Options, Reader, Row, Threads, View, Wire, Writer};

#[derive(Clone, Debug, PartialEq, Row)]
struct Part {
    key: u32,
    name: Option<String>,
    sizes: Vec<f32>,
}

fn part(key: u32) -> Part {
    let name = format!("the part {key}, of the color {}", key % 7);
    let sizes = (0..key % 5).map(|size| size as f32 / 3.0).collect();
    Part { key, name: (!key.is_multiple_of(5)).then_some(name), sizes }
}

#[test]
fn threads_and_compressions_give_the_same_rows() {
    let rows: Vec<Part> = (0..70_000).map(part).collect();
    for wire in [Wire::Frame, Wire::Row] {
        for compression in [Compression::None, Compression::Lz4, Compression::ZSTD] {
            let options = Options::from(wire).with_compression(compression);
            let one = options.to_vec(&rows).unwrap();
            let threads = options.with_threads(Threads::of(2).unwrap());
            assert!(threads.to_vec(&rows).unwrap() == one);
            assert!(threads.from_slice::<Part>(&one).unwrap() == rows);
            let codec = Codec::of::<Part>(threads).unwrap();
            assert!(codec.encode(&rows).unwrap() == one);
            assert!(codec.decode(&one).unwrap() == rows);
        }
    }
}

#[test]
fn streams_have_the_schema_of_the_type() {
    let rows: Vec<Part> = (0..3000).map(part).collect();
    let codec = Codec::of::<Part>(Wire::Frame).unwrap();
    let write = |mut writer: Writer<Vec<u8>, Part>| {
        for (number, rows) in rows.chunks(800).enumerate() {
            match number % 2 {
                0 => writer.write_rows(rows).unwrap(),
                _ => rows.iter().for_each(|row| writer.write(row).unwrap()),
            }
            assert_eq!(writer.schema(), Some(codec.schema()));
            writer.flush().unwrap();
        }
        writer.finish().unwrap()
    };
    let bytes = write(Writer::of(Vec::new()).unwrap());
    for writer in [codec.writer(Vec::new()), Options::new().writer(Vec::new())] {
        assert!(serow::from_slice::<Part>(&write(writer)).unwrap() == rows);
    }
    let read = |reader: Reader<&[u8], Part>| reader.collect::<serow::Result<Vec<_>>>().unwrap();
    assert!(read(Reader::of(&bytes[..]).unwrap()) == rows);
    assert!(read(codec.reader(&bytes[..])) == rows);
    assert!(read(Options::new().reader(&bytes[..])) == rows);
    let threads = Options::new().with_threads(Threads::of(2).unwrap());
    assert!(read(threads.reader(&bytes[..])) == rows);
    let mut indexed = View::of::<Part>(std::io::Cursor::new(&bytes)).unwrap();
    for at in [2999, 0, 1600] {
        assert_eq!(indexed.row(at).unwrap().as_ref(), Some(&rows[at as usize]));
    }
}

#[test]
fn a_stream_without_rows_has_none() {
    let bytes = Writer::<_, Part>::finish(Options::new().writer(Vec::new())).unwrap();
    assert_eq!(serow::from_slice::<Part>(&bytes).unwrap(), []);
    assert_eq!(Reader::of::<Part>(&b""[..]).unwrap().count(), 0);
}

#[cfg(feature = "arrow")]
#[test]
fn batches_have_one_schema_for_a_type() {
    use serow::arrow::{from_batches, to_batches};

    let rows: Vec<Part> = (0..100).map(part).collect();
    let (schema, batches) = to_batches(&rows, 30).unwrap();
    assert_eq!(from_batches::<Part>(&batches).unwrap(), rows);
    for some in [&rows[..1], &rows[..0]] {
        assert_eq!(to_batches(some, 30).unwrap().0, schema);
    }
    // Batches of another version of the type.
    #[derive(Debug, PartialEq, Row)]
    struct Other {
        name: Option<String>,
        #[row(default = 3)]
        more: i32,
    }
    let others: Vec<Other> = from_batches(&batches).unwrap();
    assert_eq!(
        (others[1].name.as_deref(), others[1].more),
        (Some("the part 1, of the color 1"), 3)
    );
}
