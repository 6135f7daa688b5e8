//! Golden IR: the files of `tests/filetests`, one idea each.
//!
//! A file is LLVM's own text. The comments at its head say what the file is about, the schema and the
//! layouts, and show the plan; what follows is what the emitter makes of that. With
//! `SEROW_BLESS=1` in the environment plan and IR are written anew, to be read in a diff.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs};

use serow_codegen::cpython::{Addresses, CPython, Functions, Making};
use serow_codegen::{Compiler, Conversion, From, To};
use serow_core::layout::unsafe_row::{Described, Rows};
use serow_core::plan::Plan;
use serow_core::schema::Schema;

use crate::alone;

/// CPython 3.11. The addresses don't appear in IR.
static CPYTHON: LazyLock<CPython> = LazyLock::new(|| CPython {
    ty: 8,
    length: 16,
    tuple_items: 24,
    list_items: 24,
    int_digits: 24,
    tagged_ints: false,
    str_state: 32,
    ascii: 0x60,
    ascii_text: 48,
    making: Making {
        immortal: false,
        gc_words: 2,
        smallest_int: -5,
        small_ints: 262,
        str_hash: 24,
        ascii_state: 0xE4,
        wide_text: true,
    },
    addresses: Addresses {
        types: [0; 8],
        none: 0,
        yes: 0,
        no: 0,
        functions: Functions::aborting(),
        small_ints: 0,
    },
});

fn conversion(from: &str, to: &str) -> Option<Conversion<'static>> {
    let from = match from {
        "cpython" => From::Objects(&CPYTHON),
        "flat" => From::Flat,
        "row" => From::RowWire,
        "columns" => From::Columns,
        "unsafe" => From::UnsafeRows,
        _ => return None,
    };
    let to = match to {
        "cpython" => To::Objects(&CPYTHON),
        "row" => To::RowWire,
        "batch" => To::Batch,
        _ => return None,
    };
    Some(Conversion { from, to })
}

/// What a person writes at the head of a file.
struct Head<'a> {
    about: Vec<&'a str>,
    schema: &'a str,
    from: &'a str,
    to: &'a str,
}

impl<'a> Head<'a> {
    fn parse(text: &'a str) -> Option<Head<'a>> {
        let mut about = Vec::new();
        let mut lines = text.lines().map_while(|line| line.strip_prefix(';')).map(str::trim);
        let schema = loop {
            let line = lines.next()?;
            match line.strip_prefix("schema ") {
                Some(schema) => break schema.trim(),
                None => about.push(line),
            }
        };
        let layouts = lines.next()?.strip_prefix("from ")?;
        let (from, to) = layouts.split_once(" to ")?;
        Some(Head { about, schema, from: from.trim(), to: to.trim() })
    }

    /// The whole file as it should be.
    fn text(&self) -> Option<String> {
        let plan = match self.from {
            // Spark's rows are described by more than a schema.
            "unsafe" => {
                let Described { schema, storage, .. } =
                    Described::parse(self.schema, Rows::Records).ok()?;
                Plan::stored(&schema, storage)
            }
            _ => Plan::new(&Schema::parse(self.schema).ok()?),
        };
        let conversion = conversion(self.from, self.to)?;
        let ir = Compiler::new().and_then(|compiler| compiler.ir(&plan, &conversion));
        let mut lines: Vec<String> = self.about.iter().map(|line| line.to_string()).collect();
        lines.push(format!("schema {}", self.schema));
        lines.push(format!("from {} to {}", self.from, self.to));
        lines.push(String::new());
        lines.extend(plan.to_string().lines().map(str::to_owned));
        let head: String =
            lines.iter().map(|line| format!("; {line}").trim_end().to_owned() + "\n").collect();
        Some(head + "\n" + &functions(&ir.ok()?))
    }
}

/// A module's text from its first function or declaration on: what stands before names this machine.
fn functions(ir: &str) -> String {
    let lines = ir.lines().skip_while(|line| {
        line.is_empty()
            || [";", "source_filename", "target "].iter().any(|start| line.starts_with(start))
    });
    lines.map(|line| line.to_owned() + "\n").collect()
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    files.sort();
    files
}

/// The first line in which two texts differ, with its number.
fn difference(expected: &str, found: &str) -> String {
    let (mut expected, mut found) = (expected.lines(), found.lines());
    for number in 1.. {
        let lines = (expected.next(), found.next());
        if lines.0 != lines.1 {
            return format!(
                "line {number} should be\n  {}\nand is\n  {}",
                lines.0.unwrap_or("the end"),
                lines.1.unwrap_or("the end"),
            );
        }
    }
    String::new()
}

#[test]
fn plans_become_the_ir_that_is_written_down() {
    let _alone = alone();
    let bless = env::var_os("SEROW_BLESS").is_some();
    let files = files();
    assert!(files.len() > 10, "the files are gone");
    for file in files {
        let name = file.display();
        let written = fs::read_to_string(&file).expect("it can be read");
        let head = Head::parse(&written).unwrap_or_else(|| {
            panic!("{name}: the head must be `; about…`, `; schema …`, `; from … to …`")
        });
        let text = head.text().unwrap_or_else(|| panic!("{name}: it can't be compiled"));
        if bless {
            fs::write(&file, text).expect("it can be written");
        } else {
            assert!(
                written == text,
                "{name}: {}\nIf that is right, set SEROW_BLESS=1 and read the diff.",
                difference(&written, &text)
            );
        }
    }
}
