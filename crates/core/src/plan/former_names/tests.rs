//! A row that has former names is read by the instructions that read it by its present names.

use super::{Former, FormerNames};
use crate::ErrorKind;
use crate::plan::{Defaults, Plan};
use crate::testing::plan;

/// The former names of one struct or enum: of itself, and of its fields or members.
type Was = (&'static [&'static str], &'static [&'static [&'static str]]);

fn former(all: &[Was]) -> Vec<Former> {
    let names = |names: &[&str]| names.iter().map(|&name| name.into()).collect::<Vec<_>>();
    let of = |(own, parts): &Was| Former {
        own: names(own),
        parts: parts.iter().map(|part| names(part)).collect(),
    };
    all.iter().map(of).collect()
}

fn named(reader: &str, structs: &[Was], enums: &[Was]) -> crate::Result<FormerNames> {
    FormerNames::new(&plan(reader).to, former(structs), former(enums))
}

fn evolve(writer: &str, reader: &str, names: &FormerNames) -> crate::Result<Plan> {
    Plan::evolve(&plan(writer), &plan(reader), &Defaults::default(), names)
}

const NONE: Was = (&[], &[]);

#[test]
fn rows_with_former_names_are_read_as_rows_with_present_names() {
    // A writer with former names, the same writer with present names, and the reader.
    type Case = (&'static str, &'static str, &'static str, &'static [Was], &'static [Was]);
    let cases: &[Case] = &[
        // Fields of a record, also moved, added and dropped, with one of several former names.
        (
            "User{id: i64, login: str, x: bool}",
            "User{id: i64, username: str, x: bool}",
            "User{new: f64?, username: str, id: i64}",
            &[(&[], &[&[], &["nick", "login"]])],
            &[],
        ),
        // A dict with fixed keys, as a dict and as a record.
        (
            "{\"login\"?: str, \"id\": i64}",
            "{\"username\"?: str, \"id\": i64}",
            "{\"username\"?: str, \"id\": i64}",
            &[(&[], &[&["login"]])],
            &[],
        ),
        (
            "{\"login\": str}",
            "{\"username\": str}",
            "User{username: str?}",
            &[(&["Ignored"], &[&["login"]])],
            &[],
        ),
        // The present name wins, then the first former one, in any order of the writer's fields.
        (
            "R{c: i64, b: i64, a: i64}",
            "R{c: i64, b: i64, a: i64}",
            "R{a: i64}",
            &[(&[], &[&["b", "c"]])],
            &[],
        ),
        ("R{c: i64, b: i64}", "R{c: i64, a: i64}", "R{a: i64}", &[(&[], &[&["b", "c"]])], &[]),
        // Records inside rows, in every kind of container; each struct has names of its own.
        (
            "U{a: Addr{s: str}, b: [Addr{s: str}], c: {str: Addr{s: str}?}}",
            "U{a: Address{street: str}, b: [Address{street: str}], c: {str: Address{street: str}?}}",
            "U{a: Address{street: str}, b: [Address{street: str}], c: {str: Address{street: str}?}}",
            &[NONE, (&["Addr"], &[&["s"]]), (&["Addr"], &[&["s"]]), (&["Addr"], &[&["s"]])],
            &[],
        ),
        // Enums and their members; a member of the same value, but another former name.
        (
            "(enum Colour{ROT, BLAU}, enum E{A = 1, B = 2})",
            "(enum Color{RED, BLAU}, enum E{C = 2, B = 2})",
            "(enum Color{GREEN, RED}, enum E{D = 1, C = 2})",
            &[],
            &[(&["Farbe", "Colour"], &[&[], &["ROT"]]), (&[], &[&[], &["A"]])],
        ),
        // Arms of unions, of the reader alone and of both.
        (
            "(R{a: i64}, i64)",
            "(S{b: i64}, i64)",
            "(S{b: i64}|T{a: i64}, i64)",
            &[(&["R"], &[&["a"]])],
            &[],
        ),
        (
            "(R{a: i64}|enum E{A}, i64)",
            "(S{a: i64}|enum F{A}, i64)",
            "(S{a: i64}|enum F{A}|str, i64)",
            &[(&["R"], &[])],
            &[(&["E"], &[])],
        ),
    ];
    for (old, new, reader, structs, enums) in cases {
        let names = named(reader, structs, enums).unwrap();
        let plan = evolve(old, reader, &names).unwrap_or_else(|error| panic!("{old}: {error}"));
        let expected = evolve(new, reader, &FormerNames::default()).unwrap();
        assert_eq!(plan.to_string(), expected.to_string(), "{old} -> {reader}");
        assert_eq!(plan.members, expected.members, "{old} -> {reader}");
        assert_eq!(plan.writes, expected.writes, "{old} -> {reader}");
        for pc in 0..plan.ops.len() {
            let path = |plan: &Plan| plan.place(pc, 0, &[]).path.to_string();
            assert_eq!(path(&plan), path(&expected), "errors name fields as the reader does");
        }
    }
}

#[test]
fn other_names_are_no_former_names() {
    let names = named("U{a: S{b: i64}}", &[(&["T"], &[]), (&["R"], &[])], &[]).unwrap();
    // `T` is a former name of the row, not of the record inside it.
    let error = evolve("U{a: T{b: i64}}", "U{a: S{b: i64}}", &names).unwrap_err();
    assert_eq!(
        error.message(),
        "field a: it is record T, not S; if it was renamed, give S the former name T"
    );
    let names = named("[enum E{A}]", &[], &[(&["F"], &[&["B"]])]).unwrap();
    let error = evolve("[enum G{B}]", "[enum E{A}]", &names).unwrap_err();
    assert_eq!(
        error.message(),
        "field []: it is enum G, not E; if it was renamed, give E the former name G"
    );
}

#[test]
fn fields_that_are_skipped_keep_the_names_of_the_writer() {
    // The skipped record is the writer's struct 1, as the reader's `S` with a former name is.
    let reader = "R{k: S{b: i64}}";
    let names = named(reader, &[NONE, (&[], &[&["a"]])], &[]).unwrap();
    let writer = "R{x: X{b: i64, a: str}, k: S{a: i64}}";
    let plan = evolve(writer, reader, &names).unwrap();
    let expected = evolve("R{x: X{b: i64, a: str}, k: S{b: i64}}", reader, &FormerNames::default());
    assert_eq!(plan.to_string(), expected.unwrap().to_string());
}

#[test]
fn a_name_that_may_be_missing_beside_another_is_refused() {
    let reader = "R{username: str?}";
    let names = named(reader, &[(&[], &[&["login", "nick"]])], &[]).unwrap();
    for (writer, other) in [
        ("{\"login\"?: str, \"username\"?: str}", "username or as login"),
        ("{\"nick\": str, \"login\"?: str}", "login or as nick"),
    ] {
        let error = evolve(writer, reader, &names).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Schema);
        let start = format!("field username: a row may have it as {other}, and");
        assert!(error.message().starts_with(&start), "{error}");
    }
    assert!(evolve("{\"nick\"?: str, \"login\": str}", reader, &names).is_ok());
}

#[test]
fn names_that_could_mean_two_things_are_refused() {
    type Case = (&'static str, &'static [Was], &'static [Was], &'static str);
    let cases: &[Case] = &[
        (
            "R{a: i64, \"b c\": i64}",
            &[(&[], &[&["x"], &["y", "x"]])],
            &[],
            "record R: fields a and \"b c\" have the same former name x; only one of them can have had it",
        ),
        (
            "[{\"a\": i64, \"b\": i64}]",
            &[(&[], &[&["b"], &["a"]])],
            &[],
            "a dict with fixed keys: b is a former name of field a and the name of another field; take \
             it from the former names, or give the other field another name",
        ),
        (
            "enum E{A, B}",
            &[],
            &[(&[], &[&["C"], &["C"]])],
            "enum E: members A and B have the same former name C; only one of them can have had it",
        ),
        (
            "[(R{a: i64}|S{b: i64})?]",
            &[(&["T", "U"], &[]), (&["U"], &[])],
            &[],
            "a union has two records with the former name U, R and S; only one of them can read rows \
             of that name",
        ),
        (
            "enum E{A}|enum F{A}",
            &[],
            &[(&["G"], &[]), (&["G"], &[])],
            "a union has two enums with the former name G, E and F; only one of them can read rows of \
             that name",
        ),
    ];
    for (reader, structs, enums, message) in cases {
        let error = named(reader, structs, enums).unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Schema, *message));
    }
    // A former name may be repeated, may be the present one, and may belong to a record and an enum.
    let repeated: &[Was] = &[(&["G", "G", "R"], &[&["x", "a", "x"]])];
    assert!(named("R{a: i64}|enum E{A}", repeated, &[(&["G"], &[])]).is_ok());
}
