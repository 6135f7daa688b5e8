//! Arrays of any number of dimensions: the types of Arrow for their elements, and Arrow's extension types of
//! tensors.
//!
//! | | storage | metadata |
//! |---|---|---|
//! | `arrow.fixed_shape_tensor` | a `fixed_size_list` of all elements of one | a JSON object with its shape |
//! | `arrow.variable_shape_tensor` | a struct of a list of the elements and a list of the lengths | a JSON object, or none |
//!
//! `shape` has the lengths of the dimensions in the order in which the elements are stored. If there is a
//! `permutation`, dimension *i* of the tensor is the stored dimension `permutation[i]`.

use arrow_schema::{DataType, Field};
use serde_json::{Map, Value};
use serow_core::error::Fault;
use serow_core::memory;
use serow_core::schema::nd_array::{MAX_DIMENSIONS, Shape};
use serow_core::schema::{ElementType, NdArray};
use serow_core::{Error, Result};

use crate::dense::Strings;
use crate::types::{EXTENSION, EXTENSION_DETAILS};

/// The extension type of tensors of one shape.
pub const FIXED: &str = "arrow.fixed_shape_tensor";
const VARIABLE: &str = "arrow.variable_shape_tensor";

/// The metadata of arrays whose elements had the order of bytes that the value says at their source.
pub const ORDER: &str = "serow.order";
/// The value of [`ORDER`].
pub const BIG_ENDIAN: &str = "big";

/// The element type of the name in a struct of components begins with this if the bytes are in the other
/// order.
pub const BIG_ENDIAN_PREFIX: char = '>';

/// The children of a struct of components: the elements' type, the shape, and the elements.
pub const COMPONENTS: [&str; 3] = ["type", "shape", "data"];

/// Returns Arrow's type of elements of this type, if there is one.
pub fn arrow_of(of: ElementType) -> Option<DataType> {
    Some(match of {
        ElementType::Bool => DataType::Boolean,
        ElementType::I8 => DataType::Int8,
        ElementType::I16 => DataType::Int16,
        ElementType::I32 => DataType::Int32,
        ElementType::I64 => DataType::Int64,
        ElementType::U8 => DataType::UInt8,
        ElementType::U16 => DataType::UInt16,
        ElementType::U32 => DataType::UInt32,
        ElementType::U64 => DataType::UInt64,
        ElementType::F16 => DataType::Float16,
        ElementType::F32 => DataType::Float32,
        ElementType::F64 => DataType::Float64,
        ElementType::Complex64 | ElementType::Complex128 => return None,
    })
}

/// Returns the type of elements that this type of Arrow has.
pub fn element_of(ty: &DataType) -> Option<ElementType> {
    ElementType::ALL.into_iter().find(|of| arrow_of(*of).as_ref() == Some(ty))
}

/// Whether the values of `field` are elements, and not what an extension type makes of them.
fn are_elements(field: &Field) -> bool {
    !field.metadata().contains_key(EXTENSION) && element_of(field.data_type()).is_some()
}

/// Whether an array of this shape, with elements of `size` bytes, may exist.
pub fn is_shape(lengths: &[usize], size: usize) -> bool {
    let bytes = lengths.iter().try_fold(size, |bytes, &len| bytes.checked_mul(len.max(1)));
    lengths.len() <= MAX_DIMENSIONS && bytes.is_some_and(|bytes| bytes <= isize::MAX as usize)
}

/// What an extension type says of the tensors of a field.
#[derive(Debug, PartialEq, Eq)]
pub enum Tensors {
    /// All have the shape with these lengths, as they are stored.
    Fixed(Vec<usize>, Permutation),
    /// Each has its own shape.
    Variable(Permutation),
}

/// Which dimension of the stored elements each dimension of a tensor is, if they are not the same.
pub type Permutation = Option<Vec<usize>>;

impl Tensors {
    /// Returns what `field` says of its tensors, if it has some whose elements serow knows.
    ///
    /// # Errors
    /// A schema error if the metadata do not fit the field.
    pub fn of(field: &Field) -> Result<Option<Tensors>> {
        let Some(name) = field.metadata().get(EXTENSION) else { return Ok(None) };
        let storage = match field.data_type() {
            DataType::Dictionary(_, values) => values,
            ty => ty,
        };
        let details = field.metadata().get(EXTENSION_DETAILS).map_or("", String::as_str);
        let made = match (name.as_str(), storage) {
            (FIXED, DataType::FixedSizeList(item, size)) if are_elements(item) => {
                let of = element_of(item.data_type()).map_or(1, ElementType::size);
                fixed(details, *size, of)
            }
            (VARIABLE, DataType::Struct(fields)) => match &fields[..] {
                [data, shape] if data.name() == "data" && shape.name() == "shape" => {
                    match (data.data_type(), shape.data_type()) {
                        (
                            DataType::List(item) | DataType::LargeList(item),
                            DataType::FixedSizeList(lengths, dimensions),
                        ) if are_elements(item) && *lengths.data_type() == DataType::Int32 => {
                            variable(details, *dimensions)
                        }
                        _ => return Ok(None),
                    }
                }
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        let of = |why| Error::schema(format!("the metadata {details:?} of {name}: {why}"));
        made.map(Some).map_err(of)
    }
}

fn fixed(details: &str, size: i32, of: usize) -> std::result::Result<Tensors, String> {
    let details = object(details)?;
    let shape = ints(&details, "shape")?.ok_or("they have no shape")?;
    let lengths: Option<Vec<usize>> = shape.iter().map(|&len| usize::try_from(len).ok()).collect();
    let lengths = lengths.ok_or("a length is negative")?;
    if !is_shape(&lengths, of) {
        return Err(format!("an array may not have {} dimensions of these lengths", lengths.len()));
    }
    let elements: usize = lengths.iter().product();
    if usize::try_from(size) != Ok(elements) {
        return Err(format!(
            "a tensor of this shape has {elements} elements, and the column has lists of {size}"
        ));
    }
    let order = permutation(&details, lengths.len())?;
    Ok(Tensors::Fixed(lengths, order))
}

fn variable(details: &str, dimensions: i32) -> std::result::Result<Tensors, String> {
    let details = match details.trim() {
        "" => Map::new(),
        details => object(details)?,
    };
    let dimensions = usize::try_from(dimensions).unwrap_or(usize::MAX);
    if dimensions > MAX_DIMENSIONS {
        return Err(format!("an array may not have {dimensions} dimensions"));
    }
    Ok(Tensors::Variable(permutation(&details, dimensions)?))
}

fn object(details: &str) -> std::result::Result<Map<String, Value>, String> {
    serde_json::from_str(details).map_err(|_| "they are no JSON object".into())
}

/// The list of integers of this name, if it is there and not null.
fn ints(details: &Map<String, Value>, name: &str) -> std::result::Result<Option<Vec<i64>>, String> {
    let list = details.get(name).cloned().unwrap_or_default();
    serde_json::from_value(list).map_err(|_| format!("{name} is no list of integers"))
}

fn permutation(
    details: &Map<String, Value>,
    dimensions: usize,
) -> std::result::Result<Permutation, String> {
    let Some(order) = ints(details, "permutation")? else { return Ok(None) };
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if !sorted.into_iter().eq(0..dimensions as i64) {
        return Err(format!("{order:?} is no permutation of {dimensions} dimensions"));
    }
    let order: Vec<usize> = order.into_iter().map(|at| at as usize).collect();
    Ok(Some(order).filter(|order| !order.is_sorted()))
}

/// The permutation that goes back.
pub fn inverse(order: &[usize]) -> Vec<usize> {
    let mut back = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &from)| back[from] = at);
    back
}

/// The lengths in the order of a permutation.
pub fn permuted(lengths: &[usize], order: &[usize]) -> Vec<usize> {
    order.iter().map(|&from| lengths[from]).collect()
}

/// Appends elements of `size` bytes, which are stored with these lengths, in the order of a permutation.
///
/// # Errors
/// A fault if memory runs out.
pub fn transpose(
    elements: &[u8],
    size: usize,
    lengths: &[usize],
    order: &[usize],
    to: &mut Vec<u8>,
) -> std::result::Result<(), Fault> {
    memory::reserve(to, elements.len())?;
    if elements.is_empty() {
        return Ok(());
    }
    let mut steps = vec![1; lengths.len()];
    for at in (1..lengths.len()).rev() {
        steps[at - 1] = steps[at] * lengths[at];
    }
    let dimensions: Vec<_> = order.iter().map(|&from| (lengths[from], steps[from])).collect();
    match size {
        1 => gather(elements.as_chunks::<1>().0, 0, &dimensions, to),
        2 => gather(elements.as_chunks::<2>().0, 0, &dimensions, to),
        4 => gather(elements.as_chunks::<4>().0, 0, &dimensions, to),
        8 => gather(elements.as_chunks::<8>().0, 0, &dimensions, to),
        _ => gather(elements.as_chunks::<16>().0, 0, &dimensions, to),
    }
    return Ok(());

    /// Each dimension has a length, and how far its elements are from each other.
    fn gather<const N: usize>(
        elements: &[[u8; N]],
        at: usize,
        dimensions: &[(usize, usize)],
        to: &mut Vec<u8>,
    ) {
        match *dimensions {
            [] => to.extend_from_slice(&elements[at]),
            [(len, 1)] => to.extend_from_slice(elements[at..at + len].as_flattened()),
            [(len, step)] => {
                (0..len).for_each(|i| to.extend_from_slice(&elements[at + i * step]));
            }
            [(len, step), ref rest @ ..] => {
                (0..len).for_each(|i| gather(elements, at + i * step, rest, to));
            }
        }
    }
}

/// An array of a column.
#[derive(Clone, Copy, Debug)]
pub struct ArrayOf<'a> {
    /// The type of its elements.
    pub of: ElementType,
    /// Whether their bytes were in the other order at the source.
    pub is_big_endian: bool,
    /// Its shape.
    pub shape: Shape<'a>,
    /// Its elements, each little-endian.
    pub elements: &'a [u8],
}

/// Lists that an array may become in any case, and for each byte of its elements.
const FREE_LISTS: usize = 1024;
const LISTS_PER_BYTE: usize = 4;

impl ArrayOf<'_> {
    /// Whether lists of lists are the array, in about as much memory: they do not tell the lengths after an
    /// empty one.
    pub fn are_lists_it(&self) -> bool {
        const FREE: usize = 16;
        let mut rest = self.shape.lengths().skip_while(|&len| len > 0);
        rest.all(|len| len == 0) && self.shape.lists() <= self.elements.len() + FREE
    }

    /// Checks that lists of lists, which somebody wants, do not take much more memory.
    ///
    /// # Errors
    /// A limit fault.
    pub fn check_lists(&self) -> std::result::Result<(), Fault> {
        match self.shape.lists() <= FREE_LISTS + self.elements.len() * LISTS_PER_BYTE {
            true => Ok(()),
            false => Err(Fault::Limit("an array would become more lists than its bytes allow")),
        }
    }
}

/// Returns the arrays with these components.
///
/// # Errors
/// A fault if a code and its bytes are no array, or if memory runs out.
pub fn arrays<'a>(
    codes: &[i64],
    strings: &'a Strings<'_>,
) -> std::result::Result<Vec<ArrayOf<'a>>, Fault> {
    let mut all: Vec<ArrayOf<'a>> = memory::with_capacity(codes.len())?;
    // The code of the last array, and how its bytes begin.
    let mut last: Option<(i64, &[u8])> = None;
    for (i, &code) in codes.iter().enumerate() {
        let bytes = strings.get(i);
        // Most have the type and the shape of the one before. Each element of the others has any bytes.
        if let (Some((same, shape)), Some(before)) = (last, all.last())
            && code == same
            && let Some(elements) = bytes.strip_prefix(shape)
            && elements.len() == before.elements.len()
            && before.of != ElementType::Bool
        {
            all.push(ArrayOf { elements, ..*before });
            continue;
        }
        let of = NdArray::of_components(code, bytes)?;
        let elements = of.elements();
        last = Some((code, &bytes[..bytes.len() - elements.len()]));
        all.push(ArrayOf {
            of: of.element_type(),
            is_big_endian: of.is_big_endian(),
            shape: of.shape(),
            elements,
        });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposed_elements_are_in_the_order_of_the_permutation() {
        let elements: Vec<u8> = (0..24).collect();
        let of = |lengths: &[usize], order: &[usize]| {
            let mut to = Vec::new();
            transpose(&elements, 1, lengths, order, &mut to).unwrap();
            to
        };
        let (lengths, order) = ([2, 3, 4], [2, 0, 1]);
        let shape = permuted(&lengths, &order);
        assert_eq!(shape, [4, 2, 3]);
        let moved = of(&lengths, &order);
        for (i, j, k) in (0..24).map(|at| (at / 6, at / 3 % 2, at % 3)) {
            assert_eq!(moved[i * 6 + j * 3 + k], elements[j * 12 + k * 4 + i]);
        }
        let mut back = Vec::new();
        transpose(&moved, 1, &shape, &inverse(&order), &mut back).unwrap();
        assert_eq!(back, elements);
        assert_eq!(of(&[24, 1], &[1, 0]), elements);
        let mut pairs = Vec::new();
        transpose(&elements[..8], 2, &[2, 2], &[1, 0], &mut pairs).unwrap();
        assert_eq!(pairs, [0, 1, 4, 5, 2, 3, 6, 7]);
        transpose(&[], 8, &[1 << 40, 0], &[1, 0], &mut pairs).unwrap();
    }
}
