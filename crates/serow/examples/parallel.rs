//! The process with the rows in Rust for `make bench-parallel`. It answers the requests that
//! `benches/parallel/python_side.py` describes.

use std::collections::HashMap;
use std::fs::File;
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, Write};
use std::thread;
use std::time::Instant;

use serde_json::{Value as Json, json};
use serow::{Codec, Compression, Options, Reader, Schema, Threads, Value, Wire};

type Error = Box<dyn std::error::Error>;

const STARTS: usize = 200;

fn main() -> Result<(), Error> {
    let (mut side, mut answers) = (Side::default(), io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let said = match side.answer(&serde_json::from_str(&line?)?) {
            Ok(value) => json!({ "value": value }),
            Err(error) => json!({ "error": error.to_string() }),
        };
        writeln!(answers, "{said}")?;
        answers.flush()?;
        if said.get("error").is_some() {
            break;
        }
    }
    Ok(())
}

#[derive(Default)]
struct Side {
    rows: Vec<Value>,
    schema: Option<Schema>,
    /// The messages of one thread, by rows and compression.
    messages: HashMap<(usize, String), Vec<u8>>,
}

impl Side {
    fn answer(&mut self, request: &Json) -> Result<Json, Error> {
        match text(request, "do")? {
            "load" => self.load(text(request, "stream")?, number(request, "rows")?),
            "check" => self.check(request),
            "measure" => self.measure(request),
            "start" => Ok(json!(median((0..STARTS).map(|_| start_seconds()).collect()))),
            other => Err(format!("the process in Rust cannot {other:?}").into()),
        }
    }

    fn load(&mut self, stream: &str, most: usize) -> Result<Json, Error> {
        let mut reader = Reader::new(BufReader::new(File::open(stream)?));
        self.rows = reader.by_ref().take(most).collect::<Result<_, _>>()?;
        self.schema = Some(serow::infer(&self.rows)?);
        self.messages.clear();
        Ok(json!(self.rows.len()))
    }

    fn check(&mut self, request: &Json) -> Result<Json, Error> {
        let (codec, count) = (self.codec(request, None)?, number(request, "rows")?);
        let key = (count, text(request, "compression")?.to_owned());
        let one = self.codec(request, Some(Threads::ONE))?;
        let rows = self.rows.get(..count).ok_or("there are not so many rows")?;
        if !self.messages.contains_key(&key) {
            self.messages.insert(key.clone(), one.encode(rows)?);
        }
        let message = &self.messages[&key];
        if codec.encode(rows)? != *message {
            return Err(format!("{count} rows: several threads write other bytes than one").into());
        }
        if codec.decode(message)? != rows {
            return Err(format!("{count} rows did not come back equal").into());
        }
        Ok(json!(message.len()))
    }

    fn measure(&self, request: &Json) -> Result<Json, Error> {
        let (codec, count) = (self.codec(request, None)?, number(request, "rows")?);
        let rows = self.rows.get(..count).ok_or("there are not so many rows")?;
        let key = (count, text(request, "compression")?.to_owned());
        let message = self.messages.get(&key).ok_or("the message was not checked")?;
        let is_encode = text(request, "verb")? == "encode";
        let seconds = (0..number(request, "times")?).map(|_| match is_encode {
            true => seconds(|| codec.encode(rows)),
            false => seconds(|| codec.decode(message)),
        });
        Ok(json!(median(seconds.collect::<Result<_, _>>()?)))
    }

    /// The codec for a request, with other threads if they are given.
    fn codec(&self, request: &Json, threads: Option<Threads>) -> Result<Codec, Error> {
        let schema = self.schema.as_ref().ok_or("there are no rows yet")?;
        let compression = match text(request, "compression")? {
            "none" => Compression::None,
            name => Compression::parse(name, None)?,
        };
        let threads = match (threads, text(request, "threads")?) {
            (Some(threads), _) => threads,
            (None, "auto") => Threads::Auto,
            (None, count) => Threads::of(count.parse()?)?,
        };
        let options = Options::from(Wire::Frame).with_compression(compression);
        Ok(Codec::new(schema, options.with_threads(threads)))
    }
}

/// The seconds that `work` takes. Dropping its result takes time too and is not counted.
fn seconds<T>(work: impl FnOnce() -> serow::Result<T>) -> serow::Result<f64> {
    let begun = Instant::now();
    let result = black_box(work()?);
    let seconds = begun.elapsed().as_secs_f64();
    drop(result);
    Ok(seconds)
}

fn start_seconds() -> f64 {
    let begun = Instant::now();
    thread::spawn(|| {}).join().expect("an empty function does not panic");
    begun.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    Some((values.get(middle)? + values.get(values.len().checked_sub(1)? - middle)?) / 2.0)
}

fn text<'a>(request: &'a Json, name: &str) -> Result<&'a str, Error> {
    Ok(request[name].as_str().ok_or_else(|| format!("the request has no {name}"))?)
}

fn number(request: &Json, name: &str) -> Result<usize, Error> {
    let found = request[name].as_u64().ok_or_else(|| format!("the request has no {name}"))?;
    Ok(usize::try_from(found)?)
}
