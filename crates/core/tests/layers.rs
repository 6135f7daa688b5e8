//! Checks that the modules of this crate, of `crates/codegen` and of `crates/py` form layers: each uses only the
//! modules before it.

use std::fs;
use std::path::{Path, PathBuf};

/// A module whose children are layers: the folder of its crate, its path in the crate, and its children
/// from the lowest layer up.
type Layered = (&'static str, &'static [&'static str], &'static [&'static str]);

const LAYERED: &[Layered] = &[
    (
        "core",
        &[],
        &[
            "limits",
            "host_lock",
            "path",
            "radix",
            "calendar",
            "number",
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
        ],
    ),
    ("codegen", &[], &["error", "ir", "emit", "jit"]),
    (
        "py",
        &[],
        &[
            "forked",
            "sizes",
            "gil",
            "releasing",
            "made",
            "errors",
            "arenas",
            "layout",
            "access",
            "rows",
            "compile",
            "arrow",
            "codec",
            "stream",
            "spark",
            "explain",
        ],
    ),
    (
        "codegen",
        &["jit"],
        &[
            "glibc",
            "static_dtors",
            "log",
            "room",
            "llvm_gate",
            "target",
            "orc",
            "key",
            "cache",
            "debug_info",
            "engine",
            "compiled",
            "compiler",
            "service",
            "self_test",
            "background",
            "tiers",
        ],
    ),
];

/// Returns the source folder of the crate in `crates/{name}`.
fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(name).join("src")
}

/// Returns the source files in `folder` and below, except tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
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

/// Returns the path of the module in `file`.
fn module(file: &Path) -> Vec<String> {
    let path = file.with_extension("");
    let names = path.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name != "mod" && name != "lib").collect()
}

/// Returns the first two names of each path in a file that begins with `crate` or `super`, outside its
/// comments and tests. `module` is the path of the file's module.
fn used(text: &str, module: &[String]) -> Vec<Vec<String>> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut used = Vec::new();
    for (at, _) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        // The first `super` of several takes in the others.
        if code[..at].ends_with(is_word) || code[..at].ends_with("::") {
            continue;
        }
        let supers = code[at..].split("::").take_while(|&name| name == "super").count();
        let base = match supers {
            0 => &[],
            _ => &module[..module.len().saturating_sub(supers)],
        };
        let path = &code[at + 7 * supers.max(1)..];
        let group = path.strip_prefix('{').and_then(|group| group.split_once('}'));
        for path in group.map_or(path, |(group, _)| group).split(',') {
            let names = path.trim().split("::").map(|name| name.split(|c| !is_word(c)).next());
            let names = names.flatten().map(str::to_owned);
            used.push(base.iter().cloned().chain(names).take(2).collect());
            if group.is_none() {
                break;
            }
        }
    }
    used
}

#[test]
fn modules_use_only_modules_of_lower_layers() {
    let mut wrong = Vec::new();
    for &(name, parent, layers) in LAYERED {
        let root = root(name);
        let layer = |path: &[String]| {
            let below =
                path.strip_prefix(&parent.iter().map(|&name| name.into()).collect::<Vec<_>>()[..]);
            let child = below.and_then(|below| below.first());
            child.map(|child| (layers.iter().position(|layer| layer == child), child.clone()))
        };
        for path in sources(&root) {
            let file = path.strip_prefix(&root).expect("it is below");
            let module = module(file);
            let file = file.display();
            let Some((own, _)) = layer(&module) else { continue };
            let own = own.unwrap_or_else(|| panic!("{name}/{file} is in no layer"));
            for used in used(&fs::read_to_string(&path).expect("the file can be read"), &module) {
                match layer(&used) {
                    Some((Some(other), child)) if other > own => {
                        wrong.push(format!("{name}/{file} uses {child}"));
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn layouts_are_emitted_without_inkwell() {
    for path in sources(&root("codegen").join("emit")) {
        let text = fs::read_to_string(&path).expect("the file can be read");
        assert!(!text.contains("inkwell"), "{}", path.display());
    }
}

#[test]
fn uses_are_found_outside_comments_and_tests() {
    let text = "use crate::plan::Plan;\n// crate::wire\nfn f(x: crate::layout::A) {}\n\
                use super::super::wire::row;\nuse super::{b, c::D};\nuse super::super::{schema, value::E};\n\
                #[cfg(test)]\nmod tests {\n    use crate::decode::decode;\n}\n";
    let mut used: Vec<_> =
        used(text, &["layout".into(), "meter".into()]).iter().map(|path| path.join("::")).collect();
    used.sort();
    let expected =
        ["layout::A", "layout::b", "layout::c", "plan::Plan", "schema", "value::E", "wire::row"];
    assert_eq!(used, expected);
}
