//! The texts in `tests/schemas/forms.txt`: their schemas, or their errors. Java reads them too.
//!
//! `SEROW_BLESS=1` in the environment rewrites the results in the file; review the diff.

use std::path::Path;
use std::{env, fs};

use serow_core::schema::Schema;

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

#[test]
#[cfg_attr(miri, ignore = "reads a file")]
fn texts_have_the_forms_in_the_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/schemas/forms.txt");
    let file = fs::read_to_string(&path).unwrap();
    let texts = file.lines().filter_map(|line| line.strip_prefix("== "));
    let actual: String =
        texts.map(|text| entry(&text.replace('¶', "\n").replace('⇥', "\t"))).collect();
    if env::var_os("SEROW_BLESS").is_some() {
        fs::write(&path, &actual).unwrap();
        return;
    }
    for (expected, actual) in file.split("\n== ").zip(actual.split("\n== ")) {
        assert_eq!(expected, actual);
    }
    assert_eq!(file, actual);
}
