//! The calls of the interpreter to source and sink, and the positions of errors.

mod trace;

use std::ops::ControlFlow;

use super::{Run, RunError, run};
use crate::decode::decode_frame;
use crate::error::{Fault, Misfit};
use crate::layout::discard::Discard;
use crate::layout::value::ValueReader;
use crate::layout::{NumberType, TOO_MANY_ELEMENTS};
use crate::limits::{CHECK_ELEMENTS, CHECK_ROWS, CONTAINER_ELEMENTS, MAX_ROW_ELEMENTS};
use crate::number::Number;
use crate::plan::{Defaults, FormerNames, Plan};
use crate::schema::{Logical, Schema};
use crate::testing::{compare, each_frame, int, list, member, message, plan, tuple};
use crate::value::{Composite, Value};
use crate::wire::message::Wire;
use trace::{Asked, Calls, Grid, REFUSED, Told};

fn evolve(writer: &str, reader: &str) -> Plan {
    let schema = Schema::parse(reader).unwrap();
    let mut defaults = Defaults::default();
    if reader.contains("\"default\"") {
        defaults.set(&schema, "default", a_default()).unwrap();
    }
    if reader.contains("\"of sink\"") {
        defaults.set_of_sink((0, schema.root().to_string().matches(':').count() as u32 - 1));
    }
    Plan::evolve(&plan(writer), &plan(reader), &defaults, &FormerNames::default()).unwrap()
}

/// A value of each kind in a plan.
fn a_default() -> Value {
    tuple([
        int(7),
        1.5.into(),
        "seven".into(),
        true.into(),
        Value::Null,
        int(8),
        Value::Null,
        list([int(1), int(2)]),
        member("E", &["A", "B"], 1),
        Composite::complex(2.0, -2.0).into(),
        Composite::decimal(31, -2).into(),
        "of arm 1".into(),
        Value::dict([("x", int(9))]),
    ])
}

const DEFAULT: &str = "(i64, f64, str, bool, null, i64?, i64?, [i64], enum E{A, B}, complex, decimal, i64|str, \
                       {\"x\": i64, \"y\"?: i64})";

/// Returns all calls of a run over `rows`, and its outcome.
fn calls<const FREELY: bool>(plan: &Plan, rows: &[Value], full: usize) -> (Vec<String>, Run) {
    calls_with::<FREELY>(plan, rows, full, (false, false))
}

/// The same with arrays in the source and in the sink.
fn calls_with<const FREELY: bool>(
    plan: &Plan,
    rows: &[Value],
    full: usize,
    (has_arrays, makes_arrays): (bool, bool),
) -> (Vec<String>, Run) {
    calls_of_grids::<FREELY>(plan, (rows, Vec::new()), full, (has_arrays, makes_arrays))
}

/// The same with arrays of several dimensions in the source.
fn calls_of_grids<const FREELY: bool>(
    plan: &Plan,
    (rows, grids): (&[Value], Vec<Grid>),
    full: usize,
    (has_arrays, makes_arrays): (bool, bool),
) -> (Vec<String>, Run) {
    let calls = Calls::default();
    let mut source = Asked::<FREELY> {
        inner: ValueReader::new(rows),
        calls: calls.clone(),
        has_arrays,
        grids,
        read: Grid::default(),
        texts: Vec::new(),
    };
    let mut sink = Told { calls: calls.clone(), full, rows: 0, makes_arrays };
    let run = run(plan, &mut source, &mut sink, 0..rows.len());
    (calls.take(), run)
}

/// Formats the calls: a call of the source begins a line, and the resulting calls of the sink
/// follow.
fn text(calls: &[String]) -> String {
    let mut text = String::new();
    for call in calls {
        match call.strip_suffix('?') {
            Some(_) => text.push('\n'),
            None => text.push_str(" > "),
        }
        text.push_str(call);
    }
    text.trim_start().to_owned() + "\n"
}

#[test]
fn source_and_sink_are_called_in_the_order_of_the_plan() {
    let abc: &[&str] = &["A", "B", "C"];
    let cases = [
        (
            "(i64, i64, str?, [f64])",
            vec![
                tuple([int(1), int(2), "a".into(), list([0.5.into(), 1.5.into()])]),
                tuple([int(3), int(4), Value::Null, list([])]),
            ],
        ),
        (
            "(f64, f64, str, str, bool, bool, null, null)",
            vec![tuple([
                1.0.into(),
                2.0.into(),
                "a".into(),
                "b".into(),
                true.into(),
                false.into(),
                Value::Null,
                Value::Null,
            ])],
        ),
        (
            "([str], [bool], [null], [i64])",
            vec![tuple([
                list(["a".into(), "b".into()]),
                list([true.into()]),
                list([Value::Null, Value::Null]),
                list([int(1)]),
            ])],
        ),
        (
            "[[(i64, [i64])]]",
            vec![list([
                list([tuple([int(1), list([int(2), int(3)])]), tuple([int(4), list([])])]),
                list([]),
                list([tuple([int(5), list([int(6)])])]),
            ])],
        ),
        (
            "({str: [i64?]}, {(i64, str)})",
            vec![tuple([
                Value::Map(vec![["a".into(), list([int(1), Value::Null])], ["b".into(), list([])]]),
                Value::Set(vec![tuple([int(2), "c".into()])]),
            ])],
        ),
        (
            "{\"a\": i64, \"b\"?: str, \"c\"?: (i64, i64)}",
            vec![
                Value::dict([("a", int(1)), ("c", tuple([int(2), int(3)]))]),
                Value::dict([("b", "x".into()), ("a", int(4))]),
            ],
        ),
        (
            "[i64|str|(i64, f64)|enum E{A, B, C}]",
            vec![list([
                int(1),
                "a".into(),
                tuple([int(2), 0.5.into()]),
                member("E", abc, 2),
                int(3),
            ])],
        ),
        (
            "(int, complex, enum E{A, B, C}, bytes)",
            vec![tuple([
                int(5),
                Composite::complex(1.0, 2.0).into(),
                member("E", abc, 1),
                Composite::bytes(b"xyz").into(),
            ])],
        ),
    ];
    let cases = cases.map(|(schema, rows)| {
        let (calls, run) = calls::<false>(&plan(schema), &rows, usize::MAX);
        assert_eq!(run, Ok(ControlFlow::Continue(())));
        format!("== {schema}\n{}", text(&calls))
    });
    compare("interpreter/tests/own.txt", &cases);
}

#[test]
fn plans_for_other_schemas_skip_convert_and_write_constants() {
    let with_default = format!("{{\"a\": i64, \"default\": {DEFAULT}}}");
    let dict = |entries: &[(&str, i64)]| Value::dict(entries.iter().map(|(k, v)| (*k, int(*v))));
    let cases = [
        (
            "{\"a\": i64, \"x\": [(str, i64?)], \"b\": i64}",
            "{\"b\": i64, \"a\": i64}",
            vec![Value::dict([
                ("a", int(1)),
                ("x", list([tuple(["s".into(), int(2)]), tuple(["t".into(), Value::Null])])),
                ("b", int(3)),
            ])],
        ),
        (
            "{\"a\"?: i64, \"b\": i64, \"c\"?: i64}",
            "{\"a\": i64?, \"b\"?: i64, \"d\"?: str}",
            vec![dict(&[("a", 1), ("b", 2), ("c", 3)]), dict(&[("b", 4)])],
        ),
        ("{\"a\": i64}", with_default.as_str(), vec![dict(&[("a", 1)])]),
        ("{\"a\": i64}", "{\"of sink\": str}", vec![dict(&[("a", 1)])]),
        (
            "(i64, i64, i64, null, [i64], i64|str)",
            "(f64, int, i64?, null, [f64], (f64|str)?)",
            vec![
                tuple([int(1), int(2), int(3), Value::Null, list([int(4)]), int(5)]),
                tuple([int(6), int(7), int(8), Value::Null, list([]), "s".into()]),
            ],
        ),
        ("(bool|str, i64)", "(bool|i64|str, i64)", vec![tuple([true.into(), int(1)])]),
        (
            "((i64, str), {\"k\": i64})",
            "((i64|str, ...), {str: i64})",
            vec![tuple([tuple([int(1), "a".into()]), dict(&[("k", 2)])])],
        ),
        (
            "{\"a\": i64, \"b\"?: i64, \"c\"?: i64}",
            "{str: i64}",
            vec![dict(&[("a", 1), ("c", 3)]), dict(&[("a", 1), ("b", 2), ("c", 3)])],
        ),
        ("enum E{A, B}", "enum E{C, B, A}", vec![member("E", &["A", "B"], 0)]),
        (
            "{\"e\": enum E{A, B}}",
            "{\"d\": enum D{X}?, \"e\": enum E{C, B, A}}",
            vec![Value::dict([("e", member("E", &["A", "B"], 1))])],
        ),
    ];
    let cases = cases.map(|(writer, reader, rows)| {
        let plan = evolve(writer, reader);
        let (calls, run) = calls::<false>(&plan, &rows, usize::MAX);
        assert_eq!(run, Ok(ControlFlow::Continue(())));
        format!("== {writer} -> {reader}\n{}", text(&calls))
    });
    compare("interpreter/tests/evolved.txt", &cases);
}

#[test]
#[cfg_attr(miri, ignore = "checkpoints come sooner")]
fn arrays_are_lists_on_either_side() {
    let rows = [tuple([
        list([int(1), int(2)]),
        list([0.5.into()]),
        list([true.into()]),
        list(["a".into()]),
        list([list([int(3)]), list([])]),
        list([Composite::date(4).into(), Composite::date(5).into()]),
        list([Composite::duration(6, 7).unwrap().into()]),
        list([Composite::bytes(b"b").into(), Composite::bytes(b"").into()]),
        list([list(["c".into()])]),
    ])];
    let plan = plan("([i64], [f64], [bool], [str], [[i64]], [date], [duration], [bytes], [[str]])");
    let cases = [(true, false), (false, true), (true, true)].map(|arrays| {
        let (calls, run) = calls_with::<false>(&plan, &rows, usize::MAX, arrays);
        assert_eq!(run, Ok(ControlFlow::Continue(())));
        format!("== in the source: {}, in the sink: {}\n{}", arrays.0, arrays.1, text(&calls))
    });
    compare("interpreter/tests/arrays.txt", &cases);
}

#[test]
fn grids_are_lists_of_lists() {
    let date = NumberType::Logical(Logical::Date);
    let cases = [
        ("[[i64]]", NumberType::I64, &[2, 3][..], true),
        ("[[i64]]", NumberType::I64, &[2, 0], true),
        ("[[i64]]", NumberType::I64, &[0, 3], true),
        ("[[[date]]]", date, &[2, 1, 2], true),
        // These are read as lists.
        ("[[i64]]", NumberType::I64, &[1, 1, 1], false),
        ("[[date]]", NumberType::I64, &[1, 1], false),
        ("[[str]]", NumberType::I64, &[1, 1], false),
        ("[([i64],)]", NumberType::I64, &[1, 1], false),
    ];
    let cases = cases.map(|(schema, of, lengths, is_read)| {
        let len: usize = lengths.iter().product();
        let grid = Grid { of, lengths: lengths.to_vec(), elements: (0..len as i64).collect() };
        let texts = [false, true].map(|makes_arrays| {
            let given = (&[list([])][..], vec![grid.clone()]);
            let arrays = (true, makes_arrays);
            let (calls, run) = calls_of_grids::<false>(&plan(schema), given, usize::MAX, arrays);
            assert_eq!(run, Ok(ControlFlow::Continue(())));
            let asked = |call: &String| call.starts_with("sequence") && call.ends_with('?');
            assert_eq!(calls.iter().any(asked), !is_read, "{schema} {lengths:?}");
            text(&calls)
        });
        format!("== {schema} of {lengths:?}\n{}\n{}", texts[0], texts[1])
    });
    compare("interpreter/tests/grids.txt", &cases);
}

#[test]
fn the_elements_of_a_grid_are_counted() {
    let count = |lengths: [usize; 2]| {
        let grid = Grid { lengths: lengths.to_vec(), ..Grid::default() };
        let given = (&[list([])][..], vec![grid]);
        calls_of_grids::<false>(&plan("[[i64]]"), given, usize::MAX, (true, false)).1
    };
    assert_eq!(count([1 << 40, 0]), error(0, 0, 0, &[], TOO_MANY_ELEMENTS));
    assert_eq!(count([MAX_ROW_ELEMENTS, 0]), error(0, 0, 0, &[], TOO_MANY_ELEMENTS));
    assert_eq!(count([100, 0]), Ok(ControlFlow::Continue(())));
}

#[test]
fn columns_give_times_as_memory() {
    let time = |v: i64| Value::from(Composite::duration(v, 1_000).unwrap());
    let rows = [list([time(5), time(-6)]), list([]), list([time(7)])];
    let calls = Calls::default();
    let mut sink = Told { calls: calls.clone(), full: usize::MAX, rows: 0, makes_arrays: true };
    each_frame(&message("[duration]", &rows, Wire::Frame), |frame| {
        decode_frame(&frame, None, &mut None, &mut sink).unwrap();
    });
    let expected = "row\narray of 2 Logical(Duration) 0\nInts(Duration, [[5, -6], [1000, 1000]]) 1\nend row\n\
                    row\narray of 0 Logical(Duration) 0\nend row\n\
                    row\narray of 1 Logical(Duration) 0\nInts(Duration, [[7], [1000]]) 1\nend row";
    assert_eq!(calls.take().join("\n"), expected);
}

#[test]
fn an_element_that_is_no_number_of_an_array_has_its_index() {
    let plan = plan("[i64]");
    let row = list((0..200).map(|at| if at == 150 { 0.5.into() } else { int(at) }));
    let (_, run) = calls_with::<false>(&plan, &[row], usize::MAX, (false, true));
    assert_eq!(run, error(0, 1, 0, &[150], Fault::TypeMismatch));
}

#[test]
fn a_text_of_an_array_that_is_refused_has_its_index() {
    let texts = list(["a".into(), "b".into(), "-1".into()]);
    let bytes = list([Composite::bytes(b"-1").into()]);
    for (schema, row, at) in [("[str]", texts, 2), ("[bytes]", bytes, 0)] {
        let (_, run) = calls_with::<false>(&plan(schema), &[row], usize::MAX, (true, false));
        assert_eq!(run, error(0, 1, 0, &[at], REFUSED));
    }
}

#[test]
fn a_source_of_columns_is_not_asked_for_skipped_values() {
    // Simulates a source that has no values for the column.
    let plan = evolve("{\"x\": [str], \"b\": i64}", "{\"b\": i64}");
    let rows = [Value::dict([("x", list(["s".into()])), ("b", int(-2))])];
    let (asked, _) = calls::<false>(&plan, &rows, usize::MAX);
    assert!(asked.iter().any(|call| call == "str 0?"), "{asked:?}");
    let (asked, _) = calls::<true>(&plan, &rows, usize::MAX);
    assert!(
        !asked.iter().any(|call| call == "str 0?" || call.starts_with("sequence")),
        "{asked:?}"
    );
}

fn error(row: usize, pc: usize, field: usize, elements: &[usize], fault: Fault) -> Run {
    Err(RunError::new(row, (pc, field, elements.to_vec()), fault))
}

/// The value is missing in the source, or refused by the sink.
#[test]
fn an_error_has_row_instruction_field_and_elements() {
    let bad = || Value::Bool(false);
    let no = Fault::TypeMismatch;
    let cases = [
        ("i64", vec![int(1), bad()], error(1, 0, 0, &[], no)),
        ("i64", vec![int(1), int(2), int(-1)], error(2, 0, 0, &[], REFUSED)),
        ("(i64, i64, i64)", vec![tuple([int(1), bad(), int(1)])], error(0, 1, 1, &[], no)),
        ("(i64, i64, i64)", vec![tuple([int(1), int(1), int(-1)])], error(0, 1, 2, &[], REFUSED)),
        ("(f64, f64)", vec![tuple([1.0.into(), bad()])], error(0, 1, 1, &[], no)),
        ("(f64, f64)", vec![tuple([1.0.into(), (-1.0).into()])], error(0, 1, 1, &[], REFUSED)),
        ("(str, str)", vec![tuple(["a".into(), bad()])], error(0, 1, 1, &[], no)),
        ("(str, str)", vec![tuple(["a".into(), "-1".into()])], error(0, 1, 1, &[], REFUSED)),
        ("(bool, bool)", vec![tuple([bad(), int(0)])], error(0, 1, 1, &[], no)),
        ("(null, null)", vec![tuple([Value::Null, bad()])], error(0, 1, 1, &[], no)),
        ("[i64]", vec![list([int(0), int(1), bad()])], error(0, 1, 0, &[2], no)),
        ("[i64]", vec![list([int(0), int(-1), int(2)])], error(0, 1, 0, &[1], REFUSED)),
        ("[f64]", vec![list([0.5.into(), bad()])], error(0, 1, 0, &[1], no)),
        ("[str]", vec![list(["a".into(), "b".into(), "-1".into()])], error(0, 1, 0, &[2], REFUSED)),
        ("[bool]", vec![list([bad(), int(1)])], error(0, 1, 0, &[1], no)),
        ("[null]", vec![list([Value::Null, bad()])], error(0, 1, 0, &[1], no)),
        (
            "[[i64?]]",
            vec![list([list([]), list([int(1), Value::Null, bad()])])],
            error(0, 3, 0, &[1, 2], no),
        ),
        (
            "[(i64, [i64])]",
            vec![list([
                tuple([int(1), list([])]),
                tuple([int(2), list([int(3)])]),
                tuple([int(4), list([int(5), int(-1)])]),
            ])],
            error(0, 4, 0, &[2, 1], REFUSED),
        ),
        // A sequence that has ended does not count for the values after it.
        ("([(i64,)], i64)", vec![tuple([list([tuple([int(1)])]), bad()])], error(0, 6, 0, &[], no)),
        ("(i64|str, i64)", vec![tuple(["a".into(), bad()])], error(0, 6, 0, &[], no)),
        ("i64|str", vec![bad()], error(0, 0, 0, &[], no)),
        (
            "(i64?, never)",
            vec![tuple([Value::Null, bad()])],
            error(0, 3, 0, &[], Fault::Corrupt("never")),
        ),
        (
            "{str: i64}",
            vec![Value::Map(vec![["a".into(), int(1)], ["b".into(), bad()]])],
            error(0, 2, 0, &[1], no),
        ),
    ];
    for (schema, rows, expected) in cases {
        assert_eq!(calls::<false>(&plan(schema), &rows, usize::MAX).1, expected, "{schema}");
    }
    let beyond = |v, wanted| Fault::OtherNumber(Misfit::int(v, wanted));
    let evolved = [
        ("i64", "f64", int(1 << 53), Ok(ControlFlow::Continue(()))),
        ("i64", "f64", int(-(1 << 53)), Ok(ControlFlow::Continue(()))),
        ("i64", "f64", int((1 << 53) + 1), error(0, 0, 0, &[], beyond((1 << 53) + 1, Number::F64))),
        (
            "i64",
            "f64",
            int(-(1 << 53) - 1),
            error(0, 0, 0, &[], beyond(-(1 << 53) - 1, Number::F64)),
        ),
        ("i64", "u8", int(255), Ok(ControlFlow::Continue(()))),
        ("i64", "u8", int(256), error(0, 0, 0, &[], beyond(256, Number::U8))),
        ("i64", "u64", int(-1), error(0, 0, 0, &[], beyond(-1, Number::U64))),
        ("u64", "i8", int(-129 + 256), Ok(ControlFlow::Continue(()))),
        ("i16", "int", int(-9), Ok(ControlFlow::Continue(()))),
        ("i64", "f32", int(1 << 24), Ok(ControlFlow::Continue(()))),
        ("i64", "f32", int((1 << 24) + 1), error(0, 0, 0, &[], beyond((1 << 24) + 1, Number::F32))),
        ("f64", "f32", Value::F64(0.5), Ok(ControlFlow::Continue(()))),
        (
            "f64",
            "f32",
            Value::F64(0.1),
            error(0, 0, 0, &[], Fault::OtherNumber(Misfit::float(0.1, Number::F32))),
        ),
        (
            "enum E{A, B}",
            "enum E{B, C}",
            member("E", &["A", "B"], 0),
            error(0, 0, 0, &[], Fault::OtherMember(0)),
        ),
        ("i64|str", "i64", int(1), Ok(ControlFlow::Continue(()))),
        ("i64|str", "i64", "a".into(), error(0, 3, 0, &[], Fault::OtherArm)),
        ("[i64]", "(i64, i64)", list([int(1), int(2)]), Ok(ControlFlow::Continue(()))),
        ("[i64]", "(i64, i64)", list([int(1)]), error(0, 0, 0, &[], Fault::OtherLength(1))),
        ("[i64]", "(i64, f64)", list([int(1), bad()]), error(0, 2, 0, &[], no)),
        ("[i64]", "()", list([int(1)]), error(0, 0, 0, &[], Fault::OtherLength(1))),
        (
            "[[i64]]",
            "[(i64,)]",
            list([list([int(1)]), list([])]),
            error(0, 1, 0, &[1], Fault::OtherLength(0)),
        ),
        (
            "({\"a\": i64},)",
            "({\"a\": i64, \"n\": null, \"o\": i64?},)",
            tuple([Value::dict([("a", int(-1))])]),
            error(0, 2, 0, &[], REFUSED),
        ),
        (
            "[{\"x\": [i64], \"a\": i64}]",
            "[{\"a\": i64}]",
            list([Value::dict([("x", list([int(1), bad()])), ("a", int(1))])]),
            error(0, 4, 0, &[0, 1], no),
        ),
    ];
    for (writer, reader, row, expected) in evolved {
        let run = calls::<false>(&evolve(writer, reader), &[row], usize::MAX).1;
        assert_eq!(run, expected, "{writer} -> {reader}");
    }
}

#[test]
fn an_error_of_a_default_has_the_index_of_its_write() {
    let schema = Schema::parse("{\"a\": i64, \"b\": i64, \"c\": i64}").unwrap();
    let mut defaults = Defaults::default();
    defaults.set(&schema, "b", int(5)).unwrap();
    defaults.set(&schema, "c", int(-1)).unwrap();
    let plan = Plan::evolve(
        &plan("{\"a\": i64}"),
        &Plan::new(&schema),
        &defaults,
        &FormerNames::default(),
    )
    .unwrap();
    let run = calls::<false>(&plan, &[Value::dict([("a", int(1))])], usize::MAX).1;
    assert_eq!(run, error(0, 2, 1, &[], REFUSED));
}

#[test]
fn a_full_sink_ends_the_run_after_its_row() {
    let rows: Vec<Value> = (0..5).map(int).collect();
    assert_eq!(calls::<false>(&plan("i64"), &rows, 5).1, Ok(ControlFlow::Continue(())));
    let (told, run) = calls::<false>(&plan("i64"), &rows, 2);
    assert_eq!(run, Ok(ControlFlow::Break(3)));
    assert_eq!(told.iter().filter(|call| *call == "end row").count(), 3);
}

/// Returns the calls after which the host was asked.
fn checkpoints(schema: &str, rows: &[Value], call: &str) -> Vec<usize> {
    let mut count = 0;
    let mut asked = Vec::new();
    for each in calls::<false>(&plan(schema), rows, usize::MAX).0 {
        count += usize::from(each == call);
        if each == "checkpoint?" {
            asked.push(count);
        }
    }
    asked
}

#[test]
fn checkpoints_come_at_regular_intervals() {
    let rows: Vec<Value> = (0..3 * CHECK_ROWS as i64).map(int).collect();
    let expected: Vec<usize> = (1..4).map(|n| n * CHECK_ROWS - 1).collect();
    assert_eq!(checkpoints("i64", &rows, "row"), expected);

    // Within one long sequence whose elements are not single scalars.
    let long = list((0..3 * CHECK_ELEMENTS).map(|_| tuple([])));
    let asked = checkpoints("[()]", &[long], "enter Tuple of 0?");
    assert_eq!(asked, [0, CHECK_ELEMENTS, 2 * CHECK_ELEMENTS]);

    // Between short sequences. Each counts as its elements plus 16.
    let each = 1 + CONTAINER_ELEMENTS;
    let lists = 5 * CHECK_ELEMENTS / 2 / each;
    let short = list((0..lists).map(|_| list([Value::Null])));
    let asked = checkpoints("[[null]]", &[short], "sequence List 1 zero-sized?");
    let outer = lists + CONTAINER_ELEMENTS;
    let crossed = |n: usize| (n * CHECK_ELEMENTS - outer).div_ceil(each);
    assert_eq!(asked, [crossed(1), crossed(2)]);
}

/// A source that claims sequences longer than they are.
struct Claims(usize);

impl crate::layout::Source for Claims {
    const NEVER: Fault = Fault::Corrupt("never");
    fn row(&mut self, _: usize) -> crate::layout::OpResult {
        Ok(())
    }
    fn end_row(&mut self) -> crate::layout::OpResult {
        Ok(())
    }
    fn i64(&mut self, _: u32) -> crate::layout::OpResult<i64> {
        Err(Fault::TypeMismatch)
    }
    fn f64(&mut self, _: u32) -> crate::layout::OpResult<f64> {
        Err(Fault::TypeMismatch)
    }
    fn str(&mut self, _: u32) -> crate::layout::OpResult<crate::layout::Text<'_>> {
        Err(Fault::TypeMismatch)
    }
    fn bytes(&mut self, _: u32) -> crate::layout::OpResult<crate::layout::Text<'_>> {
        Err(Fault::TypeMismatch)
    }
    fn bool(&mut self, _: u32) -> crate::layout::OpResult<bool> {
        Err(Fault::TypeMismatch)
    }
    fn null(&mut self) -> crate::layout::OpResult {
        Err(Fault::TypeMismatch)
    }
    fn present(&mut self, _: u32) -> crate::layout::OpResult<bool> {
        Ok(true)
    }
    fn enter(&mut self, _: crate::schema::Container, _: u32) -> crate::layout::OpResult {
        Ok(())
    }
    fn leave(&mut self) {}
    fn sequence(
        &mut self,
        _: crate::schema::Container,
        _: u32,
        _: bool,
    ) -> crate::layout::OpResult<usize> {
        Ok(self.0)
    }
    fn arm(&mut self, _: &[crate::plan::Arm], _: u32) -> crate::layout::OpResult<usize> {
        Ok(0)
    }
}

#[test]
fn a_row_has_a_limited_number_of_elements() {
    let fault = |schema: &str, claimed: usize| {
        let error =
            run(&plan(schema), &mut Claims(claimed), &mut Discard::new(()), 0..1).unwrap_err();
        (error.fault, error.pc, error.elements)
    };
    let most = MAX_ROW_ELEMENTS - CONTAINER_ELEMENTS;
    assert_eq!(fault("[i64]", most), (Fault::TypeMismatch, 1, vec![0]));
    assert_eq!(fault("[i64]", most + 1), (TOO_MANY_ELEMENTS, 0, vec![]));
    assert_eq!(fault("[i64]", usize::MAX), (TOO_MANY_ELEMENTS, 0, vec![]));
    // The elements of all sequences of a row count together.
    let half = MAX_ROW_ELEMENTS / 2 - CONTAINER_ELEMENTS;
    assert_eq!(fault("[[i64]]", half), (Fault::TypeMismatch, 2, vec![0, 0]));
    assert_eq!(fault("[[i64]]", half + 1), (TOO_MANY_ELEMENTS, 1, vec![0]));
}

#[test]
fn elements_are_counted_separately_for_each_row() {
    let row = list((0..CHECK_ELEMENTS - CONTAINER_ELEMENTS - 1).map(|_| Value::Null));
    assert!(checkpoints("[null]", &vec![row; 5], "row").is_empty());
    let row = list((0..CHECK_ELEMENTS - CONTAINER_ELEMENTS).map(|_| Value::Null));
    assert_eq!(checkpoints("[null]", &vec![row; 3], "row"), [1, 2, 3]);
}
