//! The files in `tests/schemas`: the schemas of texts, or their errors, and the types of values that
//! have one type or another. Java reads them too.
//!
//! `SEROW_BLESS=1` in the environment rewrites the results in the files; review the diff.

use std::path::Path;
use std::{env, fs};

use serow_core::schema::{Schema, Shape};

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
