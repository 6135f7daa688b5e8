//! The type list: a schema as a flat list of small integers, in prefix order.

use std::sync::Arc;

use super::logical::Logical;
use super::names::{Enum, Field, MemberValue, MemberValues, Names, Struct};
use super::types::{Container, Open, Type};
use crate::bytes::varint;
use crate::error::{Error, Result};
use crate::limits::{MAX_DEPTH, MAX_NAMES, MAX_TYPE_LIST};

/// The codes of the type list. They are never renumbered. Codes 16 to 27, and 41 to 49, are [`Logical`]'s.
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
    /// A set of any length of the next type.
    pub const SET: u32 = 28;
    /// A frozenset of any length of the next type.
    pub const FROZENSET: u32 = 29;
    /// A map from the next type to the one after it.
    pub const MAP: u32 = 30;
    /// A dict with fixed keys begins.
    pub const DICT_BEGIN: u32 = 31;
    /// A record begins; its name follows.
    pub const RECORD_BEGIN: u32 = 32;
    /// A dict with fixed keys, or a record, ends.
    pub const STRUCT_END: u32 = 33;
    /// A field of a dict or record: its name and its type follow.
    pub const FIELD: u32 = 34;
    /// A field of a dict that may be missing: its name and its type follow.
    pub const MAYBE_FIELD: u32 = 35;
    /// An enum: its name, the number of its members and their names follow.
    pub const ENUM: u32 = 36;
    /// An enum whose members are integers too: as [`ENUM`], and after the name of each member its value.
    pub const INT_ENUM: u32 = 37;
    /// An enum whose members are strings too: as [`ENUM`], and after the name of each member its value.
    pub const STR_ENUM: u32 = 38;
    /// Whatever type the writer has. It does not occur in messages, and neither does the next.
    pub const ANY: u32 = 39;
    /// The type of a dict with fixed keys or a record whose index among all of them follows.
    pub const STRUCT: u32 = 40;
}

/// Returns the first code of a type.
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
        Type::Sequence(Container::Set, _) => codes::SET,
        Type::Sequence(Container::FrozenSet, _) => codes::FROZENSET,
        Type::Fixed(..) | Type::Sequence(..) => {
            unreachable!("types are checked to have no such container")
        }
        Type::Map(..) => codes::MAP,
        Type::Struct(of) if of.is_record() => codes::RECORD_BEGIN,
        Type::Struct(_) => codes::DICT_BEGIN,
        Type::Enum(of) => match of.values {
            MemberValues::None => codes::ENUM,
            MemberValues::Ints(_) => codes::INT_ENUM,
            MemberValues::Strs(_) => codes::STR_ENUM,
        },
        Type::Union(_) => codes::UNION_BEGIN,
        Type::Open(Open::Any) => codes::ANY,
        Type::Open(Open::Struct(_)) => codes::STRUCT,
    }
}

/// Returns the type list of `root`.
pub(super) fn write(root: &Type) -> Result<Vec<u32>> {
    let mut writer = Writer { list: Vec::new(), names: 0 };
    writer.ty(root, 0)?;
    // `ty` does not check after writing the code that ends a type.
    writer.check()?;
    Ok(writer.list)
}

struct Writer {
    list: Vec<u32>,
    /// The number of codes that belong to names and to values of members.
    names: usize,
}

impl Writer {
    fn check(&self) -> Result<()> {
        if self.list.len() - self.names > MAX_TYPE_LIST || self.names > MAX_NAMES {
            return too_long();
        }
        Ok(())
    }

    /// Writes a name: its number of characters, then the characters.
    fn name(&mut self, name: &str) {
        let begin = self.list.len();
        self.list.push(0);
        self.list.extend(name.chars().map(u32::from));
        let len = self.list.len() - begin;
        self.list[begin] = len as u32 - 1;
        self.names += len;
    }

    /// Writes an integer: the lower and the upper 32 bits of its zigzag code.
    fn int(&mut self, value: i64) {
        let code = varint::zigzag(value);
        self.list.extend([code as u32, (code >> 32) as u32]);
        self.names += 2;
    }

    fn ty(&mut self, ty: &Type, depth: usize) -> Result<()> {
        self.check()?;
        self.list.push(code(ty));
        match ty {
            Type::Optional(inner) => self.ty(inner, depth)?,
            Type::Sequence(_, element) => self.ty(element, deeper(depth)?)?,
            Type::Map(key, value) => {
                let depth = deeper(depth)?;
                self.ty(key, depth)?;
                self.ty(value, depth)?;
            }
            Type::Fixed(container, fields) => {
                let depth = deeper(depth)?;
                for field in fields {
                    self.ty(field, depth)?;
                }
                self.list.push(match container {
                    Container::List => codes::LIST_END,
                    _ => codes::TUPLE_END,
                });
            }
            Type::Struct(of) => {
                let depth = deeper(depth)?;
                if let Some(name) = &of.names.name {
                    self.name(name);
                }
                for (name, field) in of.named() {
                    let code = if field.maybe { codes::MAYBE_FIELD } else { codes::FIELD };
                    self.list.push(code);
                    self.name(name);
                    self.ty(&field.ty, depth)?;
                }
                self.list.push(codes::STRUCT_END);
            }
            Type::Enum(of) => {
                self.name(&of.name);
                self.list.push(of.members.len() as u32);
                for (at, member) in of.members.iter().enumerate() {
                    self.name(member);
                    match of.values.get(at) {
                        None => {}
                        Some(MemberValue::Int(value)) => self.int(value),
                        Some(MemberValue::Str(value)) => self.name(value),
                    }
                }
            }
            Type::Union(arms) => {
                for arm in arms {
                    self.ty(arm, depth)?;
                }
                self.list.push(codes::UNION_END);
            }
            Type::Open(Open::Struct(index)) => self.list.push(*index),
            _ => {}
        }
        Ok(())
    }
}

fn too_long<T>() -> Result<T> {
    Err(Error::limit(format!(
        "a schema has more than {MAX_TYPE_LIST} codes, or {MAX_NAMES} characters in its names"
    )))
}

fn deeper(depth: usize) -> Result<usize> {
    if depth == MAX_DEPTH {
        return Err(Error::limit(format!(
            "lists and other containers nest more than {MAX_DEPTH} deep"
        )));
    }
    Ok(depth + 1)
}

/// Returns the type of a type list, which `may_be_open` if it is not of rows.
pub(super) fn read(list: &[u32], may_be_open: bool) -> Result<Type> {
    if list.len() > 2 * MAX_TYPE_LIST + MAX_NAMES {
        return too_long();
    }
    let mut reader = TypeListReader { list, at: 0, names: 0, may_be_open };
    let ty = reader.ty(0, 0)?;
    match list.get(reader.at) {
        None => Ok(ty),
        Some(code) => Err(Error::schema(format!(
            "type list, index {}: expected the end after {ty}, found code {code}",
            reader.at
        ))),
    }
}

struct TypeListReader<'a> {
    list: &'a [u32],
    at: usize,
    /// The number of codes before `at` that belong to names and to values of members.
    names: usize,
    may_be_open: bool,
}

impl TypeListReader<'_> {
    /// Reads one type. `nested` counts optionals and unions without a container between them. The
    /// canonical form does not stack them, so this limits the recursion.
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
        // Check before reading more, so that a list of too many types is never built.
        if at.saturating_sub(self.names) > MAX_TYPE_LIST {
            return too_long();
        }
        self.at += 1;
        Ok(match code {
            codes::I64 => Type::I64,
            codes::F64 => Type::F64,
            codes::STR => Type::Str,
            codes::BOOL => Type::Bool,
            codes::NULL => Type::Null,
            codes::NEVER => Type::Never,
            codes::ANY if self.may_be_open => Type::Open(Open::Any),
            codes::STRUCT if self.may_be_open => {
                Type::Open(Open::Struct(self.next("the index of a type")?))
            }
            codes::OPTIONAL => Type::optional(self.ty(depth, nested + 1)?),
            codes::LIST_SEQUENCE => self.sequence(Container::List, depth)?,
            codes::TUPLE_SEQUENCE => self.sequence(Container::Tuple, depth)?,
            codes::SET => self.sequence(Container::Set, depth)?,
            codes::FROZENSET => self.sequence(Container::FrozenSet, depth)?,
            codes::MAP => {
                let depth = deeper(depth)?;
                let key = self.ty(depth, 0)?;
                Type::Map(Box::new(key), Box::new(self.ty(depth, 0)?))
            }
            codes::DICT_BEGIN => self.structure(None, depth)?,
            codes::RECORD_BEGIN => {
                let name = self.name()?;
                self.structure(Some(name), depth)?
            }
            codes::ENUM => self.enumeration(MemberValues::None)?,
            codes::INT_ENUM => self.enumeration(MemberValues::Ints(Vec::new()))?,
            codes::STR_ENUM => self.enumeration(MemberValues::Strs(Vec::new()))?,
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
                        "type list, index {at}: code {other} is not a type"
                    )));
                }
            },
        })
    }

    fn sequence(&mut self, container: Container, depth: usize) -> Result<Type> {
        Ok(Type::Sequence(container, Box::new(self.ty(deeper(depth)?, 0)?)))
    }

    fn next(&mut self, what: &str) -> Result<u32> {
        let Some(&code) = self.list.get(self.at) else {
            let at = self.at;
            return Err(Error::schema(format!(
                "type list, index {at}: expected {what}, found the end of the list"
            )));
        };
        self.at += 1;
        Ok(code)
    }

    fn name(&mut self) -> Result<Arc<str>> {
        let len = self.next("the length of a name")?;
        self.names += len as usize + 1;
        let characters = (0..len).map(|_| {
            let code = self.next("a character of a name")?;
            char::from_u32(code).ok_or_else(|| {
                let at = self.at - 1;
                Error::schema(format!("type list, index {at}: {code} is not a character"))
            })
        });
        Ok(characters.collect::<Result<String>>()?.into())
    }

    fn int(&mut self) -> Result<i64> {
        let low = self.next("the value of a member")?;
        let high = self.next("the upper half of a member's value")?;
        self.names += 2;
        Ok(varint::unzigzag(u64::from(high) << 32 | u64::from(low)))
    }

    /// Reads an enum after its code. `values` has none yet.
    fn enumeration(&mut self, mut values: MemberValues) -> Result<Type> {
        let name = self.name()?;
        let count = self.next("a number of members")?;
        let mut members = Vec::new();
        for _ in 0..count {
            members.push(self.name()?);
            match &mut values {
                MemberValues::None => {}
                MemberValues::Ints(values) => values.push(self.int()?),
                MemberValues::Strs(values) => values.push(self.name()?),
            }
        }
        Ok(Type::Enum(Arc::new(Enum { name, members, values })))
    }

    fn structure(&mut self, name: Option<Arc<str>>, depth: usize) -> Result<Type> {
        let depth = deeper(depth)?;
        let (mut names, mut fields) = (Vec::new(), Vec::new());
        loop {
            let maybe = match self.next("a field or the end of the fields")? {
                codes::STRUCT_END => break,
                codes::FIELD => false,
                codes::MAYBE_FIELD => true,
                other => {
                    let at = self.at - 1;
                    return Err(Error::schema(format!(
                        "type list, index {at}: expected a field, found code {other}"
                    )));
                }
            };
            names.push(self.name()?);
            fields.push(Field { ty: self.ty(depth, 0)?, maybe });
        }
        let names = Arc::new(Names { name, fields: names });
        Ok(Type::Struct(Arc::new(Struct { names, fields })))
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

/// Returns the type list in `bytes`.
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
