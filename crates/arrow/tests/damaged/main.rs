//! Damaged C arrays, schemas and streams are errors that name what is wrong and where, and each structure
//! of the producer is released once.

mod arrays;
mod damages;
mod producer;

use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field, Schema as ArrowSchema};
use serow_arrow::Import;
use serow_arrow::c_data::{self, Extensions};
use serow_core::Result;
use serow_core::decode::decode_set;
use serow_core::layout::batch::Batch;
use serow_core::layout::value::ValueWriter;
use serow_core::value::Value;
use serow_core::wire::frame::ColumnSet;

use arrays::{PREFIX, arrays, i8s, i32s, i64s, ints, named, node, with};
use damages::{Case, general, special};
use producer::{Feed, Ledger, Node, Step};

/// A table of one column.
fn table(column: Node, length: i64) -> Node {
    named("", with(node("+s", length, vec![None]), vec![column]))
}

/// All rows of arrays.
fn rows(field: &Field, arrays: impl Iterator<Item = Result<ArrayRef>>) -> Result<Vec<Value>> {
    let import = match field.data_type() {
        DataType::Struct(fields) => Import::new(&ArrowSchema::new(fields.clone()))?,
        _ => Import::of_values(field)?,
    };
    let (mut columns, mut rows) = (Batch::default(), ValueWriter::new());
    for array in arrays {
        let batch = c_data::batch_of(field, array?)?;
        let (mut row, program) = (0, import.program(std::slice::from_ref(&batch))?);
        while row < batch.num_rows() {
            import.read(&program, &batch, row, &mut columns)?;
            row += columns.rows;
            decode_set(&program, ColumnSet::staged(&program, &columns), None, 0, &mut rows)?;
        }
    }
    Ok(rows.into_rows())
}

/// Reads an array that is given by itself.
fn read_array(node: &Node, ledger: &Ledger) -> Result<Vec<Value>> {
    let (array, schema) = (node.array(ledger), node.schema(ledger));
    // SAFETY: what is at the addresses is as the counts beside them say, or must not be read.
    let field = unsafe { c_data::field(&schema, Extensions::Known) }?;
    // SAFETY: the same.
    let array = unsafe { c_data::array(array, field.data_type()) }?;
    rows(&field, std::iter::once(Ok(array)))
}

fn read_stream(feed: &Feed, ledger: &Ledger) -> Result<Vec<Value>> {
    // SAFETY: as in `read_array`.
    let stream = unsafe { c_data::Stream::new(feed.stream(ledger), Extensions::Known) }?;
    rows(&stream.field().clone(), stream)
}

/// Passes a ledger to `read`, and checks that all that was given is released once.
fn once<T>(name: &str, read: impl FnOnce(&Ledger) -> T) -> T {
    let ledger = Ledger::default();
    let read = read(&ledger);
    let releases = ledger.releases();
    assert!(!releases.is_empty() && releases.iter().all(|&n| n == 1), "{name}: {releases:?}");
    ledger.close();
    read
}

/// Gives a damaged array in each way. Returns what is not as it should be.
fn complaints(of: &str, node: &Node, (name, damage, says): &Case) -> Vec<String> {
    let mut damaged = node.clone();
    damage(&mut damaged);
    let mut complaints = Vec::new();
    let mut give = |way: &str, has_place: bool, read: &dyn Fn(&Ledger) -> Result<Vec<Value>>| {
        let ledger = Ledger::default();
        let what = format!("{of}: {name}, {way}");
        match read(&ledger) {
            Ok(rows) => complaints.push(format!("{what}: no error, but {rows:?}")),
            Err(error) => {
                let text = error.message();
                if std::env::var_os("SEROW_SHOW").is_some() {
                    println!("{what}: {text}");
                }
                let names_it =
                    ["column v", "field v", "child 0"].iter().any(|at| text.contains(at));
                if !text.contains(says) || has_place && !names_it {
                    complaints.push(format!("{what}: {text:?} does not say {says:?} or where"));
                }
            }
        }
        let releases = ledger.releases();
        if releases.is_empty() || releases.iter().any(|&n| n != 1) {
            complaints.push(format!("{what}: released {releases:?}"));
        }
        ledger.close();
    };
    let (has_name, column) = (damaged.name == node.name, table(damaged.clone(), node.length));
    give("an array", false, &|ledger| read_array(&damaged, ledger));
    give("in a table", has_name, &|ledger| read_array(&column, ledger));
    if cfg!(miri) {
        return complaints;
    }
    // A stream ends with an array that is released.
    if !damaged.lies.is_released {
        give("in a stream", false, &|ledger| read_stream(&Feed::of(damaged.clone()), ledger));
    }
    give("in a stream of tables", has_name, &|ledger| {
        read_stream(&Feed::of(column.clone()), ledger)
    });
    complaints
}

#[test]
fn arrays_without_damage_are_read() {
    for (of, node) in arrays() {
        let mut read = Vec::new();
        for node in [node.clone(), table(node.clone(), 3)] {
            read.push(once(of, |ledger| read_array(&node, ledger)).unwrap());
            read.push(once(of, |ledger| read_stream(&Feed::of(node), ledger)).unwrap());
        }
        assert_eq!(read.iter().map(Vec::len).collect::<Vec<_>>(), [3; 4], "{of}");
        assert_eq!((&read[0], &read[2]), (&read[1], &read[3]), "{of}");
        if node.null_count == 1 {
            assert_eq!((&read[0][1], read[0][0] == Value::Null), (&Value::Null, false), "{of}");
        }
        // Nothing is at the addresses of an array without values.
        let mut empty = Node { length: 0, null_count: 0, ..node.clone() };
        empty.buffers.fill(None);
        let none = once(of, |ledger| read_array(&empty, ledger)).unwrap();
        assert_eq!(none, [], "{of}");
        // The number of nulls may be unknown.
        let unknown = Node { null_count: -1, ..node };
        assert_eq!(once(of, |ledger| read_array(&unknown, ledger)).unwrap(), read[0], "{of}");
    }
}

#[test]
fn what_is_wrong_with_any_array_is_an_error() {
    let (mut cases, mut wrong) = (0, Vec::new());
    for (of, node) in arrays() {
        if cfg!(miri) && !matches!(of, "text" | "struct" | "dense") {
            continue;
        }
        for case in general(&node) {
            wrong.extend(complaints(of, &node, &case));
            cases += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases > if cfg!(miri) { 80 } else { 500 }, "{cases}");
}

#[test]
fn what_is_wrong_with_arrays_of_a_type_is_an_error() {
    let (arrays, cases, mut wrong) = (arrays(), special(), Vec::new());
    for (of, case) in &cases {
        let (_, node) = arrays.iter().find(|(name, _)| name == of).unwrap();
        wrong.extend(complaints(of, node, case));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases.len() > 100, "{}", cases.len());
}

#[test]
fn schemas_that_have_no_end_are_errors() {
    let mut deep = ints(1);
    for _ in 0..300 {
        deep = with(node("+s", 1, vec![None]), vec![deep]);
    }
    let error = once("deep", |ledger| read_array(&deep, ledger)).unwrap_err();
    assert!(error.message().contains("more than 256 types within each other"), "{error}");
    let wide = with(node("+s", 0, vec![None]), vec![node("n", 0, vec![]); 300]);
    let wide = with(node("+s", 0, vec![None]), vec![wide; 300]);
    if !cfg!(miri) {
        let error = once("wide", |ledger| read_array(&wide, ledger)).unwrap_err();
        assert!(error.message().contains("at most 65536 fields"), "{error}");
    }
}

#[test]
fn streams_that_fail_are_errors() {
    let good = || Feed::of(table(ints(3), 3));
    let fails = |code: i32| Step::Fails(code);
    let arrays = |arrays: Vec<Step>| Feed { arrays, ..good() };
    let array = || Step::gives(table(ints(3), 3));
    let said = |feed: Feed, text: &[u8]| Feed { error: Some(text.into()), ..feed };
    let other = |node: Node| arrays(vec![array(), Step::gives(node)]);
    let cases = [
        ("released", Feed { is_released: true, ..good() }, "is already released"),
        ("no get_schema", Feed { lacks: &["get_schema"], ..good() }, "get_schema is null"),
        ("no get_next", Feed { lacks: &["get_next"], ..good() }, "get_next is null"),
        (
            "get_schema fails",
            Feed { schema: fails(5), ..good() },
            "producer of the arrays failed: error 5",
        ),
        (
            "get_schema gives nothing",
            Feed { schema: Step::Ends, ..good() },
            "the schema is already released",
        ),
        ("get_next fails", arrays(vec![fails(22)]), "failed: error 22"),
        ("get_next fails later", arrays(vec![array(), fails(-1), array()]), "failed: error -1"),
        ("it says why", said(arrays(vec![fails(22)]), b"no disk"), "failed: no disk"),
        (
            "it says why not in UTF-8",
            said(arrays(vec![fails(22)]), b"no \xFF"),
            "failed: no \u{FFFD}",
        ),
        (
            "get_schema says why",
            said(Feed { schema: fails(1), ..good() }, b"no disk"),
            "failed: no disk",
        ),
        (
            "it can't say why",
            Feed { lacks: &["get_last_error"], ..arrays(vec![fails(22)]) },
            "failed: error 22",
        ),
        (
            "columns are added",
            other(with(table(ints(3), 3), vec![ints(3); 2])),
            "array 1 of the stream is damaged: it has 2 children",
        ),
        ("columns are gone", other(node("+s", 3, vec![None])), "it has 0 children"),
        (
            "a column is another",
            other(table(node("n", 3, vec![]), 3)),
            "column v: it has 0 buffers",
        ),
        ("rows are values", other(ints(3)), "it has 2 buffers, and the type Struct"),
        ("a later array is damaged", other(table(ints(3), 4)), "array 1 of the stream is damaged"),
        (
            "a row is null",
            arrays(vec![Step::gives(Node {
                null_count: 1,
                buffers: vec![Some(vec![3])],
                ..table(ints(3), 3)
            })]),
            "a row is null",
        ),
    ];
    for (name, feed, says) in cases {
        let error = once(name, |ledger| read_stream(&feed, ledger)).unwrap_err();
        assert!(error.message().contains(says), "{name}: {error}");
    }
    let all = once("good", |ledger| read_stream(&arrays(vec![array(), array()]), ledger)).unwrap();
    assert_eq!(all.len(), 6);
    let ended = arrays(vec![array(), Step::Ends, array()]);
    assert_eq!(once("ended", |ledger| read_stream(&ended, ledger)).unwrap().len(), 3);
}

#[test]
fn memory_is_released_after_its_last_use() {
    let count = |ledger: &Ledger| ledger.releases().iter().sum::<usize>();
    let ledger = Ledger::default();
    let give = Step::gives(table(ints(3), 3));
    let feed = Feed { arrays: vec![give.clone(), give.clone(), give], ..Feed::of(ints(3)) };
    let feed = Feed { schema: feed.arrays[0].clone(), ..feed };
    let Step::Gives(schema) = &feed.schema else { unreachable!() };
    assert_eq!(schema.children.len(), 1);
    // SAFETY: as in `read_array`.
    let mut stream =
        unsafe { c_data::Stream::new(feed.stream(&ledger), Extensions::Known) }.unwrap();
    // Both structures of the schema.
    assert_eq!(count(&ledger), 2);
    let (first, second) = (stream.next().unwrap().unwrap(), stream.next().unwrap().unwrap());
    assert_eq!(count(&ledger), 2);
    let batch = c_data::batch_of(stream.field(), first).unwrap();
    let column = batch.column(0).clone();
    drop((batch, second));
    assert_eq!(count(&ledger), 4);
    // The stream has another array, which nobody asked for.
    drop(stream);
    assert_eq!((count(&ledger), ledger.releases().len()), (5, 7));
    drop(column);
    assert_eq!(ledger.releases(), [1; 7]);
    ledger.close();
    // After an error, a stream is released at once and gives no more.
    let ledger = Ledger::default();
    let feed = Feed { arrays: vec![Step::Fails(3)], ..feed };
    // SAFETY: as in `read_array`.
    let mut stream =
        unsafe { c_data::Stream::new(feed.stream(&ledger), Extensions::Known) }.unwrap();
    assert!(stream.next().unwrap().is_err());
    assert_eq!(ledger.releases(), [1; 3]);
    assert!(stream.next().is_none());
    ledger.close();
}

#[test]
fn what_no_row_has_is_not_looked_at() {
    type Damage = fn(&mut Node);
    let slot_1: [(&str, Damage); 5] = [
        ("text", |n| {
            n.buffers[1] = i32s(&[0, 2, 3, 5]);
            n.buffers[2] = Some(b"\xC3\xA9\xFFab".to_vec());
        }),
        ("view", |n| {
            n.buffers[1] = i32s(&[16, PREFIX, 0, 0, 99, 99, 99, 99, 0, 0, 0, 0]);
        }),
        ("decimal", |n| n.buffers[1] = i64s(&[1, 0, i64::MAX, 0, 3, 0])),
        ("dictionary", |_| ()),
        ("dense", |n| n.buffers[0] = i8s(&[0, 7, 0])),
    ];
    for (of, damage) in slot_1 {
        let (_, good) = arrays().into_iter().find(|(name, _)| *name == of).unwrap();
        let mut damaged = good.clone();
        damage(&mut damaged);
        // Its own null bits do not say that the slot is null.
        if !damaged.buffers.is_empty() && damaged.null_count == 1 {
            (damaged.null_count, damaged.buffers[0]) = (0, None);
        }
        let read = |node: Node| once(of, |ledger| read_array(&node, ledger));
        assert!(read(damaged.clone()).is_err(), "{of}");
        let good = read(with(node("+vl", 1, vec![None, i32s(&[0]), i32s(&[3])]), vec![good]));
        let Value::List(good) = &good.unwrap()[0] else { unreachable!() };
        let rows_of = |node| read(node).unwrap();
        let below_a_null = Node { null_count: 1, ..node("+s", 3, vec![Some(vec![0b101])]) };
        let below_a_null = named("v", with(below_a_null, vec![damaged.clone()]));
        let rows = rows_of(with(node("+s", 3, vec![None]), vec![below_a_null]));
        assert!(format!("{:?}", rows[1]).contains("Null"), "{of}: {rows:?}");
        assert!(format!("{:?}", rows[2]).contains(&format!("{:?}", good[2])), "{of}: {rows:?}");
        let sliced = Node { offset: 2, ..node("+s", 1, vec![None]) };
        let rows = rows_of(with(sliced, vec![damaged.clone()]));
        assert!(format!("{:?}", rows[0]).contains(&format!("{:?}", good[2])), "{of}: {rows:?}");
        let skipped = node("+vl", 2, vec![None, i32s(&[0, 2]), i32s(&[1, 1])]);
        let rows = rows_of(with(skipped, vec![named("item", damaged)]));
        let expected = [&good[0], &good[2]].map(|value| Value::List(vec![value.clone()]));
        assert_eq!(rows, expected, "{of}");
    }
}
