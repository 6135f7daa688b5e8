//! The components of an array of any number of dimensions.
//!
//! ```text
//! int     code of the elements' type, plus 16 if their bytes were in the other order at the source
//! bytes   varint: number of dimensions   a varint each: their lengths, outermost first
//!         the elements, in the order of the last dimension first, each little-endian
//! ```
//!
//! The elements are little-endian whatever the source's order of bytes. The order is told so that an
//! array comes back with the type that it had. Types of one byte have no order. A bool is a byte of
//! 0 or 1, and a complex number its real part and then its imaginary part.

use std::fmt;

use half::f16;

use crate::bytes::varint;
use crate::error::Fault;
use crate::limits::{MAX_DEPTH, MAX_ROW_ELEMENTS};

/// The type of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are those of Rust and NumPy")]
pub enum ElementType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    Complex64,
    Complex128,
}

impl ElementType {
    /// All types, in the order of their codes.
    pub const ALL: [ElementType; 14] = [
        ElementType::Bool,
        ElementType::I8,
        ElementType::I16,
        ElementType::I32,
        ElementType::I64,
        ElementType::U8,
        ElementType::U16,
        ElementType::U32,
        ElementType::U64,
        ElementType::F16,
        ElementType::F32,
        ElementType::F64,
        ElementType::Complex64,
        ElementType::Complex128,
    ];

    /// Returns its name, which is also NumPy's.
    pub fn name(self) -> &'static str {
        match self {
            ElementType::Bool => "bool",
            ElementType::I8 => "int8",
            ElementType::I16 => "int16",
            ElementType::I32 => "int32",
            ElementType::I64 => "int64",
            ElementType::U8 => "uint8",
            ElementType::U16 => "uint16",
            ElementType::U32 => "uint32",
            ElementType::U64 => "uint64",
            ElementType::F16 => "float16",
            ElementType::F32 => "float32",
            ElementType::F64 => "float64",
            ElementType::Complex64 => "complex64",
            ElementType::Complex128 => "complex128",
        }
    }

    /// Returns the number of bytes of an element.
    pub fn size(self) -> usize {
        match self {
            ElementType::Bool | ElementType::I8 | ElementType::U8 => 1,
            ElementType::I16 | ElementType::U16 | ElementType::F16 => 2,
            ElementType::I32 | ElementType::U32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::U64 | ElementType::F64 | ElementType::Complex64 => 8,
            ElementType::Complex128 => 16,
        }
    }

    /// Returns the number of bytes whose order a machine may reverse: a complex number has two such
    /// words.
    pub fn word(self) -> usize {
        match self {
            ElementType::Complex64 => 4,
            ElementType::Complex128 => 8,
            of => of.size(),
        }
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An element of an array, whatever its type.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say which numbers")]
pub enum Element {
    Bool(bool),
    I64(i64),
    U64(u64),
    F64(f64),
    Complex([f64; 2]),
}

/// What the code is more by if the source's order of bytes was the other one.
const BIG_ENDIAN: i64 = 16;

/// The most dimensions of an array.
pub const MAX_DIMENSIONS: usize = MAX_DEPTH;

/// Lists that an array may be read as in any case, and for each byte of its elements. Without these bounds a few
/// bytes could ask for any number of empty lists.
const FREE_LISTS: usize = 1024;
const LISTS_PER_BYTE: usize = 4;

const NO_ARRAY: Fault =
    Fault::Corrupt("an array has no such shape, or other elements than its shape");

const TOO_MANY_LISTS: Fault = Fault::Limit(
    "an array would become more lists than its bytes allow; read it as an array, not as lists",
);

const TOO_MANY_ELEMENTS: Fault = Fault::Limit(
    "an array has more than 268,435,456 elements, the most that a list may have; read it as an array",
);

/// An array of any number of dimensions, as its components hold it.
///
/// ```
/// # use serow_core::schema::{ElementType, NdArray};
/// let mut bytes = Vec::new();
/// NdArray::write_shape(&[2, 3], &mut bytes)?;
/// bytes.extend([1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0].map(f32::to_le_bytes).concat());
/// let array = NdArray::of_components(NdArray::code(ElementType::F32, false), &bytes)?;
/// assert_eq!(array.shape().lengths().collect::<Vec<_>>(), [2, 3]);
/// assert_eq!(array.elements().len(), 24);
/// # Ok::<(), serow_core::error::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NdArray<'a> {
    of: ElementType,
    is_big_endian: bool,
    shape: Shape<'a>,
    elements: &'a [u8],
}

impl<'a> NdArray<'a> {
    /// Returns the code of elements of this type, whose order of bytes was the other one if `is_big_endian`.
    pub fn code(of: ElementType, is_big_endian: bool) -> i64 {
        of as i64 + if is_big_endian && of.word() > 1 { BIG_ENDIAN } else { 0 }
    }

    /// Appends the lengths of the dimensions, outermost first. The elements follow.
    ///
    /// # Errors
    /// A fault if there are more than [`MAX_DIMENSIONS`].
    pub fn write_shape(lengths: &[usize], bytes: &mut Vec<u8>) -> Result<(), Fault> {
        if lengths.len() > MAX_DIMENSIONS {
            return Err(NO_ARRAY);
        }
        varint::push(bytes, lengths.len() as u64);
        lengths.iter().for_each(|&len| varint::push(bytes, len as u64));
        Ok(())
    }

    /// Returns the array with these components.
    ///
    /// # Errors
    /// A fault if they are not those of an array.
    pub fn of_components(code: i64, bytes: &'a [u8]) -> Result<NdArray<'a>, Fault> {
        let is_big_endian = code & BIG_ENDIAN != 0;
        let of = NdArray::element_of(code).ok_or(NO_ARRAY)?;
        let (shape, elements) = Shape::split(bytes).ok_or(NO_ARRAY)?;
        // As in NumPy, an array without elements may have no lengths that no array has.
        let size = shape.lengths().try_fold(of.size(), |size, len| size.checked_mul(len.max(1)));
        let is_right = size.is_some_and(|size| size <= isize::MAX as usize)
            && shape.elements() * of.size() == elements.len()
            && code == NdArray::code(of, is_big_endian)
            // No branch for each, so that they are tested several at a time.
            && (of != ElementType::Bool || elements.iter().fold(0, |all, v| all | v) <= 1);
        match is_right {
            true => Ok(NdArray { of, is_big_endian, shape, elements }),
            false => Err(NO_ARRAY),
        }
    }

    /// Returns the type of the elements of this code.
    pub fn element_of(code: i64) -> Option<ElementType> {
        let of = usize::try_from(code & !BIG_ENDIAN).ok()?;
        ElementType::ALL.get(of).copied()
    }

    /// Returns the type of its elements.
    pub fn element_type(&self) -> ElementType {
        self.of
    }

    /// Returns whether the bytes of its elements were in the other order at the source.
    pub fn is_big_endian(&self) -> bool {
        self.is_big_endian
    }

    /// Returns its shape.
    pub fn shape(&self) -> Shape<'a> {
        self.shape
    }

    /// Returns the element at this index, in the order of the last dimension first.
    ///
    /// # Panics
    /// If there are not as many elements.
    pub fn element(&self, at: usize) -> Element {
        fn bytes<const N: usize>(elements: &[u8], at: usize) -> [u8; N] {
            elements.as_chunks().0[at]
        }
        let v = self.elements;
        match self.of {
            ElementType::Bool => Element::Bool(v[at] != 0),
            ElementType::I8 => Element::I64(i8::from_le_bytes(bytes(v, at)).into()),
            ElementType::I16 => Element::I64(i16::from_le_bytes(bytes(v, at)).into()),
            ElementType::I32 => Element::I64(i32::from_le_bytes(bytes(v, at)).into()),
            ElementType::I64 => Element::I64(i64::from_le_bytes(bytes(v, at))),
            ElementType::U8 => Element::I64(v[at].into()),
            ElementType::U16 => Element::I64(u16::from_le_bytes(bytes(v, at)).into()),
            ElementType::U32 => Element::I64(u32::from_le_bytes(bytes(v, at)).into()),
            ElementType::U64 => Element::U64(u64::from_le_bytes(bytes(v, at))),
            ElementType::F16 => Element::F64(f16::from_le_bytes(bytes(v, at)).into()),
            ElementType::F32 => Element::F64(f32::from_le_bytes(bytes(v, at)).into()),
            ElementType::F64 => Element::F64(f64::from_le_bytes(bytes(v, at))),
            ElementType::Complex64 => {
                let part = |at| f32::from_le_bytes(bytes(v, at)).into();
                Element::Complex([part(2 * at), part(2 * at + 1)])
            }
            ElementType::Complex128 => {
                let part = |at| f64::from_le_bytes(bytes(v, at));
                Element::Complex([part(2 * at), part(2 * at + 1)])
            }
        }
    }

    /// Returns its elements, in the order of the last dimension first, each little-endian.
    pub fn elements(&self) -> &'a [u8] {
        self.elements
    }
}

/// The lengths of an array's dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape<'a> {
    dimensions: usize,
    /// Their varints.
    bytes: &'a [u8],
}

impl<'a> Shape<'a> {
    /// Splits the bytes of an array into its shape and its elements; `None` if they begin with no shape.
    pub fn split(bytes: &'a [u8]) -> Option<(Shape<'a>, &'a [u8])> {
        let mut rest = bytes;
        let dimensions = usize::try_from(take(&mut rest)?).ok()?;
        if dimensions > MAX_DIMENSIONS {
            return None;
        }
        let lengths = rest;
        for _ in 0..dimensions {
            take(&mut rest)?;
        }
        let (bytes, elements) = lengths.split_at(lengths.len() - rest.len());
        Some((Shape { dimensions, bytes }, elements))
    }

    /// Returns the number of dimensions.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Returns the lengths, outermost first.
    pub fn lengths(&self) -> impl Iterator<Item = usize> + use<'a> {
        let mut rest = self.bytes;
        (0..self.dimensions).map_while(move |_| varint::take(&mut rest).map(|len| len as usize))
    }

    /// Returns how many elements an array of this shape has.
    pub fn elements(&self) -> usize {
        self.lengths().fold(1, usize::saturating_mul)
    }

    /// Returns how many lists of lists and elements an array of this shape would be.
    pub fn lists(&self) -> usize {
        let (mut all, mut lists) = (0usize, 1usize);
        for len in self.lengths() {
            all = all.saturating_add(lists);
            lists = lists.saturating_mul(len);
        }
        all
    }
}

/// Takes a varint that is a length in the shortest form.
fn take(bytes: &mut &[u8]) -> Option<u64> {
    let before = bytes.len();
    let v = varint::take(bytes)?;
    (usize::try_from(v).is_ok() && before - bytes.len() == varint::len(v)).then_some(v)
}

impl NdArray<'_> {
    /// Checks that it may become lists of lists.
    ///
    /// # Errors
    /// A limit fault.
    pub fn check_lists(&self) -> Result<(), Fault> {
        if self.shape.elements() > MAX_ROW_ELEMENTS {
            return Err(TOO_MANY_ELEMENTS);
        }
        let most = FREE_LISTS.saturating_add(self.elements.len().saturating_mul(LISTS_PER_BYTE));
        if self.shape.lists() > most { Err(TOO_MANY_LISTS) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(lengths: &[usize], elements: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        NdArray::write_shape(lengths, &mut bytes).unwrap();
        bytes.extend(elements);
        bytes
    }

    #[test]
    fn shapes_and_elements_must_fit() {
        let code = NdArray::code(ElementType::I16, false);
        let fits = |lengths: &[usize], len: usize| {
            NdArray::of_components(code, &bytes(lengths, &vec![1; len])).is_ok()
        };
        assert!(fits(&[], 2) && fits(&[3], 6) && fits(&[2, 3], 12) && fits(&[0, 3], 0));
        assert!(fits(&[1 << 40, 0], 0) && fits(&[1; 64], 2));
        assert!(!fits(&[], 0) && !fits(&[3], 5) && !fits(&[3], 7) && !fits(&[2, 0], 2));
        assert!(!fits(&[1 << 62, 0], 0) && !fits(&[1 << 32, 1 << 32, 1 << 32], 0));
        assert!(!fits(&[usize::MAX, 2], 0) && !fits(&[0, usize::MAX, 4], 0));
        assert!(NdArray::write_shape(&[1; 65], &mut Vec::new()).is_err());
    }

    #[test]
    fn each_array_has_one_form() {
        let byte = bytes(&[1], &[1]);
        let is = |code: i64, bytes: &[u8]| NdArray::of_components(code, bytes).is_ok();
        assert!(is(0, &byte) && is(1, &byte) && is(5, &byte));
        assert!(!is(16, &byte) && !is(17, &byte) && !is(14, &byte) && !is(-1, &byte));
        assert!(!is(32, &byte) && !is(i64::MIN, &byte));
        assert!(is(18, &bytes(&[1], &[1, 2])) && is(29, &bytes(&[], &[0; 16])));
        assert!(!is(0, &bytes(&[1], &[2])));
        // The length 1 in two bytes.
        assert!(!is(1, &[3, 6, 0, 1]));
        assert!(!is(1, &[]) && !is(1, &[3]));
    }

    #[test]
    fn few_bytes_are_few_lists() {
        let lists = |lengths: &[usize], len: usize| {
            let bytes = bytes(lengths, &vec![0; len]);
            NdArray::of_components(1, &bytes).unwrap().check_lists().is_ok()
        };
        assert!(lists(&[1000, 0], 0) && lists(&[10_000, 1, 1], 10_000) && lists(&[], 1));
        assert!(!lists(&[2000, 0], 0) && !lists(&[10_000, 1, 1, 1, 1, 1], 10_000));
    }
}
