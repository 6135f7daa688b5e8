//! Takes the docstrings from the stubs, so that `help()` and editors show the same text.
//!
//! The macro `stub_doc!("Codec.encode")` becomes the docstring of that method in `_native.pyi`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const STUBS: &str = "../../python/serow/_native.pyi";

const QUOTES: &str = r#"""""#;

fn main() {
    let from = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("Cargo sets it")).join(STUBS);
    println!("cargo::rerun-if-changed={}", from.display());
    println!("cargo::rerun-if-changed=build.rs");
    let stubs = fs::read_to_string(&from)
        .unwrap_or_else(|error| panic!("can't read the stubs {}: {error}", from.display()));
    let mut text = String::from("macro_rules! stub_doc {\n");
    for (name, doc) in docstrings(&stubs) {
        writeln!(text, "    ({name:?}) => {{ {doc:?} }};").expect("a string takes all text");
    }
    text += "}\n";
    let to = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it")).join("stub_doc.rs");
    fs::write(&to, text).unwrap_or_else(|error| panic!("can't write {}: {error}", to.display()));
}

/// The names of classes, methods and functions, with their docstrings.
fn docstrings(stubs: &str) -> Vec<(String, String)> {
    let (mut found, mut class, mut name) = (Vec::new(), String::new(), String::new());
    let (mut lines, mut is_signature) = (stubs.lines(), false);
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        let named = |keyword| code.strip_prefix(keyword).map(identifier);
        if let Some(of_class) = named("class ") {
            (class, name) = (of_class.clone(), of_class);
        } else if let Some(function) = named("def ") {
            name = if indent == 0 { function } else { format!("{class}.{function}") };
        } else if let Some(begin) = code.strip_prefix(QUOTES)
            && !name.is_empty()
        {
            let mut doc = String::from(begin);
            while !doc.ends_with(QUOTES) {
                let next = lines.next().expect("a docstring ends");
                doc += "\n";
                doc += next.get(indent..).unwrap_or_default();
            }
            let doc = doc[..doc.len() - QUOTES.len()].trim_end().to_owned();
            assert!(!doc.contains('\\'), "{name}: a docstring of the stubs has no escapes");
            found.push((std::mem::take(&mut name), doc));
        } else if !is_signature && !code.is_empty() {
            // A docstring after a variable is that of the variable.
            name = String::new();
        }
        if named("def ").is_some() || named("class ").is_some() {
            is_signature = true;
        }
        if line.ends_with(':') || line.ends_with("...") {
            is_signature = false;
        }
    }
    found
}

fn identifier(code: &str) -> String {
    code.chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect()
}
