//! Rows of one version of a type are read as rows of another.

use std::io::Cursor;

use serow::{Codec, Options, Reader, Row, SchemaSet, Value, View, Wire, Writer};

mod first {
    #[derive(Clone, Debug, PartialEq, serow::Row)]
    pub struct User {
        pub id: u32,
        pub login: String,
        pub gone: Vec<String>,
        pub kind: Kind,
        pub color: Color,
    }

    #[derive(Clone, Debug, PartialEq, serow::Row)]
    pub enum Kind {
        Guest,
        Member(i64),
        Admin { level: u8 },
    }

    #[derive(Clone, Debug, PartialEq, serow::Row)]
    pub enum Color {
        Red,
        Grey,
    }
}

mod second {
    #[derive(Clone, Debug, PartialEq, serow::Row)]
    #[row(was = "User")]
    pub struct Account {
        pub kind: Role,
        #[row(was = "login")]
        pub name: String,
        pub id: i64,
        #[row(default = 7)]
        pub size: i32,
        #[row(default)]
        pub notes: Vec<Note>,
        pub comment: Option<String>,
        pub color: Color,
    }

    #[derive(Clone, Debug, Default, PartialEq, serow::Row)]
    pub struct Note {
        pub text: String,
    }

    #[derive(Clone, Debug, PartialEq, serow::Row)]
    #[row(was = "Kind")]
    pub enum Role {
        Guest,
        Member(i64),
        #[row(was = "Admin")]
        Root {
            level: i64,
            #[row(default = String::from("none"))]
            by: String,
        },
    }

    #[derive(Clone, Debug, PartialEq, serow::Row)]
    pub enum Color {
        Red,
        #[row(was = "Grey")]
        Gray,
        New,
    }
}

fn old(i: u32) -> first::User {
    first::User {
        id: i,
        login: format!("user {}", i % 9),
        gone: vec!["x".into(); i as usize % 3],
        kind: match i % 3 {
            0 => first::Kind::Guest,
            1 => first::Kind::Member(i.into()),
            _ => first::Kind::Admin { level: i as u8 },
        },
        color: if i.is_multiple_of(2) { first::Color::Red } else { first::Color::Grey },
    }
}

fn new(i: u32) -> second::Account {
    second::Account {
        id: i.into(),
        name: format!("user {}", i % 9),
        size: 7,
        notes: vec![],
        comment: None,
        kind: match i % 3 {
            0 => second::Role::Guest,
            1 => second::Role::Member(i.into()),
            _ => second::Role::Root { level: i64::from(i as u8), by: "none".into() },
        },
        color: if i.is_multiple_of(2) { second::Color::Red } else { second::Color::Gray },
    }
}

#[test]
fn rows_of_an_older_type_are_read_through_every_door() {
    let rows: Vec<first::User> = (0..3000).map(old).collect();
    let expected: Vec<second::Account> = (0..3000).map(new).collect();
    for wire in [Wire::Row, Wire::Frame] {
        let bytes = Options::from(wire).to_vec(&rows).unwrap();
        assert_eq!(serow::from_slice::<second::Account>(&bytes).unwrap(), expected);
        let codec = Codec::of::<second::Account>(wire).unwrap();
        assert_eq!(codec.decode(&bytes).unwrap(), expected);
        let read: Vec<_> = Reader::of::<second::Account>(&bytes[..])
            .unwrap()
            .collect::<serow::Result<_>>()
            .unwrap();
        assert_eq!(read, expected);
    }
    let mut writer = Writer::of(Vec::new()).unwrap();
    rows.chunks(700).for_each(|rows| {
        writer.write_rows(rows).unwrap();
        writer.flush().unwrap();
    });
    let file = Cursor::new(writer.finish().unwrap());
    let mut indexed = View::of::<second::Account>(file).unwrap();
    for at in [0, 699, 700, 2999] {
        assert_eq!(indexed.row(at).unwrap().as_ref(), Some(&expected[at as usize]));
    }
    let schemas = SchemaSet::default();
    let first = Codec::of::<first::User>(Wire::Row).unwrap();
    schemas.add(first.schema()).unwrap();
    let second = Codec::of::<second::Account>(Wire::Row).unwrap().with_schemas(&schemas);
    for i in 0..20 {
        let record = first.encode_one(&old(i)).unwrap();
        assert_eq!(second.decode_one(&record).unwrap(), new(i));
    }
}

#[test]
fn rows_of_other_languages_are_read_by_names() {
    #[derive(Debug, PartialEq, Row)]
    struct Part {
        key: u64,
        name: Option<String>,
        #[row(default = 0.5)]
        size: f32,
    }
    let rows = [
        Value::dict([("name", "peru".into()), ("key", Value::I64(1)), ("more", Value::Null)]),
        Value::dict([("name", Value::Null), ("key", Value::I64(2)), ("more", Value::Null)]),
    ];
    let part = |key, name: Option<&str>| Part { key, name: name.map(Into::into), size: 0.5 };
    let expected = [part(1, Some("peru")), part(2, None)];
    for wire in [Wire::Row, Wire::Frame] {
        let bytes = Options::from(wire).dumps(&rows).unwrap();
        assert_eq!(serow::from_slice::<Part>(&bytes).unwrap(), expected);
    }
}

/// Errors of the conversion come after the rows before them.
#[test]
fn a_row_that_can_not_be_converted_ends_the_rows() {
    let rows: Vec<(Option<i64>, i64)> = (0..10).map(|i| (Some(i), i)).collect();
    let mut other = rows.clone();
    other.push((Some((1 << 53) + 1), 11));
    let mut writer = Writer::of(Vec::new()).unwrap();
    writer.write_rows(&other).unwrap();
    let bytes = writer.finish().unwrap();
    let mut reader = Reader::of::<(Option<f64>, u8)>(&bytes[..]).unwrap();
    for i in 0..10u8 {
        assert_eq!(reader.next(), Some(Ok((Some(i.into()), i))));
    }
    let error = reader.next().unwrap().unwrap_err();
    assert_eq!(error.row(), Some(10));
    assert_eq!(error.path().unwrap().to_string(), "0");
}

#[test]
fn former_names_that_mean_two_fields_are_refused() {
    #[derive(Row)]
    #[allow(dead_code, reason = "no value is made")]
    struct Twice {
        #[row(was = "x")]
        a: i32,
        #[row(was = "x")]
        b: i32,
    }
    let error = serow::schema_of::<Twice>().unwrap_err();
    assert!(error.message().contains("have the same former name x"), "{error}");
}
