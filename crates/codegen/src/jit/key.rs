//! The key of compiled code: everything that its object depends on.

use std::fmt::Write;
use std::sync::OnceLock;

use inkwell::targets::TargetMachine;
use serow_core::plan::Plan;
use serow_core::program::Program;
use xxhash_rust::xxh3::xxh3_128;

use crate::emit::Conversion;
use crate::jit::target::{OPTIONS, SETTINGS, llvm_version};

/// The key of some code. Equal keys have equal objects, in any process. Addresses are not part of
/// it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Key {
    bytes: Vec<u8>,
    hash: u128,
    symbol: String,
}

impl Key {
    pub(crate) fn new(program: &Program, conversion: &Conversion<'_>) -> Key {
        let mut text = machine().to_owned();
        let layouts = conversion.key();
        // Writing to a string can't fail.
        let _ = writeln!(text, "layouts {layouts}");
        if let Some(extension) = program.extension() {
            let _ = writeln!(text, "extension {extension:?}");
        }
        if program.is_evolved() {
            let Plan { ops, unions, writes, members, dictionaries, .. } = &**program;
            let _ = writeln!(text, "{ops:?} {unions:?} {writes:?} {members:?} {dictionaries:?}");
        }
        text.push_str("schema ");
        let mut bytes = text.into_bytes();
        if program.is_evolved() {
            bytes.extend(program.from.schema.as_bytes());
            bytes.extend(b" to ");
        }
        bytes.extend(program.schema().as_bytes());
        let hash = xxh3_128(&bytes);
        let (name, fingerprint) = (conversion.name(), program.schema().fingerprint());
        let symbol = format!("serow_{name}_{fingerprint:016x}_{hash:032x}");
        Key { bytes, hash, symbol }
    }

    /// Returns the whole key. Every lookup by hash also compares these bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn hash(&self) -> u128 {
        self.hash
    }

    /// Returns the name of the function in the object: the conversion, the schema's fingerprint and
    /// the hash, which makes it unique in the process.
    pub(crate) fn symbol(&self) -> &str {
        &self.symbol
    }
}

/// Returns a description of this build and of the target processor.
fn machine() -> &'static str {
    static MACHINE: OnceLock<String> = OnceLock::new();
    MACHINE.get_or_init(|| {
        let build = concat!("serow ", env!("CARGO_PKG_VERSION"), " ", env!("SEROW_BUILD"));
        let triple = TargetMachine::get_default_triple();
        let cpu = TargetMachine::get_host_cpu_name().to_string();
        let features = TargetMachine::get_host_cpu_features().to_string();
        let triple = triple.as_str().to_string_lossy();
        let llvm = llvm_version();
        format!("{build}\nllvm {llvm} {SETTINGS} {OPTIONS:?}\n{triple} {cpu} {features}\n")
    })
}

#[cfg(test)]
mod tests {
    use serow_core::schema::Schema;
    use serow_spark::{Described, StructsAs};

    use super::*;
    use crate::emit::{SinkLayout, SourceLayout};

    #[test]
    fn everything_that_an_object_depends_on_changes_the_key() {
        let storage = |text| Described::parse(text, StructsAs::Tuples).unwrap();
        let described = [r#"struct{"a":int,"b":string}"#, r#"struct{"a":long,"b":string}"#];
        let froms = [SourceLayout::ROW, SourceLayout::COLUMNS];
        let mut keys = Vec::new();
        for schema in ["(i64, str)", "(i64, str?)"] {
            let program = Program::new(&Schema::parse(schema).unwrap());
            for from in froms {
                for to in [SinkLayout::ROW, SinkLayout::BATCH] {
                    let key = Key::new(&program, &Conversion { from, to });
                    assert_eq!(key, Key::new(&program, &Conversion { from, to }));
                    keys.push(key);
                }
            }
        }
        for Described { schema, storage, .. } in described.map(storage) {
            let program = Program::extended(&schema, storage);
            let (from, to) = (SourceLayout::UNSAFE_ROWS, SinkLayout::BATCH);
            keys.push(Key::new(&program, &Conversion { from, to }));
        }
        for (i, key) in keys.iter().enumerate() {
            assert!(!keys[..i].iter().any(|other| other.hash() == key.hash() || other == key));
            assert!(!keys[..i].iter().any(|other| other.symbol() == key.symbol()));
        }
        let fingerprint = Schema::parse("(i64, str)").unwrap().fingerprint();
        let symbol = keys[0].symbol();
        assert!(symbol.starts_with(&format!("serow_row_to_row_{fingerprint:016x}_")), "{symbol}");
        let text = String::from_utf8_lossy(keys[0].bytes());
        for part in [env!("SEROW_BUILD"), "llvm 22.", "x86_64", "-disable-lsr", "+sse2"] {
            assert!(text.contains(part), "no {part} in {text}");
        }
    }
}
