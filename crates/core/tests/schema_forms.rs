//! The files in `tests/schemas`: the schemas of texts, or their errors, the types of values that have one
//! type or another, and when dicts are maps. Java reads them too.
//!
//! `SEROW_BLESS=1` in the environment rewrites the results in the files; review the diff.

use std::path::Path;
use std::{env, fs};

use std::sync::Arc;

use proptest::prelude::*;
use serow_core::schema::{
    Container, Enum, Field, MemberValues, Names, Schema, Shape, Struct, Type,
};
use serow_core::value::Value;

/// Returns the entry of a text.
fn entry(text: &str) -> String {
    let shown = text.replace('\n', "¶").replace('\t', "⇥");
    match Schema::parse(text) {
        Ok(schema) => {
            let list: Vec<_> = schema.type_list().iter().map(u32::to_string).collect();
            assert_eq!(Schema::parse(&schema.to_string()).unwrap(), schema, "{text}");
            assert_eq!(Schema::from_bytes(schema.as_bytes()).unwrap(), schema, "{text}");
            format!(
                "== {shown}\ntext {schema}\nlist {}\nhash {:016x}\n",
                list.join(" "),
                schema.fingerprint()
            )
        }
        Err(error) => {
            let message = error.message().replace('\n', "\n| ");
            format!("== {shown}\nerror {:?}\n| {message}\n", error.kind())
        }
    }
}

/// Compares the file `name` with `actual`, which is made of the file.
#[track_caller]
fn compare(name: &str, actual: impl Fn(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/schemas").join(name);
    let file = fs::read_to_string(&path).unwrap();
    let actual = actual(&file);
    if env::var_os("SEROW_BLESS").is_some() {
        fs::write(&path, &actual).unwrap();
        return;
    }
    for (expected, actual) in file.split("\n== ").zip(actual.split("\n== ")) {
        assert_eq!(expected, actual);
    }
    assert_eq!(file, actual);
}

#[test]
#[cfg_attr(miri, ignore = "reads a file")]
fn texts_have_the_forms_in_the_file() {
    compare("forms.txt", |file| {
        let texts = file.lines().filter_map(|line| line.strip_prefix("== "));
        texts.map(|text| entry(&text.replace('¶', "\n").replace('⇥', "\t"))).collect()
    });
}

#[test]
#[cfg_attr(miri, ignore = "reads a file")]
fn types_join_as_in_the_file() {
    compare("joins.txt", |file| {
        let entries = file.split("== ").skip(1).map(|entry| {
            let mut shape = Shape::default();
            let texts = entry.lines().filter(|line| !line.starts_with("= "));
            for text in texts {
                shape.join(Shape::of(Schema::parse(text).unwrap().root()));
            }
            let texts = entry.lines().filter(|line| !line.starts_with("= "));
            let texts: String = texts.map(|text| format!("{text}\n")).collect();
            match Schema::new(shape.into_type()) {
                Ok(schema) => format!("== {texts}= {schema}\n"),
                Err(error) => format!("== {texts}= error: {error}\n"),
            }
        });
        entries.collect()
    });
}

/// The dicts of an entry of `dicts.txt`.
fn dicts(entry: &str) -> Vec<Value> {
    let numbers = entry.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok());
    let numbers: Vec<usize> = numbers.collect();
    let [dicts, fixed, some, others] = numbers[..] else { panic!("{entry}") };
    let dict = |i| {
        let fixed = (0..fixed).map(|key| (format!("fixed{key}"), Value::I64(1)));
        let others = (i * some..(i + 1) * some).map(|n| {
            let value = if n % 2 == 0 { Value::I64(1) } else { Value::F64(0.5) };
            (format!("other{}", n % others), value)
        });
        Value::dict(fixed.chain(others))
    };
    (0..dicts).map(dict).collect()
}

/// Shows a map's type, and how many keys a struct has.
fn brief(shape: Shape) -> String {
    match shape.into_type() {
        Type::Struct(of) => {
            let optional = of.fields.iter().filter(|field| field.maybe).count();
            format!("{} keys, {optional} of them optional", of.fields.len())
        }
        map => Schema::new(map).unwrap().to_string(),
    }
}

#[test]
#[cfg_attr(miri, ignore = "reads a file")]
fn dicts_are_maps_as_in_the_file() {
    compare("dicts.txt", |file| {
        let entries = file.lines().filter_map(|line| line.strip_prefix("== "));
        let entries = entries.map(|entry| {
            let (mut at_once, mut one_by_one) = (Shape::default(), Shape::default());
            for dict in dicts(entry) {
                at_once.add_value(&dict).unwrap();
                one_by_one.add_value(&dict).unwrap();
                one_by_one.settle(true);
            }
            let (at_once, one_by_one) = (brief(at_once), brief(one_by_one));
            format!("== {entry}\n= {at_once}\none by one {one_by_one}\n")
        });
        entries.collect()
    });
}

/// Returns types that have `name` in each place where a type may have a name.
fn named(name: &str) -> Vec<Type> {
    let of = |record: Option<&str>, field: &str, ty: Type| {
        let names = Names { name: record.map(Arc::from), fields: vec![field.into()] };
        let fields = vec![Field { ty, maybe: false }];
        Type::Struct(Arc::new(Struct { names: Arc::new(names), fields }))
    };
    let member = Enum::new(name, ["A"]);
    let strs = MemberValues::Strs(vec![name.into()]);
    let member_with_value = Enum::new("E", [name]).with_values(strs);
    let types = [
        of(Some(name), "a", Type::I64),
        of(Some("R"), name, Type::I64),
        of(None, name, Type::I64),
        Type::Enum(Arc::new(member)),
        Type::Enum(Arc::new(member_with_value)),
    ];
    let inside = types.iter().cloned().flat_map(|ty| {
        [
            Type::optional(ty.clone()),
            Type::Fixed(Container::Tuple, vec![ty.clone()]),
            Type::Sequence(Container::List, Box::new(ty.clone())),
            Type::Map(Box::new(Type::Str), Box::new(ty.clone())),
            of(Some(name), name, ty.clone()),
            of(None, name, ty),
        ]
    });
    // These have a hash, so they may be elements of sets and keys.
    let hashed = [&types[0], &types[1], &types[3], &types[4]].into_iter().flat_map(|ty| {
        [
            Type::Sequence(Container::Set, Box::new(ty.clone())),
            Type::Sequence(Container::FrozenSet, Box::new(ty.clone())),
            Type::Map(Box::new(ty.clone()), Box::new(Type::Str)),
        ]
    });
    inside.chain(hashed).chain(types.iter().cloned()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes")]
    fn names_of_any_characters_come_back_from_the_text(
        name in prop_oneof![
            "\\PC{0,3}",
            "[0-9a-z_ \"\\\\{}=?|:,.()\u{0}-\u{20}\u{7f}-\u{a0}\u{2028}\u{3000}]{0,4}",
            proptest::sample::select(vec![
                "", "enum", "frozenset", "i64", "null", "never", "7S", "7", "-1", "٣", "²", "Ⅷ", "_",
                "e\u{301}", "\u{200b}", "\u{feff}", "\u{10ffff}",
            ]).prop_map(String::from),
            proptest::collection::vec(any::<char>(), 0..4).prop_map(String::from_iter),
        ],
    ) {
        for ty in named(&name) {
            let schema = Schema::new(ty).unwrap();
            prop_assert_eq!(Schema::parse(&schema.to_string()).unwrap(), schema);
        }
    }
}
