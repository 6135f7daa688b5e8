//! The plans of types, and of writers and readers, as text.
//!
//! For each case below, `tests/own.txt` or `tests/evolved.txt` has the instructions, the place that
//! an error at each of them names, and the usage of the columns. `SEROW_BLESS=1` in the environment
//! rewrites the files; review the diff.

use std::fmt::Write as _;

use super::{ChangeKind, Column, Comparison, Defaults, FormerNames, Op, Plan, Reads};
use crate::ErrorKind;
use crate::limits::MAX_RESOLVED;
use crate::schema::Schema;
use crate::testing::{compare, member, plan, sized};
use crate::value::{Composite, Value};

fn evolve(writer: &str, reader: &str, defaults: &Defaults) -> crate::Result<Plan> {
    let (writer, reader) = (plan(writer), plan(reader));
    let former = FormerNames::default();
    let evolved = Plan::evolve(&writer, &reader, defaults, &former);
    let comparison = Comparison::new(writer.schema(), reader.schema(), defaults, &former).unwrap();
    assert_eq!(comparison.reads(), evolved.is_ok(), "{comparison:?}");
    if let Err(error) = &evolved {
        let first = comparison.changes.iter().find(|it| it.kind == ChangeKind::Refused).unwrap();
        assert!(error.message().contains(&*first.reason), "{first:?}: {error}");
    }
    evolved
}

/// Returns the number of values that an instruction has a place for.
fn fields(op: &Op) -> usize {
    match *op {
        Op::I64 { count, .. }
        | Op::F64 { count, .. }
        | Op::Str { count, .. }
        | Op::Bool { count, .. }
        | Op::Null { count }
        | Op::Write { count, .. } => count as usize,
        Op::Jump { .. } | Op::Skip { .. } | Op::Skipped | Op::End => 0,
        _ => 1,
    }
}

/// Formats a plan. The places are those of errors at elements 7, 8 and 9 of the sequences around
/// them.
fn text(plan: &Plan) -> String {
    let mut text = String::new();
    for ((pc, op), line) in plan.ops.iter().enumerate().zip(plan.to_string().lines()) {
        let places = (0..fields(op)).map(|field| {
            let place = plan.place(pc, field, &[7, 8, 9]);
            let path = if place.path.0.is_empty() { "row".into() } else { place.path.to_string() };
            format!("{path} ({})", place.expected)
        });
        let places = places.collect::<Vec<_>>().join("; ");
        writeln!(text, "{}", format!("{line:44}  {places}").trim_end()).unwrap();
    }
    text
}

fn column(column: Column) -> String {
    match column {
        Column::Int(nth) => format!("int {nth}"),
        Column::Float(nth) => format!("float {nth}"),
        Column::Str(nth) => format!("str {nth}"),
        Column::Bit(nth) => format!("bit {nth}"),
    }
}

/// Formats how often each column of the source is read, and whether each column of the sink gets
/// one value per row.
fn columns(plan: &Plan) -> String {
    let (reads, written_once) = (&plan.usage.reads, &plan.usage.written_once);
    let read = plan.from.order.iter().map(|&of| {
        let how = match reads[plan.from.columns.place(of)] {
            Reads::Not => "not",
            Reads::Once => "once",
            Reads::AnyNumber => "any number",
        };
        format!("{}: {how}", column(of))
    });
    let written = plan.to.order.iter().map(|&of| {
        let once = written_once[plan.to.columns.place(of)];
        format!("{}: {}", column(of), if once { "once" } else { "any number" })
    });
    assert_eq!(reads.len(), plan.from.columns.count());
    assert_eq!(written_once.len(), plan.to.columns.count());
    let (read, written): (Vec<_>, Vec<_>) = (read.collect(), written.collect());
    let mut text = format!("read: {}\n", read.join(", "));
    writeln!(text, "written: {}", written.join(", ")).unwrap();
    writeln!(text, "strs: {:?}", plan.to.str_encodings).unwrap();
    writeln!(text, "dictionaries: {:?}", plan.dictionaries).unwrap();
    text
}

/// Types of each kind, alone and in each kind of container.
const OWN: &[&str] = &[
    "(i64, i64, str?, [f64])",
    "(f64, f64, str, str, bool, bool, null, null, i64)",
    "(i64, (i64, i64), i64)",
    "((i64?)?, (str, [str])?, (i64|str)?)",
    "[[i64]]",
    "[([(i64, [bool])], str)]",
    "[[null]]",
    "({()}, [null], [()], [(null, null)])",
    "({str: [i64]}, {str: null})",
    "(frozenset{(i64, str)}, {i64}, (f64, ...))",
    "{\"a\": i64, \"b\"?: str, \"c\"?: [i64], \"d\": f64}",
    "Line{a: i64, b: Part{c: str, d: enum Mode{AIR, RAIL}}, e: enum Flag{R}}",
    "(i64|str|[i64]|(i64, f64)|{\"a\": bool}|R{a: i64}|S{a: i64}|enum E{A}, i64)",
    "[i64|null|[str|bool]]",
    "(int, decimal, uuid, timestamp, complex, bytes, date, str)",
    "(ndarray, ndarray?)",
    "(never?, [never])",
    "(int|str, {bytes}|[i64]|frozenset{i64}|bool)",
];

#[test]
fn a_plan_has_an_instruction_for_each_run_of_values() {
    let cases = OWN.iter().map(|schema| {
        let plan = plan(schema);
        format!("== {schema}\n{}{}", text(&plan), columns(&plan))
    });
    compare("plan/tests/own.txt", &cases.collect::<Vec<_>>());
}

#[test]
fn rows_of_an_equal_schema_are_read_by_the_same_instructions() {
    for schema in OWN {
        let (own, evolved) = (plan(schema), evolve(schema, schema, &Defaults::default()).unwrap());
        assert!(evolved.is_evolved() && !own.is_evolved());
        assert_eq!(text(&evolved), text(&own));
        assert_eq!(columns(&evolved), columns(&own));
        for at in 0..own.ops.len() {
            assert!(own.after(at) > at && own.after(at) <= own.ops.len());
        }
        assert_eq!(own.after(0), own.ops.len() - 1, "a row is one value, and the end follows");
    }
}

type Given = (&'static str, fn() -> Value);

/// Writers and readers, with the reader's defaults.
const EVOLVED: &[(&str, &str, &[Given])] = &[
    // Fields are matched by name: dropped, reordered, and added at the front, in between and at the
    // end.
    ("{\"a\": i64, \"b\": str, \"c\": f64}", "{\"c\": f64, \"a\": i64}", &[]),
    (
        "{\"a\": i64, \"b\": i64}",
        "{\"n\": null, \"a\": i64, \"o\": i64?, \"b\": i64, \"z\": null}",
        &[],
    ),
    ("{\"b\": i64, \"a\": i64}", "{\"n\": null, \"a\": i64, \"o\": null, \"b\": i64}", &[]),
    ("A{a: i64, x: [(str, i64?)], b: i64}", "B{a: i64, b: i64}", &[]),
    ("A{x: R{a: i64, b: [i64]}, y: S{c: str}}", "A{y: S{c: str, d: null}, x: R{b: [i64]}}", &[]),
    // Numbers of other types.
    ("(i64, u8, f32, u64, i16)", "(u8, i64, f64, int, f32)", &[]),
    ("i64|str", "u32|str", &[]),
    ("u64", "f64|str", &[]),
    ("int", "i8?", &[]),
    // Fields that may be missing.
    ("{\"a\": i64, \"b\": i64}", "{\"a\"?: i64, \"b\": i64, \"c\"?: str}", &[]),
    ("{\"a\"?: i64, \"b\": i64}", "{\"a\": i64?, \"b\": i64}", &[]),
    ("{\"a\"?: i64, \"b\"?: str}", "{\"b\"?: str, \"a\"?: f64}", &[]),
    ("{\"a\"?: [str], \"b\": i64}", "{\"b\": i64}", &[]),
    ("{\"a\"?: i64, \"b\": i64}", "{\"a\": i64, \"b\": i64}", &[("a", || 5.into())]),
    // A null becomes the default of a field that may not be null.
    (
        "{\"a\": i64?, \"b\"?: (str, [i64])?, \"c\": null, \"d\": i64?}",
        "{\"c\": i64, \"a\": f64, \"b\": (str, [i64]), \"d\": i64?}",
        &[
            ("a", || 1.5.into()),
            ("b", || Value::Tuple(vec!["b".into(), Value::List(vec![])])),
            ("c", || 3.into()),
            ("d", || 4.into()),
        ],
    ),
    // Defaults of every type, in places whose columns and tables do not begin at 0.
    (
        "R{k: str}",
        "R{k: str, i: i64, f: f64, s: str, b: bool, o: i64?, p: str?, u: i64|str, t: (i64, null), \
         l: [i64], m: {str: i64}, d: {\"x\": i64, \"y\"?: bool}, e: enum E{A, B}, r: S{q: enum E{A, B}}, n: int}",
        &[
            ("i", || 1.into()),
            ("f", || 2.5.into()),
            ("s", || "three".into()),
            ("b", || true.into()),
            ("o", || 4.into()),
            ("p", || Value::Null),
            ("u", || "six".into()),
            ("t", || Value::Tuple(vec![7.into(), Value::Null])),
            ("l", || Value::List(vec![8.into(), 9.into()])),
            ("m", || Value::Map(vec![["ten".into(), 10.into()]])),
            ("d", || Value::dict([("x", 11.into())])),
            ("e", || member("E", &["A", "B"], 1)),
            ("r", || Value::record("S", [("q", member("E", &["A", "B"], 0))])),
            ("n", || Composite::int(&[1; 12]).unwrap().into()),
        ],
    ),
    (
        "[{\"a\": i64, \"t\": ({\"b\": i64},), \"m\": {str: {\"b\": i64}}}]",
        "[{\"a\": i64, \"t\": ({\"b\": i64, \"c\": i64},), \"m\": {str: {\"b\": i64, \"c\": i64}}}]",
        &[("[].t.0.c", || 1.into()), ("[].m.value.c", || 2.into())],
    ),
    // Values that are converted.
    ("(i64, i64, i64, [i64])", "(f64, int, i64?, [f64])", &[]),
    ("(i64, str, null)", "(i64|str, str?, i64?)", &[]),
    ("i64|str", "(f64|str)?", &[]),
    ("(i64|str, i64)", "(i64|str|bool, i64)", &[]),
    ("(bool|str, i64)", "(bool|i64|str, i64)", &[]),
    ("(i64, str)", "(i64|f64|str, bool|str)", &[]),
    ("[i64|f64]", "[f64]", &[]),
    ("((i64, str), [i64, i64])", "((i64|str, ...), [f64])", &[]),
    ("{\"a\": i64, \"b\": f64}", "{str: f64}", &[]),
    ("{\"a\": i64, \"b\"?: i64, \"c\"?: [str]}", "{str?: i64|[str]}", &[]),
    ("[{\"a\": str, \"b\": str}]", "[{i64|str: str}]", &[]),
    ("{str: {\"a\": i64, \"b\": i64}}", "{str: {\"b\": i64}}", &[]),
    (
        "(enum E{A, B}, enum F{A, B}, enum G{A, B})",
        "(enum E{A, B}, enum F{A, B, C}, enum G{B, C})",
        &[],
    ),
    ("enum E{A}", "enum F{A}", &[]),
    ("(enum E{A}|i64, i64)", "(enum E{Z, A}|i64, i64)", &[]),
    ("(R{a: i64}|S{a: i64}, i64)", "(R{a: i64, b: null}|S{a: i64}, i64)", &[]),
    (
        "(R{a: i64}, {\"a\": i64}, R{a: i64})",
        "({\"a\": i64}, R{a: i64}, R{a: i64}|R{a: i64, b: null})",
        &[],
    ),
    ("({\"a\": i64}, R{a: i64})", "(i64|R{a: i64}, i64|{\"a\": i64})", &[]),
    ("(ndarray, ndarray, ndarray, i64)", "([[f64?]?], ndarray|str, [int]?, i64)", &[]),
    ("{\"a\": ndarray|[i64]}", "{\"a\": [i64]}", &[]),
    ("(never, [never], never?)", "(i64, [str], str?)", &[]),
    ("(str, bytes, str)", "(str, bytes, str?)", &[]),
    ("(bytes, bytearray, bytes|i64)", "(bytearray, bytes?, i64|bytearray)", &[]),
    // Arms that the reader's type lacks.
    ("A{x: i64}|B{}|C{y: str}", "A{x: i64}|B{}", &[]),
    ("(A{x: i64}|i64|str, i64)", "(A{x: i64}?, i64)", &[]),
    ("[{i64}|[i64]|str|ndarray]", "[[i64, i64]|i64]", &[]),
    ("timestamp|timestamptz", "timestamp?", &[]),
    ("([i64], {str}, [i64, str])", "((i64, ...), frozenset{str}, (i64, str))", &[]),
    ("((i64, str), (i64, i64), [[i64]])", "([i64|str], {i64}, {(i64, ...)}|str)", &[]),
    ("[str]", "(str, str?, str)", &[]),
    ("[{\"a\": i64, \"b\": [str]}]", "({\"a\": i64}, {\"b\": [str]})", &[]),
    (
        "({\"p\": [[i64]]}, (i64, ...), [null])",
        "({\"p\": [(i64, f64)]}, [int, i64|str], (null,))",
        &[],
    ),
];

#[test]
fn a_plan_for_another_schema_skips_fills_in_and_converts() {
    let cases = EVOLVED.iter().map(|(writer, reader, given)| {
        let schema = Schema::parse(reader).unwrap();
        let mut defaults = Defaults::default();
        for (path, value) in *given {
            defaults.set(&schema, path, value()).unwrap();
        }
        let plan = evolve(writer, reader, &defaults).unwrap();
        format!("== {writer} -> {reader}\n{}{}", text(&plan), columns(&plan))
    });
    compare("plan/tests/evolved.txt", &cases.collect::<Vec<_>>());
}

#[test]
fn an_error_names_the_first_field_that_can_not_be_read() {
    let cases = [
        ("i64?", "i64", "a row: it may be null, but i64 may not be null"),
        ("null", "i64", "a row: it may be null, but i64 may not be null"),
        ("(i64, null)", "(i64, str)", "field 1: it may be null, but str may not be null"),
        ("f32", "u8", "a row: f32 can't be read as u8"),
        ("[u8]", "[bool]", "field []: u8 can't be read as bool"),
        ("f64", "i64", "a row: f64 can't be read as i64"),
        ("{i64}", "[i64, i64]", "a row: a set can't be read as a list of 2 fields"),
        ("[i64]", "(i64, str)", "field 1: i64 can't be read as str"),
        ("(i64, i64)", "(i64,)", "a row: it has 2 fields without names, not 1"),
        ("(i64,)", "(i64, i64)", "a row: it has 1 fields without names, not 2"),
        ("{str: i64}", "{\"a\": i64}", "a row: a map can't be read as a dict with fixed keys"),
        ("R{a: i64}", "{str: i64}", "a row: record R can't be read as a map"),
        ("enum E{A}", "str", "a row: enum E can't be read as str"),
        (
            "[R{a: i64}]",
            "[S{a: i64}]",
            "field []: it is record R, not S; if it was renamed, give S the former name R",
        ),
        (
            "{\"e\": enum E{A}}",
            "{\"e\": enum F{A}}",
            "field e: it is enum E, not F; if it was renamed, give F the former name E",
        ),
        ("{str: [str]}", "{str: [i64]}", "field value.[]: str can't be read as i64"),
        ("{i64: i64}", "{str: i64}", "field key: i64 can't be read as str"),
        ("{\"a\": i64}", "{i64: i64}", "field key: str can't be read as i64"),
        ("{\"a\": i64}", "{i64|bool: i64}", "field key: str is not an arm of i64|bool"),
        ("{\"a\": i64}", "{str: str}", "field a: i64 can't be read as str"),
        (
            "{\"a\": i64}",
            "{\"b\": i64}",
            "field b: the writer's schema lacks it, and i64 has no default; make the field optional, \
             or give it a default",
        ),
        (
            "{\"a\"?: i64}",
            "{\"a\": i64}",
            "field a: it may be missing, and i64 has no default; make the field optional, or give it \
             a default",
        ),
        (
            "{\"a\": {\"b\": i64}}",
            "{\"a\": {\"b\": i64, \"c d\": str}}",
            "field a.\"c d\": the writer's schema lacks it, and str has no default; make the field \
             optional, or give it a default",
        ),
        (
            "{\"a\": i64?}",
            "{\"a\": i64}",
            "field a: it may be null, but i64 may not be null; make the field optional, or give it a \
             default",
        ),
        ("{\"a\": i64?}", "{\"a\"?: i64}", "field a: it may be null, but i64 may not be null"),
        ("bool", "i64|str", "a row: bool is not an arm of i64|str"),
        ("bool|bytes", "i64|str", "a row: none of bool|bytes can be read as i64|str"),
        ("(A{x: i64}|B{},)", "(C{},)", "field 0: none of A{x: i64}|B{} can be read as C{}"),
        // What is inside an arm must be readable.
        ("A{x: i64}|B{}", "A{x: str}|C{}", "field x: i64 can't be read as str"),
        ("[str]|bool", "[i64]|i64", "field []: str can't be read as i64"),
        (
            "(R{a: i64},)",
            "(R{b: i64}|R{c: i64},)",
            "field 0: R{a: i64} is not an arm of R{b: i64}|R{c: i64}",
        ),
        (
            "({\"a\": i64},)",
            "(R{a: i64}|S{a: i64},)",
            "field 0: {\"a\": i64} is not an arm of R{a: i64}|S{a: i64}",
        ),
        (
            "(enum E{A},)",
            "(enum E{A, B}|enum E{A, C},)",
            "field 0: enum E{A} is not an arm of enum E{A, B}|enum E{A, C}",
        ),
        (
            "(i64, i64)",
            "(i64,)|(i64, i64, i64)",
            "a row: (i64, i64) is not an arm of (i64,)|(i64, i64, i64)",
        ),
    ];
    for (writer, reader, message) in cases {
        let error = evolve(writer, reader, &Defaults::default()).unwrap_err();
        assert_eq!(
            (error.kind(), error.message()),
            (ErrorKind::Schema, message),
            "{writer} -> {reader}"
        );
    }
}

#[test]
fn defaults_need_an_existing_field_and_its_type() {
    let schema = Schema::parse("[{\"a\": i64, \"b\"?: str}]").unwrap();
    let cases = [
        ("a", "[{\"a\": i64, \"b\"?: str}] has no field a in a dict or record"),
        ("[].b", "field [].b may be missing, so it needs no default"),
        ("[].a", "the default of field [].a is Str(\"x\"), which is not of type i64"),
    ];
    for (path, message) in cases {
        let error = Defaults::default().set(&schema, path, "x".into()).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Schema, message));
    }
}

/// Each of `elements` dicts is read as a dict with `fields` more fields.
#[test]
fn a_plan_for_another_schema_has_a_limited_number_of_steps() {
    let steps = |elements: usize, fields: usize| {
        let writer = vec!["{\"a\": i64}"; elements].join(", ");
        let fields: String = (0..fields).map(|i| format!(", \"n{i}\": null")).collect();
        evolve(&format!("[{writer}]"), &format!("[{{\"a\": i64{fields}}}]"), &Defaults::default())
    };
    // Steps: the list, and for each element the element, its field and the missing fields.
    let (elements, fields) = (sized(513, 7), sized(509, 71));
    assert_eq!(1 + elements * (2 + fields), MAX_RESOLVED);
    assert!(steps(elements, fields).is_ok());
    let error = steps(elements + 1, fields).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert_eq!(
        error.message(),
        format!(
            "reading rows of one schema as rows of the other takes more than {MAX_RESOLVED} steps"
        )
    );
    // A plan of a single schema has no such limit.
    let count = sized(10_000, 200);
    let schema = format!("[{}]", vec!["[i64?]"; count].join(", "));
    assert_eq!(plan(&schema).ops.len(), 4 * count + 3);
}

/// The type as which a reader of the open type `reader` reads rows of type `writer`, and the structs of
/// the open type that its structs come from.
fn closed(writer: &str, reader: &str) -> crate::Result<(String, Vec<Option<u32>>)> {
    let plan = evolve(writer, reader, &Defaults::default())?;
    let parts = plan.to.tables.parts.clone().unwrap();
    let structs =
        (0..plan.to.tables.structs.len() as u32).map(|at| parts.structs.get(&at).copied());
    Ok((plan.schema().to_string(), structs.collect()))
}

#[test]
fn an_open_type_is_closed_by_the_writers() {
    let cases: &[(&str, &str, &str, &[Option<u32>])] = &[
        ("(i64, str?)", "any", "(i64, str?)", &[]),
        ("[i64, i64]", "any", "[i64, i64]", &[]),
        ("{\"a\": i64}", "{\"a\": any}", "{\"a\": i64}", &[Some(0)]),
        ("{\"a\": i64}", "{\"a\": i64, \"b\": any}", "{\"a\": i64, \"b\": null}", &[Some(0)]),
        ("{\"a\"?: i64}", "{\"a\": any}", "{\"a\": i64?}", &[Some(0)]),
        ("{\"a\"?: i64}", "{\"a\"?: any}", "{\"a\"?: i64}", &[Some(0)]),
        ("{\"a\": i64, \"b\": str}", "{str: any}", "{str: i64|str}", &[]),
        ("[never]", "[any]", "[null]", &[]),
        ("(i64, [str])", "(any, ...)", "(i64|[str], ...)", &[]),
        ("([i64], [str])", "(any, ...)", "([i64|str], ...)", &[]),
        (
            "[R{a: S{b: i64}}]",
            "[R{a: any, c: {str: i64}?}]",
            "[R{a: S{b: i64}, c: {str: i64}?}]",
            &[Some(0), None],
        ),
        (
            "R{v: i64, kids: [never]}",
            "R{v: int, kids: [^0]}",
            "R{v: int, kids: [never]}",
            &[Some(0)],
        ),
        (
            "R{v: i64, kids: [R{v: i64, kids: [R{v: i64, kids: [never]}]}]}",
            "R{v: int, kids: [^0]}",
            "R{v: int, kids: [R{v: int, kids: [R{v: int, kids: [never]}]}]}",
            &[Some(0), Some(0), Some(0)],
        ),
        ("R{next: R{next: null}?}", "R{next: ^0?}", "R{next: R{next: null}?}", &[Some(0), Some(0)]),
        (
            "N{l: N{l: null, r: null}?, r: S{n: N{l: null, r: null}}}",
            "N{l: ^0?, r: (S{n: ^0}|^0)?}",
            "N{l: N{l: null, r: S{n: never}?}?, r: S{n: N{l: null, r: S{n: never}?}}?}",
            &[Some(0), Some(0), Some(1), Some(1), Some(0), Some(1)],
        ),
        (
            "[A{x: B{y: A{x: i64}}}|i64]",
            "[A{x: B{y: ^0|^1}|i64}|i64]",
            "[i64|A{x: i64|B{y: A{x: i64|B{y: never}}}}]",
            &[Some(0), Some(1), Some(0), Some(1)],
        ),
    ];
    for (writer, reader, ty, structs) in cases {
        let (closed, parts) = closed(writer, reader).unwrap();
        assert_eq!((&closed[..], &parts[..]), (*ty, *structs), "{writer} -> {reader}");
    }
}

#[test]
fn an_open_type_does_not_read_everything() {
    let cases = [
        ("i64", "[any]", "a row: i64 can't be read as a list of any length"),
        (
            "R{a: S{b: i64}}",
            "R{a: ^0}",
            "field a: it is record S, not R; if it was renamed, give R the former name S",
        ),
        (
            "{\"b\": i64}",
            "{\"a\": [any]}",
            "field a: the writer's schema lacks it, and [null] has no default; make the field \
             optional, or give it a default",
        ),
    ];
    for (writer, reader, message) in cases {
        assert_eq!(closed(writer, reader).unwrap_err().message(), message, "{writer} -> {reader}");
    }
    let error = Schema::parse("(^0, R{a: ^1})").unwrap_err();
    assert!(error.message().contains("has only 1; the first is number 0"), "{error}");
}
