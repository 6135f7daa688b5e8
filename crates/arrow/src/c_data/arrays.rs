//! Arrays of a known type.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::ffi::FFI_ArrowArray;
use arrow_array::{ArrayRef, make_array};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_data::{ArrayData, BufferSpec, layout};
use arrow_schema::DataType;
use serow_core::Result;

use super::{at, children, count, refused, views, wrong};

/// `struct ArrowArray` of the C data interface.
#[repr(C)]
struct CArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut CArray,
    dictionary: *mut CArray,
    release: Option<unsafe extern "C" fn(*mut CArray)>,
    private_data: *mut c_void,
}

/// The most bytes of a buffer: what the address space of a process has on any machine that exists.
const MAX_BUFFER: usize = 1 << 56;

/// # Safety
/// See [`super::array`].
pub(super) unsafe fn array(given: FFI_ArrowArray, ty: &DataType) -> Result<ArrayRef> {
    let owner = Arc::new(given);
    // `CArray` has the fields of `FFI_ArrowArray`, because the C data interface defines both.
    let array = Arc::as_ptr(&owner).cast::<CArray>();
    // SAFETY: the caller's promise.
    let data = unsafe { data(&owner, array, ty, true) }?;
    Ok(make_array(data))
}

/// The data of an array of `ty`, which `owner` releases with all others of the same producer. Its children
/// are checked before it. The children of the outermost are columns.
///
/// # Safety
/// See [`super::array`].
unsafe fn data(
    owner: &Arc<FFI_ArrowArray>,
    array: *const CArray,
    ty: &DataType,
    is_outermost: bool,
) -> Result<ArrayData> {
    // SAFETY: the caller's promise.
    let of = unsafe { at(array, &"array") }?;
    if of.release.is_none() {
        return wrong("it is already released");
    }
    let len = count("length", of.length)?;
    let offset = count("offset", of.offset)?;
    let end = len + offset;
    if end > isize::MAX as usize {
        return wrong(format_args!("its length can't be {len} after an offset of {offset}"));
    }
    if !(-1..=of.length).contains(&of.null_count) {
        return wrong(format_args!(
            "it has {len} values, and {} of them are said to be null",
            of.null_count
        ));
    }
    // An array without values needs no memory, wherever its addresses lead to.
    let own = match len {
        0 => Own { of, owner, offset: 0, end: 0 },
        _ => Own { of, owner, offset, end },
    };
    let (mut buffers, nulls) = own.buffers(ty)?;
    views::clean(ty, &mut buffers, own.offset, nulls.as_ref());
    let mut within = Vec::new();
    let child_types = child_types(ty);
    // SAFETY: the caller's promise.
    let given = unsafe { children(of.n_children, of.children, child_types.len(), ty) }?;
    for (child, (name, ty)) in given.into_iter().zip(child_types) {
        // SAFETY: the caller's promise.
        let child = unsafe { data(owner, child, ty, false) };
        let place = if is_outermost { "column" } else { "field" };
        within.push(child.map_err(|error| error.within(format_args!("{place} {name}")))?);
    }
    match ty {
        DataType::Dictionary(_, values) => {
            // SAFETY: the caller's promise.
            let values = unsafe { data(owner, of.dictionary, values, false) };
            within.push(values.map_err(|error| error.within("its dictionary"))?);
        }
        _ if !of.dictionary.is_null() => {
            return wrong(format_args!("it has a dictionary, and the type {ty} has none"));
        }
        // The library multiplies them.
        DataType::FixedSizeList(_, size) if own.end.checked_mul(*size as usize).is_none() => {
            return wrong(format_args!("it can't have {end} lists of {size} values"));
        }
        _ => {}
    }
    let made = ArrayData::builder(ty.clone()).len(len).offset(own.offset).nulls(nulls);
    let made = made.buffers(buffers).child_data(within).align_buffers(true);
    // SAFETY: nothing has the data before it is checked.
    let made = unsafe { made.skip_validation(true) }.build();
    let checked = made.and_then(|data| {
        // Arrays within each other are checked once more here, but not what is in their buffers. `Import`
        // checks that, where it takes it.
        data.validate()?;
        if matches!(ty, DataType::RunEndEncoded(..)) {
            data.validate_values()?;
        }
        Ok(data)
    });
    checked.map_err(refused)
}

/// The names and types of the children of an array of `ty`.
fn child_types(ty: &DataType) -> Vec<(&str, &DataType)> {
    match ty {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _)
        | DataType::Map(field, _) => vec![(field.name(), field.data_type())],
        DataType::Struct(fields) => {
            fields.iter().map(|field| (field.name().as_str(), field.data_type())).collect()
        }
        DataType::Union(fields, _) => {
            fields.iter().map(|(_, field)| (field.name().as_str(), field.data_type())).collect()
        }
        DataType::RunEndEncoded(ends, values) => {
            vec![(ends.name(), ends.data_type()), (values.name(), values.data_type())]
        }
        _ => Vec::new(),
    }
}

/// An array without its children.
struct Own<'a> {
    of: &'a CArray,
    owner: &'a Arc<FFI_ArrowArray>,
    offset: usize,
    /// The end of the values, from the beginning of the buffers.
    end: usize,
}

impl Own<'_> {
    /// The buffers of an array of `ty`, without and with its null bits.
    fn buffers(&self, ty: &DataType) -> Result<(Vec<Buffer>, Option<NullBuffer>)> {
        let layout = layout(ty);
        let n = count("number of buffers", self.of.n_buffers)?;
        if *ty == DataType::Null {
            // Polars gives it one.
            return Ok((Vec::new(), None));
        }
        let first = usize::from(layout.can_contain_null_mask);
        let fixed = first + layout.buffers.len();
        // The last buffer has the lengths of those that are not fixed.
        let more = if layout.variadic { n.checked_sub(fixed + 1) } else { n.checked_sub(fixed) };
        let more = match more {
            Some(more) if layout.variadic && more <= i32::MAX as usize => more,
            Some(0) => 0,
            _ => {
                let least = if layout.variadic { " or more" } else { "" };
                let fixed = fixed + usize::from(layout.variadic);
                return wrong(format_args!(
                    "it has {n} buffers, and the type {ty} has {fixed}{least}"
                ));
            }
        };
        if n > 0 && self.of.buffers.is_null() && self.end > 0 {
            return wrong("the address of its buffers is null");
        }
        let nulls = if first == 1 { self.nulls()? } else { None };
        let mut buffers: Vec<Buffer> = Vec::with_capacity(layout.buffers.len() + more);
        for (i, spec) in layout.buffers.iter().enumerate() {
            let len = match spec {
                BufferSpec::FixedWidth { byte_width, .. } => {
                    let has_ends = i == 0 && has_offsets(ty) && self.end > 0;
                    self.end.saturating_add(has_ends.into()).saturating_mul(*byte_width)
                }
                BufferSpec::BitMap => self.end.div_ceil(8),
                BufferSpec::VariableWidth => self.last_offset(ty, buffers.last())?,
                BufferSpec::AlwaysNull => 0,
            };
            buffers.push(self.buffer(first + i, len)?);
        }
        if more > 0 && self.end > 0 {
            let lengths = self.buffer(fixed + more, more * size_of::<i64>())?;
            for (i, len) in lengths.as_chunks().0.iter().enumerate() {
                let len = count("length of a buffer", i64::from_ne_bytes(*len))?;
                buffers.push(self.buffer(fixed + i, len)?);
            }
        }
        Ok((buffers, nulls))
    }

    /// Which values are null, if some are.
    fn nulls(&self) -> Result<Option<NullBuffer>> {
        let said = self.of.null_count;
        if self.end == 0 {
            return Ok(None);
        }
        if self.address(0).is_null() {
            return match said > 0 {
                true => wrong(format_args!(
                    "{said} of its values are said to be null, and buffer 0 is null"
                )),
                false => Ok(None),
            };
        }
        let bits = self.buffer(0, self.end.div_ceil(8))?;
        let nulls = NullBuffer::new(BooleanBuffer::new(bits, self.offset, self.end - self.offset));
        match nulls.null_count() {
            many if said >= 0 && many as i64 != said => {
                wrong(format_args!("{said} of its values are said to be null, and {many} are"))
            }
            0 => Ok(None),
            _ => Ok(Some(nulls)),
        }
    }

    /// The last of the offsets, which is the length of what they are in.
    fn last_offset(&self, ty: &DataType, offsets: Option<&Buffer>) -> Result<usize> {
        let bytes = offsets.map_or(&[][..], Buffer::as_slice);
        let last = match ty {
            DataType::LargeUtf8 | DataType::LargeBinary => {
                bytes.last_chunk().map(|last| i64::from_ne_bytes(*last))
            }
            _ => bytes.last_chunk().map(|last| i32::from_ne_bytes(*last).into()),
        };
        count("last offset", last.unwrap_or(0))
    }

    fn address(&self, i: usize) -> *const u8 {
        // SAFETY: the promise of `data`, and `buffers` has compared `i` with the number of buffers, and its
        // address with null.
        unsafe { self.of.buffers.add(i).read_unaligned() }.cast()
    }

    /// The first `len` bytes of a buffer.
    fn buffer(&self, i: usize, len: usize) -> Result<Buffer> {
        if len == 0 {
            return Ok(Buffer::default());
        }
        let Some(address) = NonNull::new(self.address(i).cast_mut()) else {
            return wrong(format_args!("buffer {i} is null"));
        };
        if len > MAX_BUFFER || address.addr().checked_add(len).is_none() {
            return wrong(format_args!("buffer {i} can't have {len} bytes"));
        }
        // SAFETY: the promise of `data`. The owner is released after the buffer is dropped.
        Ok(unsafe { Buffer::from_custom_allocation(address, len, self.owner.clone()) })
    }
}

/// Whether the first buffer has an offset more than there are values.
fn has_offsets(ty: &DataType) -> bool {
    matches!(
        ty,
        DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::List(_)
            | DataType::LargeList(_)
            | DataType::Map(..)
    )
}
