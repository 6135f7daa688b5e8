//! Native methods that infer schemas from descriptions of rows, as Java's `RowShapes` writes them:
//! a tag a value and, after that of a list or tuple, the number of its elements and their
//! descriptions. The tag of a value that is made of parts is its type's code.

use jni::objects::{JByteArray, JClass};
use jni::sys::{jint, jlong, jobject};
use serow_core::encode::looked_at;
use serow_core::limits::MAX_DEPTH;
use serow_core::schema::{Container, Inspect, Kind, Logical, Scalar, Schema, Shape};
use serow_core::{Error, Result};

use crate::env::Env;
use crate::guard::guard;
use crate::handle;

/// All the types that rows have had so far.
#[derive(Default)]
struct Inference {
    shape: Shape,
    bytes: Vec<u8>,
    /// How often the schema was widened.
    widened: u32,
}

impl Inference {
    fn add(&mut self, rows: usize) -> Result<()> {
        let mut rest = &self.bytes[..];
        for _ in 0..rows {
            self.shape.add_value(&value(&mut rest, 0)?).map_err(|_| wrong())?;
        }
        match rest.is_empty() {
            true => Ok(()),
            false => Err(wrong()),
        }
    }

    /// The schema of the rows seen. It is itself joined with rows that are seen later, so that
    /// these only ever widen it.
    fn schema(&mut self) -> Result<Schema> {
        let schema = Schema::new(self.shape.clone().into_type())?;
        self.shape.join(Shape::of(schema.root()));
        Ok(schema)
    }
}

/// What Java says of a value.
enum Described {
    Scalar(Scalar),
    Container(Container, Vec<Described>),
}

impl<'a> Inspect for &'a Described {
    type Elements = std::slice::Iter<'a, Described>;

    fn name(self) -> Option<std::sync::Arc<str>> {
        None
    }

    fn kind(self) -> Option<Kind<Self::Elements>> {
        Some(match self {
            Described::Scalar(scalar) => Kind::Scalar(*scalar),
            Described::Container(container, elements) => {
                Kind::Container(*container, elements.iter())
            }
        })
    }
}

fn value(description: &mut &[u8], depth: usize) -> Result<Described> {
    let (&tag, rest) = description.split_first().ok_or_else(wrong)?;
    *description = rest;
    let scalar = match tag {
        0 => Scalar::Null,
        1 => Scalar::Bool,
        2 => Scalar::I64,
        3 => Scalar::F64,
        4 => Scalar::Str,
        5 => return Ok(Described::Container(Container::List, values(description, depth)?)),
        6 => return Ok(Described::Container(Container::Tuple, values(description, depth)?)),
        code => Scalar::Logical(Logical::of_code(code.into()).ok_or_else(wrong)?),
    };
    Ok(Described::Scalar(scalar))
}

fn values(description: &mut &[u8], depth: usize) -> Result<Vec<Described>> {
    let (&count, rest) = description.split_first_chunk().ok_or_else(wrong)?;
    let count = u32::from_le_bytes(count) as usize;
    if count > rest.len() || depth > MAX_DEPTH {
        return Err(wrong());
    }
    *description = rest;
    (0..count).map(|_| value(description, depth + 1)).collect()
}

fn wrong() -> Error {
    Error::encode("a row was described wrongly, which is a fault of serow; please report it")
}

/// `long inferenceOpen()`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_Native_inferenceOpen<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
) -> jlong {
    guard(&env, || Ok(handle::give(Inference::default())))
}

/// `void inferenceAdd(long inference, byte[] shapes, int length, int rows)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_Native_inferenceAdd<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    inference: jlong,
    shapes: JByteArray<'l>,
    length: jint,
    rows: jint,
) {
    guard(&env, || {
        // SAFETY: Java's `Inference` is used by one thread, and not after it is closed.
        let inference = unsafe { handle::exclusive::<Inference>(inference) };
        inference.bytes.clear();
        env.read_bytes(&shapes, 0, length as usize, &mut inference.bytes)?;
        inference.add(rows as usize)
    })
}

/// `int inferenceWiden(long inference, int left)`
#[unsafe(no_mangle)]
extern "system" fn Java_io_github_serow_Native_inferenceWiden<'l>(
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
extern "system" fn Java_io_github_serow_Native_inferenceSchema<'l>(
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
extern "system" fn Java_io_github_serow_Native_inferenceClose<'l>(
    env: Env<'l>,
    _class: JClass<'l>,
    inference: jlong,
) {
    guard(&env, || {
        // SAFETY: Java closes it once.
        unsafe { handle::free::<Inference>(inference) };
        Ok(())
    })
}
