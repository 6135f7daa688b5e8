//! Runs the files of `tests/filetests`. Each shows one idea.
//!
//! A file begins with comments: its idea, the schema, and the layouts. Then it has patterns for the
//! lines of IR that implement the idea ([`pattern`]). The test also runs the code on rows that it
//! generates for the schema, and compares the result with the interpreter's. [`objects`] makes
//! CPython's objects.

mod objects;
mod pattern;
mod rows;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fmt, fs};

use serow_codegen::{Compiler, Conversion, SinkLayout, SourceLayout, code};
use serow_core::bytes::out::Out;
use serow_core::compiled::run;
use serow_core::encode::encode;
use serow_core::layout::batch::Batch;
use serow_core::layout::value::ValueRows;
use serow_core::layout::{Sink, Source};
use serow_core::program::{Code, Program};
use serow_core::schema::Schema;
use serow_core::value::Value;
use serow_core::wire::columns::ColumnCursors;
use serow_core::wire::frame::{self, Scratch, TextForm};
use serow_core::wire::message::{MessageReader, Wire};
use serow_core::wire::row::{RowReader, RowWriter, ZeroSizedCounts};
use serow_spark::{Described, Storage, StructsAs, UnsafeRows, write_unsafe_rows};

use crate::{alone, decoding};
use objects::{CPYTHON, MadeObjects, Objects};
use pattern::Directive;

/// The number of rows that the code of each file converts.
const ROWS: usize = 300;

/// The content of a file.
struct File {
    path: PathBuf,
    schema: String,
    from: String,
    to: String,
    directives: Vec<Directive>,
}

impl File {
    fn read(path: &Path) -> Option<File> {
        let text = fs::read_to_string(path).expect("it can be read");
        let (head, body): (Vec<&str>, Vec<&str>) =
            text.lines().filter(|line| !line.is_empty()).partition(|line| line.starts_with(';'));
        let value = |key: &str| head.iter().find_map(|line| line.strip_prefix(key));
        let (from, to) = value("; from ")?.split_once(" to ")?;
        Some(File {
            path: path.to_owned(),
            schema: value("; schema ")?.to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
            directives: body.into_iter().map(Directive::parse).collect::<Option<_>>()?,
        })
    }

    fn plan(&self) -> Program {
        match self.from.as_str() {
            // The text of Spark's rows is Spark's own schema.
            "unsafe" => {
                let described = Described::parse(&self.schema, StructsAs::Records);
                let Described { schema, storage, .. } = described.expect("it describes rows");
                Program::extended(&schema, storage)
            }
            _ => Program::new(&Schema::parse(&self.schema).expect("the schema is well formed")),
        }
    }

    fn conversion(&self) -> Conversion<'static> {
        let from = match self.from.as_str() {
            "cpython" => SourceLayout::objects(&CPYTHON),
            "row" => SourceLayout::ROW,
            "columns" => SourceLayout::COLUMNS,
            "unsafe" => SourceLayout::UNSAFE_ROWS,
            other => panic!("{other} is not a source layout"),
        };
        let to = match self.to.as_str() {
            "cpython" => SinkLayout::objects(&CPYTHON),
            "row" => SinkLayout::ROW,
            "batch" => SinkLayout::BATCH,
            other => panic!("{other} is not a sink layout"),
        };
        Conversion { from, to }
    }

    /// Converts `rows` with `plan` between the file's layouts.
    fn convert(&self, plan: &Arc<Program>, rows: &[Value]) -> Converted {
        match self.from.as_str() {
            "cpython" => self.convert_from(plan, Objects::new(rows)),
            "row" => {
                let mut records = decoding::records(plan, rows);
                records.extend([0; 8]);
                self.convert_from(plan, RowReader::new(&records, 8))
            }
            "unsafe" => {
                let batch = write_unsafe_rows(plan, &ValueRows(rows)).expect("Spark has the rows");
                let storage = Storage::of(plan).expect("the plan has one");
                let rows = UnsafeRows::new(storage, &batch).expect("it was just written");
                self.convert_from(plan, rows)
            }
            _ => {
                let body = body(plan, rows);
                let frame = frame::unpack(plan, rows.len(), &body, body.len(), &mut |_| Ok(()))
                    .expect("it was just packed");
                let mut sink = MadeObjects::new();
                let mut columns = ColumnCursors::new(plan, frame, &mut sink).expect("it fits");
                assert_eq!(self.to, "cpython", "columns are only converted to objects");
                done(plan, &mut columns, &mut sink);
                Converted::Rows(sink.into_rows())
            }
        }
    }

    fn convert_from(&self, plan: &Program, mut source: impl Source) -> Converted {
        let mut buffer = Vec::new();
        let mut out = Out::new(&mut buffer);
        // Code bails out of rows if the buffer has to grow.
        out.reserve(1 << 20).expect("there is memory");
        match self.to.as_str() {
            "cpython" => {
                let mut sink = MadeObjects::new();
                done(plan, &mut source, &mut sink);
                return Converted::Rows(sink.into_rows());
            }
            "row" => {
                let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
                done(plan, &mut source, &mut writer);
            }
            _ => {
                let mut batch = Batch::new(plan);
                done(plan, &mut source, &mut batch);
                frame::pack(plan, &batch, TextForm::Fast, &mut Scratch::default(), &mut out)
                    .expect("it fits");
            }
        }
        Converted::Bytes(out.written().to_vec())
    }
}

/// Converts rows.
#[derive(Debug, PartialEq)]
enum Converted {
    Bytes(Vec<u8>),
    Rows(Vec<Value>),
}

fn done(plan: &Program, source: &mut impl Source, sink: &mut impl Sink) {
    let run = run(plan, source, sink, 0..ROWS);
    assert!(run.expect("the rows are of the schema").is_continue());
}

/// Returns the body of a frame with `rows`.
fn body(plan: &Arc<Program>, rows: &[Value]) -> Vec<u8> {
    let mut message = Vec::new();
    encode(plan, &ValueRows(rows), Wire::Frame, &mut message).expect("they fit");
    let mut reader = MessageReader::new(&message).expect("it is a message");
    reader.next_frame().expect("it is whole").expect("it has a frame").body().to_vec()
}

/// Code that counts the rows it converts.
struct Counted {
    code: Arc<dyn Code>,
    rows: AtomicUsize,
}

impl fmt::Debug for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.code.fmt(f)
    }
}

impl Code for Counted {
    unsafe fn convert(&self, source: *mut (), sink: *mut (), from: usize, to: usize) -> usize {
        // SAFETY: the caller's promise.
        let done = unsafe { self.code.convert(source, sink, from, to) };
        self.rows.fetch_add(done - from, Ordering::Relaxed);
        done
    }

    fn bytes(&self) -> usize {
        self.code.bytes()
    }
}

/// Returns the number of bits of integers in test rows, which must fit into the schema's narrowest
/// Spark type.
fn int_bits(schema: &str) -> u32 {
    [("byte", 8), ("short", 16), ("int", 32)]
        .into_iter()
        .find(|(name, _)| schema.starts_with("struct") && schema.contains(name))
        .map_or(64, |(_, bits)| bits)
}

fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let entries = fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    paths.sort();
    assert!(paths.len() > 10, "the files are gone");
    let file = |path: PathBuf| {
        File::read(&path).unwrap_or_else(|| {
            panic!(
                "{}: it must have `; schema …`, `; from … to …`, and lines of `check: …`, `next: …` \
                 or `not: …`",
                path.display()
            )
        })
    };
    paths.into_iter().map(file).collect()
}

#[test]
fn the_ir_matches_the_patterns_of_the_files() {
    let _alone = alone();
    let compiler = Compiler::new().expect("this machine can compile");
    let mut failed = Vec::new();
    for file in files() {
        assert!(!file.directives.is_empty(), "{} checks nothing", file.path.display());
        let ir = compiler.ir(&file.plan(), &file.conversion()).expect("every plan compiles");
        let lines: Vec<&str> = ir.lines().collect();
        if let Err(directive) = pattern::check(&file.directives, &lines) {
            failed.push(format!("{}: there is no line for\n  {directive}", file.path.display()));
            if failed.len() == 1 {
                failed[0] += &format!("\nThe IR is\n{ir}");
            }
        }
    }
    failed.reverse();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn compiled_code_gives_the_interpreters_result() {
    let _alone = alone();
    for file in files() {
        let name = file.path.display();
        let (interpreted, compiled) = (Arc::new(file.plan()), Arc::new(file.plan()));
        let code = code(&compiled, &file.conversion()).expect("every plan compiles");
        let counted = Arc::new(Counted { code, rows: AtomicUsize::new(0) });
        let pair = file.conversion().kinds();
        // SAFETY: core defines these layouts, and the objects match the conversion's description.
        assert!(unsafe { compiled.set_code(pair, counted.clone()) }.is_empty());
        let rows = rows::rows(interpreted.root(), ROWS, int_bits(&file.schema));
        let expected = file.convert(&interpreted, &rows);
        assert!(file.convert(&compiled, &rows) == expected, "{name}: the code does something else");
        if let Converted::Rows(made) = expected {
            assert!(made == rows, "{name}: the rows are others");
        }
        let by_code = counted.rows.load(Ordering::Relaxed);
        assert!(by_code > ROWS / 2, "{name}: the code has converted {by_code} rows of {ROWS} only");
    }
}
