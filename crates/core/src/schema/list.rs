//! The type list: a schema as a flat list of small integers, in prefix order.

use super::logical::Logical;
use super::types::{Container, Type};
use crate::error::{Error, Result};
use crate::limits::{MAX_DEPTH, MAX_TYPE_LIST};
use crate::wire::varint;

/// The codes. They are never renumbered. Those from 16 on are [`Logical`]'s.
pub mod codes {
    /// A 64-bit integer.
    pub const I64: u32 = 1;
    /// A 64-bit float.
    pub const F64: u32 = 2;
    /// A string.
    pub const STR: u32 = 3;
    /// A list of fixed shape begins.
    pub const LIST_BEGIN: u32 = 4;
    /// A tuple of fixed shape begins.
    pub const TUPLE_BEGIN: u32 = 5;
    /// A list of fixed shape ends.
    pub const LIST_END: u32 = 6;
    /// A tuple of fixed shape ends.
    pub const TUPLE_END: u32 = 7;
    /// A boolean.
    pub const BOOL: u32 = 8;
    /// Null.
    pub const NULL: u32 = 9;
    /// The next type, or null.
    pub const OPTIONAL: u32 = 10;
    /// A list of any length of the next type.
    pub const LIST_SEQUENCE: u32 = 11;
    /// A tuple of any length of the next type.
    pub const TUPLE_SEQUENCE: u32 = 12;
    /// A union begins.
    pub const UNION_BEGIN: u32 = 13;
    /// A union ends.
    pub const UNION_END: u32 = 14;
    /// No value.
    pub const NEVER: u32 = 15;
}

/// The code with which a type begins.
pub(super) fn code(ty: &Type) -> u32 {
    match ty {
        Type::I64 => codes::I64,
        Type::F64 => codes::F64,
        Type::Str => codes::STR,
        Type::Logical(logical) => logical.code(),
        Type::Bool => codes::BOOL,
        Type::Null => codes::NULL,
        Type::Never => codes::NEVER,
        Type::Optional(_) => codes::OPTIONAL,
        Type::Fixed(Container::List, _) => codes::LIST_BEGIN,
        Type::Fixed(Container::Tuple, _) => codes::TUPLE_BEGIN,
        Type::Sequence(Container::List, _) => codes::LIST_SEQUENCE,
        Type::Sequence(Container::Tuple, _) => codes::TUPLE_SEQUENCE,
        Type::Union(_) => codes::UNION_BEGIN,
    }
}

/// The type list of `root`.
pub(super) fn write(root: &Type) -> Result<Vec<u32>> {
    let mut list = Vec::new();
    push(root, 0, &mut list)?;
    // The codes that end a type are not counted on the way.
    if list.len() > MAX_TYPE_LIST { too_long() } else { Ok(list) }
}

fn too_long<T>() -> Result<T> {
    Err(Error::limit(format!("a schema has more than {MAX_TYPE_LIST} codes")))
}

fn push(ty: &Type, depth: usize, list: &mut Vec<u32>) -> Result<()> {
    if list.len() >= MAX_TYPE_LIST {
        return too_long();
    }
    list.push(code(ty));
    match ty {
        Type::Optional(inner) => push(inner, depth, list)?,
        Type::Sequence(_, element) => push(element, deeper(depth)?, list)?,
        Type::Fixed(container, fields) => {
            let depth = deeper(depth)?;
            for field in fields {
                push(field, depth, list)?;
            }
            list.push(match container {
                Container::List => codes::LIST_END,
                Container::Tuple => codes::TUPLE_END,
            });
        }
        Type::Union(arms) => {
            for arm in arms {
                push(arm, depth, list)?;
            }
            list.push(codes::UNION_END);
        }
        _ => {}
    }
    Ok(())
}

fn deeper(depth: usize) -> Result<usize> {
    if depth == MAX_DEPTH {
        return Err(Error::limit(format!("lists and tuples nest more than {MAX_DEPTH} deep")));
    }
    Ok(depth + 1)
}

/// The type that a list spells.
pub(super) fn read(list: &[u32]) -> Result<Type> {
    if list.len() > 2 * MAX_TYPE_LIST {
        return too_long();
    }
    let mut reader = Reader { list, at: 0 };
    let ty = reader.ty(0, 0)?;
    match list.get(reader.at) {
        None => Ok(ty),
        Some(code) => Err(Error::schema(format!(
            "type list, index {}: expected the end after {ty}, found code {code}",
            reader.at
        ))),
    }
}

struct Reader<'a> {
    list: &'a [u32],
    at: usize,
}

impl Reader<'_> {
    /// One type. `nested` counts optionals and unions between containers, which the canonical
    /// form does not stack, so that no list makes this recurse far.
    fn ty(&mut self, depth: usize, nested: usize) -> Result<Type> {
        if nested > 4 {
            return Err(Error::schema(format!(
                "type list, index {}: optionals and unions are stacked",
                self.at
            )));
        }
        let at = self.at;
        let Some(&code) = self.list.get(at) else {
            return Err(Error::schema(format!(
                "type list, index {at}: expected a type, found the end of the list"
            )));
        };
        self.at += 1;
        Ok(match code {
            codes::I64 => Type::I64,
            codes::F64 => Type::F64,
            codes::STR => Type::Str,
            codes::BOOL => Type::Bool,
            codes::NULL => Type::Null,
            codes::NEVER => Type::Never,
            codes::OPTIONAL => Type::optional(self.ty(depth, nested + 1)?),
            codes::LIST_SEQUENCE => self.sequence(Container::List, depth)?,
            codes::TUPLE_SEQUENCE => self.sequence(Container::Tuple, depth)?,
            codes::LIST_BEGIN => {
                Type::Fixed(Container::List, self.many(codes::LIST_END, deeper(depth)?, 0)?)
            }
            codes::TUPLE_BEGIN => {
                Type::Fixed(Container::Tuple, self.many(codes::TUPLE_END, deeper(depth)?, 0)?)
            }
            codes::UNION_BEGIN => Type::union(self.many(codes::UNION_END, depth, nested + 1)?)
                .map_err(|e| e.within(format!("type list, index {at}")))?,
            other => match Logical::of_code(other) {
                Some(logical) => Type::Logical(logical),
                None => {
                    return Err(Error::schema(format!(
                        "type list, index {at}: code {other} is not that of a type"
                    )));
                }
            },
        })
    }

    fn sequence(&mut self, container: Container, depth: usize) -> Result<Type> {
        Ok(Type::Sequence(container, Box::new(self.ty(deeper(depth)?, 0)?)))
    }

    fn many(&mut self, end: u32, depth: usize, nested: usize) -> Result<Vec<Type>> {
        let mut types = Vec::new();
        while self.list.get(self.at) != Some(&end) {
            types.push(self.ty(depth, nested)?);
        }
        self.at += 1;
        Ok(types)
    }
}

/// A type list as bytes: each code as a varint.
pub(super) fn to_bytes(list: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(list.len());
    for &code in list {
        varint::push(&mut bytes, u64::from(code));
    }
    bytes
}

/// The type list that `bytes` hold.
///
/// # Errors
/// A schema error if a varint is cut or a code is too large.
pub fn from_bytes(bytes: &[u8]) -> Result<Vec<u32>> {
    let mut rest = bytes;
    let mut list = Vec::with_capacity(bytes.len());
    while !rest.is_empty() {
        let code = varint::take(&mut rest)
            .and_then(|code| u32::try_from(code).ok())
            .ok_or_else(|| Error::schema(format!("type list, index {}: cut", list.len())))?;
        list.push(code);
    }
    Ok(list)
}
