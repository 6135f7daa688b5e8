//! The target that makes trees.

use serde::ser::Serialize;
use serow_core::error::Fault;
use serow_core::limits::MAX_DEPTH;
use serow_core::schema::Logical;

use super::failure::{Failure, LONGER, SHORTER};
use super::known::Name;
use super::ser::{Container, Contents, Part, Ser, Target};
use super::tree::{Fields, Tree};

/// The fault for a value that nests too deep. Inference makes a limit error from it.
pub(super) const TOO_DEEP: Fault = Fault::Limit("structs, lists and the like nest too deep");

/// The elements that are allocated at once before they are serialized. A type may claim any length.
const MAX_CLAIMED: usize = 4096;

/// Makes the tree of one value.
#[derive(Clone, Copy, Default)]
pub(super) struct ToTree {
    depth: usize,
    /// Whether the value is directly inside a `Some`. Then a null would be taken for `None`, so it is
    /// put into a tuple.
    is_some: bool,
}

/// Returns `value` as a tree.
pub(super) fn tree_of<T: Serialize + ?Sized>(value: &T) -> Result<Tree, Failure> {
    ToTree::default().tree(value)
}

impl ToTree {
    fn tree<T: Serialize + ?Sized>(mut self, value: &T) -> Result<Tree, Failure> {
        value.serialize(Ser(&mut self))
    }

    fn open(self, of: Opening, said: Option<usize>) -> Result<Growing, Failure> {
        let values = Vec::with_capacity(said.unwrap_or(0).min(MAX_CLAIMED));
        Ok(Growing { within: self.within()?, of, said, fields: Vec::new(), values })
    }

    /// The target of values inside a container.
    fn within(self) -> Result<ToTree, Failure> {
        if self.depth == MAX_DEPTH {
            return Err(TOO_DEEP.into());
        }
        Ok(ToTree { depth: self.depth + 1, is_some: false })
    }
}

impl Target for ToTree {
    type Ok = Tree;
    type List = Growing;
    type Tuple = Growing;
    type Map = Growing;
    type Record = Growing;

    fn bool(&mut self, v: bool) -> Result<Tree, Failure> {
        Ok(Tree::Bool(v))
    }

    fn i64(&mut self, v: i64) -> Result<Tree, Failure> {
        Ok(Tree::I64(v))
    }

    fn sized(&mut self, ty: Logical, v: i64) -> Result<Tree, Failure> {
        Ok(Tree::Sized(ty, v))
    }

    fn f64(&mut self, v: f64) -> Result<Tree, Failure> {
        Ok(Tree::F64(v))
    }

    fn f32(&mut self, v: f32) -> Result<Tree, Failure> {
        Ok(Tree::F32(v))
    }

    fn str(&mut self, v: &str) -> Result<Tree, Failure> {
        Ok(Tree::Str(v.into()))
    }

    fn bytes(&mut self, ty: Logical, v: &[u8]) -> Result<Tree, Failure> {
        Ok(Tree::Bytes(ty, v.into()))
    }

    fn null(&mut self) -> Result<Tree, Failure> {
        Ok(if self.is_some { Tree::Tuple(vec![Tree::Null]) } else { Tree::Null })
    }

    fn some<V: Serialize + ?Sized>(&mut self, value: &V) -> Result<Tree, Failure> {
        if !self.is_some {
            return ToTree { is_some: true, ..*self }.tree(value);
        }
        let within = ToTree { is_some: true, ..self.within()? };
        Ok(Tree::Tuple(vec![within.tree(value)?]))
    }

    fn unit_variant(&mut self, name: Name) -> Result<Tree, Failure> {
        Ok(Tree::Unit(name))
    }

    fn list(&mut self, len: Option<usize>) -> Result<Growing, Failure> {
        self.open(Opening::List, len)
    }

    fn tuple(&mut self, of: Contents) -> Result<Growing, Failure> {
        match of {
            Contents::Tuple(len) => self.open(Opening::Tuple, Some(len)),
            Contents::NewtypeVariant(name) => self.open(Opening::Newtype(name), None),
            Contents::TupleVariant(name, len) => {
                self.within()?.open(Opening::TupleVariant(name), Some(len))
            }
        }
    }

    fn map(&mut self, len: Option<usize>) -> Result<Growing, Failure> {
        self.open(Opening::Map, len.map(|len| len.saturating_mul(2)))
    }

    fn record(&mut self, name: Name, _len: usize) -> Result<Growing, Failure> {
        self.open(Opening::Record(name), None)
    }
}

/// What a container will be.
enum Opening {
    List,
    Tuple,
    Newtype(Name),
    TupleVariant(Name),
    Map,
    Record(Name),
}

/// A container that serde has begun and not ended, with the parts that it has passed so far.
pub(super) struct Growing {
    within: ToTree,
    of: Opening,
    /// The number of values, if it was said.
    said: Option<usize>,
    /// The fields of a struct so far, and whether each is present.
    fields: Fields,
    values: Vec<Tree>,
}

impl Container<ToTree> for Growing {
    #[inline(never)]
    fn part<V: Serialize + ?Sized>(
        &mut self,
        _target: &mut ToTree,
        part: Part,
        value: &V,
    ) -> Result<(), Failure> {
        self.values.push(self.within.tree(value)?);
        if let Part::Field(name) = part {
            self.fields.push((name, true));
        }
        Ok(())
    }

    fn skip(&mut self, field: &'static str) -> Result<(), Failure> {
        self.fields.push((field, false));
        Ok(())
    }

    fn close(self, _target: &mut ToTree) -> Result<Tree, Failure> {
        let Growing { of, said, fields, values, .. } = self;
        if let Some(said) = said.filter(|said| *said != values.len()) {
            return Err(Failure::said(if values.len() > said { LONGER } else { SHORTER }));
        }
        Ok(match of {
            Opening::List => Tree::List(values),
            Opening::Tuple => Tree::Tuple(values),
            Opening::Newtype(name) => Tree::content(name, values),
            Opening::TupleVariant(name) => Tree::content(name, vec![Tree::Tuple(values)]),
            Opening::Map => Tree::map(values),
            Opening::Record(name) => Tree::record(name, fields, values),
        })
    }
}
