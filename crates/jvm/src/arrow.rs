//! Native methods that take and give rows by Arrow's C data interface. Java gives the addresses of its
//! structures.
//!
//! A structure that Java has exported is moved away from its address, so that it is released once: by
//! this crate, at the latest when Java closes the handle.

use std::collections::VecDeque;
use std::ffi::{CStr, c_void};
use std::sync::{Arc, LazyLock};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::{DataType, Field, Schema as ArrowSchema};
use jni::objects::{JByteArray, JLongArray};
use jni::sys::{jint, jlong};
use serow_arrow::c_data::{self, Extensions};
use serow_arrow::{BatchRows, Columns, FrameBatches, Import, Target};
use serow_core::plan::FormerNames;
use serow_core::program::Program;
use serow_core::wire::frame::ColumnSet;
use serow_core::{Error, Result};

use crate::decode::{decoder, max_memory};
use crate::encode::encoder;
use crate::env::Env;
use crate::unpack::{Unpacked, Unpacker};
use crate::{format, handle, schema};

/// Batches that Java has given, all of one schema.
struct GivenBatches {
    import: Import,
    field: Field,
    /// The batches whose rows are not read yet.
    batches: VecDeque<RecordBatch>,
    /// The program of the first batch, and its next row, once rows of it are read.
    reading: Option<(Arc<Program>, usize)>,
    /// The number of rows that were read.
    before: usize,
}

impl GivenBatches {
    /// Makes sure that the first batch has rows to read. Returns whether there is one.
    fn skip_to_rows(&mut self) -> bool {
        while let Some(batch) = self.batches.front() {
            let row = self.reading.as_ref().map_or(0, |(_, row)| *row);
            if row < batch.num_rows() {
                return true;
            }
            self.batches.pop_front();
            self.reading = None;
        }
        false
    }

    /// Unpacks columns of the next rows. A batch is dropped when its last row is read.
    fn unpack_next(&mut self, unpacker: &mut Unpacker) -> Result<Option<Unpacked>> {
        if !self.skip_to_rows() {
            return Ok(None);
        }
        let first = &self.batches[0];
        let (program, row) = match self.reading.take() {
            Some(reading) => reading,
            None => (self.import.program(std::slice::from_ref(first))?, 0),
        };
        let mut columns = Columns::take();
        self.import.read(&program, first, row, &mut columns)?;
        let set = ColumnSet::staged(&program, &columns);
        let unpacked = unpacker.unpack_set(&program, set, self.before)?;
        unpacker.reduce_memory(&unpacked);
        self.before += columns.rows;
        self.reading = Some((program, row + columns.rows));
        self.skip_to_rows();
        Ok(Some(unpacked))
    }
}

/// Keeps this library mapped until the process ends: an array may be released after the class loader of
/// Java's classes is unloaded.
fn keep_mapped() -> Result<()> {
    static KEPT: LazyLock<bool> = LazyLock::new(|| {
        let here = keep_mapped as fn() -> Result<()> as *const c_void;
        // SAFETY: there is space for the answer, and the name that it has is valid as long as the library
        // is mapped. The library is loaded already, so nothing runs.
        unsafe {
            let mut found: libc::Dl_info = std::mem::zeroed();
            if libc::dladdr(here, &raw mut found) == 0 || found.dli_fname.is_null() {
                return false;
            }
            let name = CStr::from_ptr(found.dli_fname);
            let flags = libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_NODELETE;
            !libc::dlopen(name.as_ptr(), flags).is_null()
        }
    });
    match *KEPT {
        true => Ok(()),
        false => Err(Error::encode("the native library can't be kept for the arrays")),
    }
}

pub fn arrow_stream<'l>(
    env: &Env<'l>,
    message: JByteArray<'l>,
    plan: jlong,
    memory: jlong,
    batch_rows: jint,
    stream: jlong,
) -> Result<()> {
    keep_mapped()?;
    // SAFETY: Java keeps the plan open during the call.
    let program = unsafe { schema::any_program(plan) };
    let mut batches = FrameBatches::new(program.as_ref(), max_memory(memory))
        .with_most_rows(usize::try_from(batch_rows).unwrap_or(1));
    let made = batches.of_message(&env.read_all_bytes(&message)?)?;
    let arrow_schema = batches.schema()?;
    // A name with a null character can't cross the border.
    FFI_ArrowSchema::try_from(&*arrow_schema).map_err(|error| Error::schema(error.to_string()))?;
    let made = RecordBatchIterator::new(made.into_iter().map(Ok), arrow_schema);
    // SAFETY: Java gives the address of a stream that is released, which it releases.
    unsafe {
        (stream as *mut FFI_ArrowArrayStream).write(FFI_ArrowArrayStream::new(Box::new(made)))
    };
    Ok(())
}

pub fn arrow_open(_env: &Env<'_>, plan: jlong, given: jlong) -> Result<jlong> {
    // SAFETY: Java gives the address of a schema that it has exported.
    let field = unsafe {
        let given = FFI_ArrowSchema::from_raw(given as *mut FFI_ArrowSchema);
        c_data::field(&given, Extensions::Known)
    }?;
    let DataType::Struct(columns) = field.data_type() else {
        return Err(Error::schema("the schema is not one of columns"));
    };
    let columns = ArrowSchema::new_with_metadata(columns.clone(), field.metadata().clone());
    // SAFETY: Java keeps the plan open during the call.
    let program = unsafe { schema::any_program(plan) };
    let import = Import::of_rows(&columns, program.as_ref())?;
    Ok(handle::give(GivenBatches {
        import,
        field,
        batches: VecDeque::new(),
        reading: None,
        before: 0,
    }))
}

/// The batches of a handle.
///
/// # Safety
/// As for [`handle::exclusive`].
unsafe fn given<'a>(handle: jlong) -> &'a mut GivenBatches {
    // SAFETY: the caller upholds the contract.
    unsafe { handle::exclusive(handle) }
}

pub fn arrow_add(_env: &Env<'_>, handle: jlong, array: jlong) -> Result<()> {
    // SAFETY: Java gives the address of an array that it has exported, of the type of its schema. Only one
    // thread uses the batches.
    let (given, array) = unsafe {
        let array = FFI_ArrowArray::from_raw(array as *mut FFI_ArrowArray);
        let given = given(handle);
        let array = c_data::array(array, given.field.data_type())?;
        (given, array)
    };
    given.batches.push_back(c_data::batch_of(&given.field, array)?);
    Ok(())
}

pub fn encoder_put_arrow(
    _env: &Env<'_>,
    encoder_handle: jlong,
    handle: jlong,
    plan: jlong,
    format: jint,
) -> Result<jlong> {
    // SAFETY: only one thread uses the encoder and the batches, and Java keeps the plan open.
    let (encoder, given, program) =
        unsafe { (encoder(encoder_handle), given(handle), schema::any_program(plan)) };
    let former_names = FormerNames::default();
    let target =
        program.as_ref().map_or(Target::Own, |program| Target::Exactly(program, &former_names));
    let batches = given.batches.make_contiguous();
    let mut rows = BatchRows::new(&given.import, batches, target, 0)?;
    // SAFETY: there is no direct buffer.
    unsafe { encoder.begin(rows.program().clone(), format::read(format), None, 0)? };
    for batch in batches.iter() {
        rows.each(batch, |_, columns, count| encoder.put_columns(columns, count))?;
    }
    Ok(encoder.finish()? as jlong)
}

pub fn decoder_next_arrow<'l>(
    env: &Env<'l>,
    decoder_handle: jlong,
    handle: jlong,
    frame: JLongArray<'l>,
) -> Result<bool> {
    // SAFETY: only one thread uses the decoder and the batches.
    let (decoder, given) = unsafe { (decoder(decoder_handle), given(handle)) };
    match given.unpack_next(&mut decoder.unpacker)? {
        Some(unpacked) => env.write_longs(&frame, &unpacked.words()).map(|()| true),
        None => Ok(false),
    }
}
