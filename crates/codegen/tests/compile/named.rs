//! Sets, maps, dicts with fixed keys, records and enums. Compiled code converts the common cases
//! and bails out of the others.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serow_codegen::{Conversion, compile};
use serow_core::bytes::out::Out;
use serow_core::layout::batch::Batch;
use serow_core::layout::{Sink, Source};
use serow_core::program::Code;
use serow_core::program::Program;
use serow_core::schema::{Enum, MemberValues, Names};
use serow_core::value::{Composite, Value};
use serow_core::wire::row::{ROW, RowReader, RowWriter, SLACK, ZeroSizedCounts};

use crate::{ROW_TO_BATCH, ROW_TO_ROW, alone, decoding, plan};

const ROWS: usize = 1000;

fn names(name: Option<&str>, fields: &[&str]) -> Arc<Names> {
    let fields = fields.iter().map(|&field| field.into()).collect();
    Arc::new(Names { name: name.map(Arc::from), fields })
}

fn dict(fields: &[(&str, Value)]) -> Value {
    let keys: Vec<_> = fields.iter().map(|(key, _)| *key).collect();
    Value::Struct(names(None, &keys), fields.iter().map(|(_, value)| value.clone()).collect())
}

fn part(key: i64, size: Value) -> Value {
    Value::Struct(names(Some("Part"), &["key", "size"]), Box::new([Value::I64(key), size]))
}

fn color(member: u32) -> Value {
    Value::Enum(Arc::new(Enum::new("Color", ["RED", "GREEN", "BLUE"])), member)
}

fn size(member: u32) -> Value {
    let values = MemberValues::Strs(vec!["small".into(), "large".into()]);
    Value::Enum(Arc::new(Enum::new("Size", ["S", "L"]).with_values(values)), member)
}

/// The fields of a row: a value of each kind, with about one element in each container.
fn fields(i: i64) -> Vec<(&'static str, Value)> {
    let text = |n: i64| Value::from(&*format!("some text {n}"));
    let some = 0..i % 3;
    let mut fields = vec![
        ("id", Value::I64(i)),
        ("color", color((i % 3) as u32)),
        ("part", part(i, if i % 2 == 0 { Value::Null } else { Value::I64(i) })),
        ("tags", Value::Set(some.clone().map(text).collect())),
        (
            "pairs",
            Value::FrozenSet(some.clone().map(|n| tuple([Value::I64(n), text(n)])).collect()),
        ),
        ("counts", Value::Map(some.map(|n| [text(n), Value::F64(n as f64)]).collect())),
        ("on", Composite::date(i).into()),
        ("inner", dict(&[("x", Value::I64(i)), ("y", text(i))])),
        (
            "either",
            match i % 7 {
                0 => part(i, Value::Null),
                1 => color(2),
                2 => size(1),
                3 => Value::Set(vec![Value::I64(i)]),
                4 => Value::FrozenSet(vec![]),
                5 => dict(&[("z", Value::Bool(true))]),
                _ => Value::Struct(names(Some("Other"), &["key"]), Box::new([Value::I64(i)])),
            },
        ),
    ];
    if i % 4 > 0 {
        fields.push(("late", Value::F64(i as f64 / 4.0)));
    }
    fields
}

fn tuple<const N: usize>(fields: [Value; N]) -> Value {
    Value::Tuple(fields.into())
}

/// Rows with one dict each. The order of keys differs from row to row.
fn rows() -> Vec<Value> {
    let row = |i: usize| {
        let mut fields = fields(i as i64);
        let by = i % fields.len();
        if i > 0 && i.is_multiple_of(3) {
            fields.rotate_left(by);
        }
        dict(&fields)
    };
    (0..ROWS).map(row).collect()
}

fn schema(rows: &[Value]) -> String {
    let rows = serow_core::layout::value::ValueRows(rows);
    serow_core::encode::infer(&rows).expect("the rows have a schema").to_string()
}

/// Compiles `plan` for `conversion` and returns the code.
fn code(plan: &Program, conversion: &Conversion<'_>) -> Arc<dyn Code> {
    // SAFETY: core defines these layouts.
    unsafe { compile(plan, conversion) }.expect("every plan compiles");
    plan.code(conversion.kinds()).expect("it was compiled")
}

#[test]
fn compiled_code_alone_converts_common_rows() {
    let _alone = alone();
    let rows = rows();
    let plan = plan(&schema(&rows));
    let mut records = decoding::records(&plan, &rows);
    records.extend([0; SLACK]);
    for conversion in [ROW_TO_ROW, ROW_TO_BATCH] {
        let code = code(&plan, &conversion);
        let (mut source, mut room) = (RowReader::new(&records, SLACK), Vec::new());
        let mut out = Out::new(&mut room);
        out.reserve(1 << 20).unwrap();
        let mut batch = Batch::new(&plan);
        let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
        let sink = match conversion.kinds().1 == &ROW {
            true => writer.enter_jit(ROWS),
            false => batch.enter_jit(ROWS),
        };
        source.names(&plan.from.tables);
        assert_eq!(source.prepare(ROWS), ROWS);
        // SAFETY: the code is for these layouts, and there is space.
        let done = unsafe { code.convert(source.enter_jit(), sink, 0, ROWS) };
        assert_eq!(done, ROWS, "{conversion:?}");
    }
}

#[test]
fn both_tiers_give_the_same() {
    decoding::rows_come_to_the_same(&rows());
}

#[test]
fn values_that_are_not_members_give_errors() {
    let _alone = alone();
    let plans = decoding::both(&[color(0)]);
    for index in [0i64, 2, 3, -1, i64::MAX] {
        let mut record = Vec::new();
        serow_core::bytes::varint::push(&mut record, serow_core::bytes::varint::zigzag(index));
        let bytes = [(record.len() as u32).to_le_bytes().to_vec(), record].concat();
        let (_, stop) = decoding::same_of_records(&plans, &bytes, 1);
        assert_eq!(stop.is_some(), !(0..3).contains(&index), "{index}");
    }
}

#[test]
fn the_compile_time_of_a_dict_is_linear_in_its_keys() {
    let _alone = alone();
    let compile_time = |keys: usize| {
        let fields: Vec<_> = (0..keys).map(|n| format!("\"key {n}\"?: i64")).collect();
        let plan = plan(&format!("{{{}}}", fields.join(", ")));
        let begun = Instant::now();
        code(&plan, &ROW_TO_BATCH);
        assert!(plan.is_compiled(ROW_TO_BATCH.kinds()));
        begun.elapsed()
    };
    let (few, many) = (compile_time(200), compile_time(2000));
    assert!(many < 40 * few.max(Duration::from_millis(5)), "{few:?} and {many:?}");
}
