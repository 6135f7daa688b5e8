//! Checks that the modules of this crate form layers: each uses only the modules before it.

use std::fs;
use std::path::Path;

/// The top-level modules, from the lowest layer up.
const LAYERS: &[&str] = &[
    "limits",
    "path",
    "radix",
    "forked",
    "error",
    "emergency",
    "memory",
    "runs",
    "threads",
    "bytes",
    "schema",
    "value",
    "plan",
    "layout",
    "program",
    "wire",
    "interpreter",
    "compiled",
    "explain",
    "encode",
    "decode",
    "stream",
];

/// Returns the source files in `folder` and below, except tests.
fn sources(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    paths
        .filter(|path| path.file_stem().is_none_or(|name| name != "tests" && name != "testing"))
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false if path.extension().is_some_and(|extension| extension == "rs") => vec![path],
            false => Vec::new(),
        })
        .collect()
}

/// Returns the top-level modules that a file names outside its comments and tests.
fn used(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let names = lines.flat_map(|line| line.split("crate::").skip(1));
    let is_word = |c: char| c.is_ascii_lowercase() || c == '_';
    names.map(|after| after.chars().take_while(|&c| is_word(c)).collect()).collect()
}

#[test]
fn modules_use_only_modules_of_lower_layers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let layer = |module: &str| LAYERS.iter().position(|name| *name == module);
    let mut wrong = Vec::new();
    for path in sources(&root) {
        let file = path.strip_prefix(&root).expect("it is below").display().to_string();
        let module = file.split('/').next().expect("it has a name").trim_end_matches(".rs");
        if module == "lib" {
            continue;
        }
        let own = layer(module).unwrap_or_else(|| panic!("{file} is in no layer"));
        let text = fs::read_to_string(&path).expect("the file can be read");
        for name in used(&text) {
            match layer(&name) {
                Some(other) if other > own => wrong.push(format!("{file} uses {name}")),
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn uses_are_found_outside_comments_and_tests() {
    let text = "use crate::plan::Plan;\n// crate::wire\nfn f(x: crate::layout::A) {}\n\
                #[cfg(test)]\nmod tests {\n    use crate::decode::decode;\n}\n";
    assert_eq!(used(text), ["plan", "layout"]);
}
