//! Schemas.

use std::ffi::{CStr, c_char, c_void};
use std::fmt::Display;
use std::sync::Arc;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_schema::{DataType, Field, FieldRef, Metadata, UnionFields, UnionMode};
use serow_core::limits::{MAX_DEPTH, MAX_TYPE_LIST};
use serow_core::{Error, Result};

use super::{Extensions, at, children, count, refused, wrong};
use crate::types::{EXTENSION, EXTENSION_DETAILS};

/// `struct ArrowSchema` of the C data interface.
#[repr(C)]
struct CSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut CSchema,
    dictionary: *mut CSchema,
    release: Option<unsafe extern "C" fn(*mut CSchema)>,
    private_data: *mut c_void,
}

/// The flags of a field that may be null, of a dictionary in order, and of a map with sorted keys.
const NULLABLE: i64 = 2;
const ORDERED: i64 = 1;
const SORTED: i64 = 4;

/// The most types within each other. A dictionary, or runs, are none of serow's types, so there may be
/// more than serow's. The arrays are no deeper.
const MAX_TYPES: usize = 4 * MAX_DEPTH;
/// The most entries of a field's metadata, and the most bytes of them.
const MAX_ENTRIES: usize = 1 << 20;
const MAX_METADATA: usize = 1 << 28;

/// # Safety
/// See [`super::field`].
pub(super) unsafe fn field(schema: &FFI_ArrowSchema, extensions: Extensions) -> Result<Field> {
    let mut reading = Reading { left: MAX_TYPE_LIST, extensions };
    // SAFETY: `CSchema` has the fields of `FFI_ArrowSchema`, because the C data interface defines both. The
    // caller promises the rest.
    unsafe { reading.field(std::ptr::from_ref(schema).cast(), &"schema", 0) }
}

struct Reading {
    /// How many more fields there may be. A schema may have the same child many times.
    left: usize,
    extensions: Extensions,
}

impl Reading {
    /// # Safety
    /// See [`super::field`].
    unsafe fn field(
        &mut self,
        schema: *const CSchema,
        what: &dyn Display,
        depth: usize,
    ) -> Result<Field> {
        if depth > MAX_TYPES || self.left == 0 {
            return Err(Error::limit(format!(
                "it has more than {MAX_TYPES} types within each other, or more than {MAX_TYPE_LIST} fields"
            )));
        }
        self.left -= 1;
        // SAFETY: the caller's promise.
        let of = unsafe { at(schema, what) }?;
        if of.release.is_none() {
            return wrong(format_args!("the {what} is already released"));
        }
        // SAFETY: the caller's promise.
        let name = unsafe { text("name", of.name) }?.unwrap_or_default();
        // SAFETY: the caller's promise.
        let mut read = || unsafe {
            let Some(format) = text("format", of.format)? else {
                return wrong("its format is null");
            };
            let mut metadata = metadata(of.metadata.cast())?;
            let ty = self.data_type(of, format, depth, &mut metadata)?;
            if self.extensions == Extensions::Storage {
                metadata.remove(EXTENSION);
            }
            Ok((ty, metadata))
        };
        let (ty, metadata) = match depth {
            0 => read()?,
            _ => read().map_err(|error| error.within(format_args!("field {name}")))?,
        };
        Ok(Field::new(name, ty, of.flags & NULLABLE != 0)
            .with_dict_is_ordered(of.flags & ORDERED != 0)
            .with_metadata(metadata))
    }

    /// The type of a field. If the entries of a dictionary have an extension type, it goes to `metadata`.
    ///
    /// # Safety
    /// See [`super::field`].
    unsafe fn data_type(
        &mut self,
        of: &CSchema,
        format: &str,
        depth: usize,
        metadata: &mut Metadata,
    ) -> Result<DataType> {
        let (name, parameter) = match format.split_once(':') {
            Some((name @ ("+w" | "+ud" | "+us"), parameter)) => (name, parameter),
            _ => (format, ""),
        };
        let (expected, leaf) = match name {
            "+s" | "+ud" | "+us" => match count("number of children", of.n_children)? {
                many if many > self.left => {
                    return Err(Error::limit(format!(
                        "it has {many} children, and a schema has at most {MAX_TYPE_LIST} fields"
                    )));
                }
                some => (some, None),
            },
            "+l" | "+L" | "+vl" | "+vL" | "+w" | "+m" => (1, None),
            "+r" => (2, None),
            _ => (0, Some(plain(format)?)),
        };
        // SAFETY: the caller's promise.
        let given = unsafe { children(of.n_children, of.children, expected, format) }?;
        let mut fields: Vec<FieldRef> = Vec::with_capacity(expected);
        for (i, child) in given.into_iter().enumerate() {
            // SAFETY: the caller's promise.
            let field = unsafe { self.field(child, &format_args!("child {i}"), depth + 1) }?;
            fields.push(Arc::new(field));
        }
        let ty = match leaf {
            Some(ty) => ty,
            None => nested(format, name, parameter, fields, of.flags & SORTED != 0)?,
        };
        if of.dictionary.is_null() {
            return Ok(ty);
        }
        if !ty.is_dictionary_key_type() {
            return wrong(format_args!("the indices of a dictionary can't be {ty}"));
        }
        // SAFETY: the caller's promise.
        let values = unsafe { self.field(of.dictionary, &"dictionary", depth + 1) }?;
        for key in [EXTENSION, EXTENSION_DETAILS] {
            if let Some(text) = values.metadata().get(key) {
                metadata.insert(key, text);
            }
        }
        Ok(DataType::Dictionary(ty.into(), values.data_type().clone().into()))
    }
}

/// A type of `fields`. The format is `name` and a parameter.
fn nested(
    format: &str,
    name: &str,
    parameter: &str,
    fields: Vec<FieldRef>,
    is_sorted: bool,
) -> Result<DataType> {
    Ok(match (name, &fields[..]) {
        ("+s", _) => DataType::Struct(fields.into()),
        ("+l", [item]) => DataType::List(item.clone()),
        ("+L", [item]) => DataType::LargeList(item.clone()),
        ("+vl", [item]) => DataType::ListView(item.clone()),
        ("+vL", [item]) => DataType::LargeListView(item.clone()),
        ("+w", [item]) => DataType::FixedSizeList(item.clone(), size(format, parameter)?),
        ("+m", [entries]) => match entries.data_type() {
            DataType::Struct(parts) if parts.len() == 2 => {
                DataType::Map(entries.clone(), is_sorted)
            }
            other => {
                return wrong(format_args!(
                    "the entries of a map are structs of two fields, not {other}"
                ));
            }
        },
        ("+r", [ends, values]) => match ends.data_type() {
            DataType::Int16 | DataType::Int32 | DataType::Int64 => {
                DataType::RunEndEncoded(ends.clone(), values.clone())
            }
            other => return wrong(format_args!("the ends of runs can't be {other}")),
        },
        ("+ud" | "+us", _) => {
            let ids = parameter.split(',').map(str::parse);
            let ids: Vec<i8> = ids.collect::<std::result::Result<_, _>>().map_err(|_| {
                Error::decode(format!(
                    "the format {format:?} does not say the ids of a union's types"
                ))
            })?;
            let mode = if name == "+ud" { UnionMode::Dense } else { UnionMode::Sparse };
            DataType::Union(UnionFields::try_new(ids, fields).map_err(refused)?, mode)
        }
        _ => {
            return wrong(format_args!(
                "the format {format:?} is none of Arrow's types; convert the column to another type"
            ));
        }
    })
}

/// A type without children.
fn plain(format: &str) -> Result<DataType> {
    let given = match format.starts_with('+') {
        // A nested type that is not known.
        true => None,
        false => FFI_ArrowSchema::try_new(format, Vec::new(), None).ok(),
    };
    let Some(ty) = given.and_then(|schema| DataType::try_from(&schema).ok()) else {
        return wrong(format_args!(
            "the format {format:?} is none of Arrow's types; convert the column to another type"
        ));
    };
    let is_possible = match ty {
        DataType::FixedSizeBinary(width) => width >= 0,
        DataType::Decimal32(precision, _) => (1..=9).contains(&precision),
        DataType::Decimal64(precision, _) => (1..=18).contains(&precision),
        DataType::Decimal128(precision, _) => (1..=38).contains(&precision),
        DataType::Decimal256(precision, _) => (1..=76).contains(&precision),
        _ => true,
    };
    match is_possible {
        true => Ok(ty),
        false => wrong(format_args!("the format {format:?} has a number that is out of range")),
    }
}

/// The size of lists of one size.
fn size(format: &str, parameter: &str) -> Result<i32> {
    match parameter.parse() {
        Ok(size) if size >= 0 => Ok(size),
        _ => wrong(format_args!("the format {format:?} has no size of a list")),
    }
}

/// The text at an address.
///
/// # Safety
/// The address is null, or a text is there that ends with a null and lives for `'a`.
unsafe fn text<'a>(what: &str, address: *const c_char) -> Result<Option<&'a str>> {
    if address.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller's promise.
    match unsafe { CStr::from_ptr(address) }.to_str() {
        Ok(text) => Ok(Some(text)),
        Err(_) => wrong(format_args!("its {what} is not UTF-8")),
    }
}

/// The metadata at an address.
///
/// # Safety
/// If the address is not null, there must be as many lengths and bytes as the lengths before them say.
unsafe fn metadata(address: *const u8) -> Result<Metadata> {
    let mut metadata = Metadata::default();
    if address.is_null() {
        return Ok(metadata);
    }
    let mut position = 0;
    let mut take = |n: usize| {
        // SAFETY: the caller's promise. The sum of the lengths is below `MAX_METADATA`, or little more.
        let taken = unsafe { std::slice::from_raw_parts(address.add(position), n) };
        position += n;
        (taken, position)
    };
    let number = |bytes: &[u8]| i32::from_ne_bytes(bytes.try_into().unwrap_or_default());
    let entries = number(take(4).0);
    match usize::try_from(entries) {
        Ok(entries) if entries <= MAX_ENTRIES => {
            for _ in 0..entries {
                let mut text = || {
                    let (len, before) = take(4);
                    let len = number(len);
                    match usize::try_from(len) {
                        Ok(len) if len <= MAX_METADATA - before.min(MAX_METADATA) => {
                            std::str::from_utf8(take(len).0)
                                .or_else(|_| wrong("its metadata are not UTF-8"))
                        }
                        _ => wrong(format_args!("a text of its metadata can't have {len} bytes")),
                    }
                };
                let (key, value) = (text()?, text()?);
                metadata.insert(key, value);
            }
            Ok(metadata)
        }
        _ => wrong(format_args!("its metadata can't have {entries} entries")),
    }
}
