//! The serializer that makes trees.

use serde::ser::{self, Serialize};
use serow_core::error::Fault;
use serow_core::limits::MAX_DEPTH;

use super::failure::Failure;
use super::int::IntBytes;
use super::single::widened;
use super::tree::{CONTENT, Name, Tree};

/// The fault for a value that nests too deep. Inference makes a limit error from it.
pub(super) const TOO_DEEP: Fault = Fault::Limit("structs, lists and the like nest too deep");

/// The elements that are allocated at once before they are serialized. A type may claim any length.
const MAX_CLAIMED: usize = 4096;

/// Makes trees.
#[derive(Clone, Copy)]
pub(super) struct ToTree {
    depth: usize,
    /// Whether the value is directly inside a `Some`. Then a null would be taken for `None`, so it is
    /// put into a tuple.
    is_some: bool,
}

/// Returns `value` as a tree.
pub(super) fn tree_of<T: Serialize + ?Sized>(value: &T) -> Result<Tree, Failure> {
    value.serialize(ToTree { depth: 0, is_some: false })
}

impl ToTree {
    /// The serializer of values inside a container.
    fn within(self) -> Result<ToTree, Failure> {
        if self.depth == MAX_DEPTH {
            return Err(TOO_DEEP.into());
        }
        Ok(ToTree { depth: self.depth + 1, is_some: false })
    }

    fn null(self) -> Tree {
        if self.is_some { Tree::Tuple(vec![Tree::Null]) } else { Tree::Null }
    }

    fn values(self, len: usize, wrap: Wrap) -> Result<Values, Failure> {
        let mut within = self.within()?;
        if let Wrap::Variant(_) = wrap {
            within = within.within()?;
        }
        Ok(Values { within, values: Vec::with_capacity(len.min(MAX_CLAIMED)), wrap })
    }
}

/// What becomes of collected values.
enum Wrap {
    List,
    Tuple,
    Map,
    Variant(Name),
}

/// The values of a container so far.
pub(super) struct Values {
    within: ToTree,
    values: Vec<Tree>,
    wrap: Wrap,
}

impl Values {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        self.values.push(value.serialize(self.within)?);
        Ok(())
    }

    fn finish(self) -> Tree {
        match self.wrap {
            Wrap::List => Tree::List(self.values),
            Wrap::Tuple => Tree::Tuple(self.values),
            Wrap::Map => Tree::map(self.values),
            Wrap::Variant(name) => {
                Tree::Record(name, vec![CONTENT], vec![Tree::Tuple(self.values)])
            }
        }
    }
}

/// The fields of a struct so far.
pub(super) struct Fields {
    within: ToTree,
    name: Name,
    fields: Vec<(&'static str, Option<Tree>)>,
}

impl ser::Serializer for ToTree {
    type Ok = Tree;
    type Error = Failure;
    type SerializeSeq = Values;
    type SerializeTuple = Values;
    type SerializeTupleStruct = Values;
    type SerializeTupleVariant = Values;
    type SerializeMap = Values;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Fields;

    fn serialize_bool(self, v: bool) -> Result<Tree, Failure> {
        Ok(Tree::Bool(v))
    }

    fn serialize_i8(self, v: i8) -> Result<Tree, Failure> {
        Ok(Tree::I64(v.into()))
    }

    fn serialize_i16(self, v: i16) -> Result<Tree, Failure> {
        Ok(Tree::I64(v.into()))
    }

    fn serialize_i32(self, v: i32) -> Result<Tree, Failure> {
        Ok(Tree::I64(v.into()))
    }

    fn serialize_i64(self, v: i64) -> Result<Tree, Failure> {
        Ok(Tree::I64(v))
    }

    fn serialize_i128(self, v: i128) -> Result<Tree, Failure> {
        Ok(i64::try_from(v).map_or_else(|_| Tree::Int(IntBytes::of_i128(v)), Tree::I64))
    }

    fn serialize_u8(self, v: u8) -> Result<Tree, Failure> {
        Ok(Tree::I64(v.into()))
    }

    fn serialize_u16(self, v: u16) -> Result<Tree, Failure> {
        Ok(Tree::I64(v.into()))
    }

    fn serialize_u32(self, v: u32) -> Result<Tree, Failure> {
        Ok(Tree::I64(v.into()))
    }

    fn serialize_u64(self, v: u64) -> Result<Tree, Failure> {
        self.serialize_u128(v.into())
    }

    fn serialize_u128(self, v: u128) -> Result<Tree, Failure> {
        Ok(i64::try_from(v).map_or_else(|_| Tree::Int(IntBytes::of_u128(v)), Tree::I64))
    }

    fn serialize_f32(self, v: f32) -> Result<Tree, Failure> {
        Ok(Tree::F64(widened(v)))
    }

    fn serialize_f64(self, v: f64) -> Result<Tree, Failure> {
        Ok(Tree::F64(v))
    }

    fn serialize_char(self, v: char) -> Result<Tree, Failure> {
        self.serialize_str(v.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, v: &str) -> Result<Tree, Failure> {
        Ok(Tree::Str(v.into()))
    }

    fn serialize_bytes(self, v: &[u8]) -> Result<Tree, Failure> {
        Ok(Tree::Bytes(v.into()))
    }

    fn serialize_none(self) -> Result<Tree, Failure> {
        Ok(self.null())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Tree, Failure> {
        if !self.is_some {
            return value.serialize(ToTree { is_some: true, ..self });
        }
        let within = self.within()?;
        Ok(Tree::Tuple(vec![value.serialize(ToTree { is_some: true, ..within })?]))
    }

    fn serialize_unit(self) -> Result<Tree, Failure> {
        Ok(self.null())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Tree, Failure> {
        Ok(self.null())
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Tree, Failure> {
        Ok(Tree::Unit(Name { of: name, variant: Some(variant) }))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Tree, Failure> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Tree, Failure> {
        let name = Name { of: name, variant: Some(variant) };
        Ok(Tree::Record(name, vec![CONTENT], vec![value.serialize(self.within()?)?]))
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Values, Failure> {
        self.values(len.unwrap_or(0), Wrap::List)
    }

    fn serialize_tuple(self, len: usize) -> Result<Values, Failure> {
        self.values(len, Wrap::Tuple)
    }

    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<Values, Failure> {
        self.values(len, Wrap::Tuple)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Values, Failure> {
        self.values(len, Wrap::Variant(Name { of: name, variant: Some(variant) }))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Values, Failure> {
        self.values(len.unwrap_or(0).saturating_mul(2), Wrap::Map)
    }

    fn serialize_struct(self, name: &'static str, _len: usize) -> Result<Fields, Failure> {
        let name = Name { of: name, variant: None };
        Ok(Fields { within: self.within()?, name, fields: Vec::new() })
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Fields, Failure> {
        let name = Name { of: name, variant: Some(variant) };
        Ok(Fields { within: self.within()?, name, fields: Vec::new() })
    }
}

impl ser::SerializeSeq for Values {
    type Ok = Tree;
    type Error = Failure;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        self.push(value)
    }

    fn end(self) -> Result<Tree, Failure> {
        Ok(self.finish())
    }
}

impl ser::SerializeTuple for Values {
    type Ok = Tree;
    type Error = Failure;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        self.push(value)
    }

    fn end(self) -> Result<Tree, Failure> {
        Ok(self.finish())
    }
}

impl ser::SerializeTupleStruct for Values {
    type Ok = Tree;
    type Error = Failure;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        self.push(value)
    }

    fn end(self) -> Result<Tree, Failure> {
        Ok(self.finish())
    }
}

impl ser::SerializeTupleVariant for Values {
    type Ok = Tree;
    type Error = Failure;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        self.push(value)
    }

    fn end(self) -> Result<Tree, Failure> {
        Ok(self.finish())
    }
}

impl ser::SerializeMap for Values {
    type Ok = Tree;
    type Error = Failure;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failure> {
        self.push(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        self.push(value)
    }

    fn end(self) -> Result<Tree, Failure> {
        Ok(self.finish())
    }
}

impl ser::SerializeStruct for Fields {
    type Ok = Tree;
    type Error = Failure;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Failure> {
        self.fields.push((key, Some(value.serialize(self.within)?)));
        Ok(())
    }

    fn skip_field(&mut self, key: &'static str) -> Result<(), Failure> {
        self.fields.push((key, None));
        Ok(())
    }

    fn end(self) -> Result<Tree, Failure> {
        Ok(Tree::fields(self.name, self.fields))
    }
}

impl ser::SerializeStructVariant for Fields {
    type Ok = Tree;
    type Error = Failure;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Failure> {
        ser::SerializeStruct::serialize_field(self, key, value)
    }

    fn skip_field(&mut self, key: &'static str) -> Result<(), Failure> {
        ser::SerializeStruct::skip_field(self, key)
    }

    fn end(self) -> Result<Tree, Failure> {
        ser::SerializeStruct::end(self)
    }
}
