//! Native methods that infer schemas from descriptions of rows. `RowShapes.java` writes them and
//! describes the format.

use std::sync::Arc;

use jni::objects::{JByteArray, JClass};
use jni::sys::{jint, jlong, jobject};
use serow_core::encode::looked_at;
use serow_core::limits::MAX_DEPTH;
use serow_core::schema::{Container, Enum, Inspect, Kind, Logical, Names, Scalar, Schema, Shape};
use serow_core::{Error, Result};

use crate::env::Env;
use crate::guard::guard;
use crate::handle;

/// The joined types of all rows so far.
#[derive(Default)]
struct Inference {
    shape: Shape,
    bytes: Vec<u8>,
    told: Vec<Told>,
    /// How often the schema has been widened.
    widened: u32,
}

impl Inference {
    fn add(&mut self, rows: usize) -> Result<()> {
        let mut descriptions = Descriptions { rest: &self.bytes, told: &self.told };
        for _ in 0..rows {
            self.shape.add_value(&descriptions.value(0)?).map_err(|_| wrong())?;
        }
        match descriptions.rest.is_empty() {
            true => Ok(()),
            false => Err(wrong()),
        }
    }

    fn tell(&mut self, mut names: &[u8]) -> Result<()> {
        while !names.is_empty() {
            self.told.push(told(&mut names)?);
        }
        Ok(())
    }

    /// The schema of the rows so far. It is joined into the state, so that later rows only widen
    /// it.
    fn schema(&mut self) -> Result<Schema> {
        let schema = Schema::new(self.shape.clone().into_type())?;
        self.shape.join(Shape::of(schema.root()));
        Ok(schema)
    }
}

/// The description of a value.
enum Described {
    Scalar(Scalar),
    Container(Container, Vec<Described>),
    /// The keys and values of a map in turn.
    Map(Vec<Described>),
    Fields(Arc<Names>, Vec<Described>),
    Enum(Arc<Enum>),
}

impl<'a> Inspect for &'a Described {
    type Elements = std::slice::Iter<'a, Described>;

    /// Not needed: Java classifies dicts itself, and sends keys that are names as [`Names`].
    fn name(self) -> Option<Arc<str>> {
        None
    }

    fn kind(self) -> Option<Kind<Self::Elements>> {
        Some(match self {
            Described::Scalar(scalar) => Kind::Scalar(*scalar),
            Described::Container(container, elements) => {
                Kind::Container(*container, elements.iter())
            }
            Described::Map(entries) => Kind::Dict(entries.iter()),
            Described::Fields(names, fields) => Kind::Struct(names.clone(), fields.iter()),
            Described::Enum(of) => Kind::Enum(of.clone()),
        })
    }
}

/// Names that Java has sent.
enum Told {
    Struct(Arc<Names>),
    Enum(Arc<Enum>),
}

/// The unread rest of the descriptions, and the names that they refer to.
struct Descriptions<'a> {
    rest: &'a [u8],
    told: &'a [Told],
}

impl Descriptions<'_> {
    fn value(&mut self, depth: usize) -> Result<Described> {
        let (&tag, rest) = self.rest.split_first().ok_or_else(wrong)?;
        self.rest = rest;
        let scalar = match tag {
            0 => Scalar::Null,
            1 => Scalar::Bool,
            2 => Scalar::I64,
            3 => Scalar::F64,
            4 => Scalar::Str,
            5 => return self.container(Container::List, depth),
            6 => return self.container(Container::Tuple, depth),
            7 => return self.container(Container::Set, depth),
            8 => return self.container(Container::FrozenSet, depth),
            9 => {
                let entries = self.number()?;
                return Ok(Described::Map(self.values(entries.saturating_mul(2), depth)?));
            }
            10 => {
                let Some(Told::Struct(names)) = self.told.get(self.number()?) else {
                    return Err(wrong());
                };
                let fields = self.values(names.fields.len(), depth)?;
                return Ok(Described::Fields(names.clone(), fields));
            }
            11 => {
                let Some(Told::Enum(of)) = self.told.get(self.number()?) else {
                    return Err(wrong());
                };
                return Ok(Described::Enum(of.clone()));
            }
            code => Scalar::Logical(Logical::of_code(code.into()).ok_or_else(wrong)?),
        };
        Ok(Described::Scalar(scalar))
    }

    fn container(&mut self, container: Container, depth: usize) -> Result<Described> {
        let count = self.number()?;
        Ok(Described::Container(container, self.values(count, depth)?))
    }

    fn values(&mut self, count: usize, depth: usize) -> Result<Vec<Described>> {
        if count > self.rest.len() || depth > MAX_DEPTH {
            return Err(wrong());
        }
        (0..count).map(|_| self.value(depth + 1)).collect()
    }

    fn number(&mut self) -> Result<usize> {
        number(&mut self.rest)
    }
}

/// Reads names that are new.
fn told(names: &mut &[u8]) -> Result<Told> {
    let kind = number(names)?;
    let name = if kind == 0 { None } else { Some(name(names)?) };
    let count = number(names)?;
    let all = (0..count).map(|_| self::name(names)).collect::<Result<_>>()?;
    Ok(match (kind, name) {
        (0 | 1, name) => Told::Struct(Arc::new(Names { name, fields: all })),
        (2, Some(name)) => Told::Enum(Arc::new(Enum { name, members: all })),
        _ => return Err(wrong()),
    })
}

fn name(names: &mut &[u8]) -> Result<Arc<str>> {
    let len = number(names)?;
    let (name, rest) = names.split_at_checked(len).ok_or_else(wrong)?;
    *names = rest;
    std::str::from_utf8(name).map(Arc::from).map_err(|_| wrong())
}

fn number(bytes: &mut &[u8]) -> Result<usize> {
    let (&number, rest) = bytes.split_first_chunk().ok_or_else(wrong)?;
    *bytes = rest;
    Ok(u32::from_le_bytes(number) as usize)
}

fn wrong() -> Error {
    Error::encode("serow described a row wrongly; please report it")
}

/// `long inferenceOpen()`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_inferenceOpen<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
) -> jlong {
    guard(&env, || Ok(handle::give_for_call(Inference::default())))
}

/// `void inferenceAdd(long inference, byte[] shapes, int length, int rows, byte[] names,
/// int namesLength)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_inferenceAdd<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    inference: jlong,
    shapes: JByteArray<'l>,
    length: jint,
    rows: jint,
    names: JByteArray<'l>,
    names_length: jint,
) {
    guard(&env, || {
        // SAFETY: only one thread uses an `Inference` of Java, and not after it is closed.
        let inference = unsafe { handle::exclusive::<Inference>(inference) };
        inference.bytes.clear();
        env.read_bytes(&names, 0, names_length as usize, &mut inference.bytes)?;
        let names = std::mem::take(&mut inference.bytes);
        inference.tell(&names)?;
        env.read_bytes(&shapes, 0, length as usize, &mut inference.bytes)?;
        inference.add(rows as usize)
    })
}

/// `int inferenceWiden(long inference, int left)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_inferenceWiden<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    inference: jlong,
    left: jint,
) -> jint {
    guard(&env, || {
        // SAFETY: as in `inferenceAdd`.
        let inference = unsafe { handle::exclusive::<Inference>(inference) };
        inference.widened = inference.widened.saturating_add(1);
        Ok(looked_at(inference.widened, left as usize) as jint)
    })
}

/// `int[] inferenceSchema(long inference)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_inferenceSchema<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    inference: jlong,
) -> jobject {
    guard(&env, || {
        // SAFETY: as in `inferenceAdd`.
        let inference = unsafe { handle::exclusive::<Inference>(inference) };
        env.new_ints(inference.schema()?.type_list())
    })
}

/// `void inferenceClose(long inference)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_jni_Native_inferenceClose<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    inference: jlong,
) {
    guard(&env, || {
        // SAFETY: Java closes an inference once.
        unsafe { handle::free_for_call::<Inference>(inference) };
        Ok(())
    })
}
