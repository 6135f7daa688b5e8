//! Rows that the benches share. They look like TPC-H's Part but come from a generator here, so no
//! file is needed.

use serow_core::bytes::out::Out;
use serow_core::interpreter;
use serow_core::layout::value::ValueReader;
use serow_core::program::Program;
use serow_core::schema::Schema;
use serow_core::value::Value;
use serow_core::wire::row::{RowWriter, ZeroSizedCounts};

/// The schema of [`parts`].
pub const PART: &str = "(i64, str, str, str, str, i64, str, f64, str)";

/// The schema of [`nested`].
pub const NESTED: &str = "(i64, (f64, f64, (str, i64)), [i64], bool?)";

/// Parses a schema.
pub fn schema(text: &str) -> Schema {
    Schema::parse(text).expect("the schema is valid")
}

/// Pseudo-random numbers that are the same in every run (Marsaglia's xorshift, 2003).
pub struct Chance(u64);

impl Chance {
    /// Starts with a fixed seed.
    pub fn new() -> Chance {
        Chance(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns a number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn word<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
}

const COLOURS: [&str; 12] = [
    "almond",
    "azure",
    "blush",
    "chiffon",
    "drab",
    "frosted",
    "goldenrod",
    "indian",
    "lavender",
    "moccasin",
    "peru",
    "saddle",
];

/// Returns rows of [`PART`].
pub fn parts(count: usize) -> Vec<Value> {
    let mut chance = Chance::new();
    (0..count as i64)
        .map(|key| {
            let name: Vec<_> = (0..5).map(|_| chance.word(&COLOURS)).collect();
            let brand = chance.below(5) + 1;
            Value::Tuple(vec![
                (key + 1).into(),
                name.join(" ").into(),
                format!("Manufacturer#{brand}").into(),
                format!("Brand#{brand}{}", chance.below(5) + 1).into(),
                chance.word(&["PROMO BURNISHED TIN", "LARGE PLATED BRASS", "SMALL STEEL"]).into(),
                (chance.below(50) as i64 + 1).into(),
                chance.word(&["JUMBO PKG", "LG CASE", "WRAP BOX", "SM DRUM"]).into(),
                (90_000.0 / 100.0 + chance.below(120_000) as f64 / 100.0).into(),
                format!("{} {}", chance.word(&COLOURS), chance.below(1 << 30)).into(),
            ])
        })
        .collect()
}

/// Returns rows of [`NESTED`].
pub fn nested(count: usize) -> Vec<Value> {
    let mut chance = Chance::new();
    (0..count)
        .map(|_| {
            let point = format!("point {}", chance.below(1000));
            let numbers = (0..chance.below(8)).map(|n| Value::I64(n as i64)).collect();
            let flag = chance.below(3);
            Value::Tuple(vec![
                (chance.below(1 << 40) as i64).into(),
                Value::Tuple(vec![
                    (chance.below(1 << 50) as f64).into(),
                    (chance.below(100) as f64 / 7.0).into(),
                    Value::Tuple(vec![point.into(), (chance.below(100) as i64).into()]),
                ]),
                Value::List(numbers),
                if flag == 2 { Value::Null } else { (flag == 1).into() },
            ])
        })
        .collect()
}

/// Returns the records of `rows`, which have the schema of `plan`.
pub fn records(plan: &Program, rows: &[Value]) -> Vec<u8> {
    let mut buffer = Vec::new();
    let mut out = Out::new(&mut buffer);
    let mut writer = RowWriter::new(&mut out, 0, ZeroSizedCounts::default());
    let run = interpreter::run(plan, &mut ValueReader::new(rows), &mut writer, 0..rows.len());
    assert!(run.expect("the rows fit their schema").is_continue());
    out.written().to_vec()
}
