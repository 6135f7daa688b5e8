//! The parts of containers that serde passes to the serializer that walks a plan.

use serde::ser::{self, Serialize};
use serow_core::interpreter::Elements;
use serow_core::layout::Sink;

use super::failure::Failure;
use super::known::{FieldNames, is_next_field};
use super::push::{Push, Pushed, Tuple, mismatch};
use super::to_tree::tree_of;
use super::tree::{Name, Tree};

/// A value that is being passed.
pub(super) enum Seen {
    /// It is written element by element.
    Written(Elements),
    /// Its length is unknown, so it waits.
    Waits(Vec<Tree>),
}

#[inline(never)]
fn wait<T: Serialize + ?Sized>(values: &mut Vec<Tree>, value: &T) -> Pushed {
    values.push(tree_of(value)?);
    Ok(())
}

/// A sequence.
pub(super) struct List<'b, 'a, K> {
    pub(super) push: &'b mut Push<'a, K>,
    pub(super) state: Seen,
}

impl<K: Sink> ser::SerializeSeq for List<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        match &mut self.state {
            Seen::Written(elements) => {
                self.push.next(elements)?;
                value.serialize(&mut *self.push)
            }
            Seen::Waits(values) => wait(values, value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Pushed {
        match self.state {
            Seen::Written(elements) => self.push.end(&elements),
            Seen::Waits(values) => self.push.tree(&Tree::List(values)),
        }
    }
}

/// A tuple, or the contents of a tuple variant.
pub(super) struct Items<'b, 'a, K> {
    pub(super) push: &'b mut Push<'a, K>,
    pub(super) tuple: Tuple,
    pub(super) is_variant: bool,
}

impl<K: Sink> Items<'_, '_, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        self.push.element(&mut self.tuple)?;
        value.serialize(&mut *self.push)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Pushed {
        self.push.end_tuple(self.tuple)?;
        if self.is_variant { self.push.leave() } else { Ok(()) }
    }
}

impl<K: Sink> ser::SerializeTuple for Items<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        self.item(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Pushed {
        self.finish()
    }
}

impl<K: Sink> ser::SerializeTupleStruct for Items<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        self.item(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Pushed {
        self.finish()
    }
}

impl<K: Sink> ser::SerializeTupleVariant for Items<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        self.item(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Pushed {
        self.finish()
    }
}

/// A map.
pub(super) struct Entries<'b, 'a, K> {
    pub(super) push: &'b mut Push<'a, K>,
    pub(super) state: Seen,
    /// Whether it is a list of pairs in the schema.
    pub(super) is_pairs: bool,
}

impl<K: Sink> ser::SerializeMap for Entries<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Pushed {
        match &mut self.state {
            Seen::Written(elements) => {
                self.push.next(elements)?;
                if self.is_pairs && self.push.enter_tuple(2)?.is_some() {
                    return mismatch();
                }
                key.serialize(&mut *self.push)
            }
            Seen::Waits(values) => wait(values, key),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Pushed {
        match &mut self.state {
            Seen::Written(_) => {
                value.serialize(&mut *self.push)?;
                if self.is_pairs { self.push.leave() } else { Ok(()) }
            }
            Seen::Waits(values) => wait(values, value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Pushed {
        match self.state {
            Seen::Written(elements) => self.push.end(&elements),
            Seen::Waits(values) => self.push.tree(&Tree::map(values)),
        }
    }
}

/// A struct, or the contents of a variant with named fields.
pub(super) struct Fields<'b, 'a, K> {
    push: &'b mut Push<'a, K>,
    state: Written<'a>,
}

/// The fields of a struct so far.
enum Written<'a> {
    /// They are written: the record's table in the plan, and the names of its other fields.
    Record(u32, FieldNames<'a>),
    /// They wait until all are known.
    Waits(Box<Waiting>),
}

struct Waiting {
    name: Name,
    fields: Vec<(&'static str, Option<Tree>)>,
}

impl Waiting {
    #[inline(never)]
    fn add<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Pushed {
        self.fields.push((key, Some(tree_of(value)?)));
        Ok(())
    }
}

impl<'b, 'a, K: Sink> Fields<'b, 'a, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(push: &'b mut Push<'a, K>, name: Name, table: Option<u32>) -> Self {
        let state = match table {
            Some(table) => Written::Record(table, push.structs.fields(table)),
            None => Written::Waits(Box::new(Waiting { name, fields: Vec::new() })),
        };
        Fields { push, state }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Pushed {
        match &mut self.state {
            Written::Record(table, left) => {
                if !is_next_field(left, self.push.tables(), *table, key) {
                    return mismatch();
                }
                value.serialize(&mut *self.push)
            }
            Written::Waits(waiting) => waiting.add(key, value),
        }
    }

    fn skip(&mut self, key: &'static str) -> Pushed {
        match &mut self.state {
            Written::Record(..) => mismatch(),
            Written::Waits(waiting) => {
                waiting.fields.push((key, None));
                Ok(())
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(self) -> Pushed {
        match self.state {
            Written::Record(..) => self.push.leave(),
            Written::Waits(waiting) => {
                let Waiting { name, fields } = *waiting;
                self.push.tree(&Tree::fields(name, fields))
            }
        }
    }
}

impl<K: Sink> ser::SerializeStruct for Fields<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Pushed {
        self.field(key, value)
    }

    fn skip_field(&mut self, key: &'static str) -> Pushed {
        self.skip(key)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Pushed {
        self.finish()
    }
}

impl<K: Sink> ser::SerializeStructVariant for Fields<'_, '_, K> {
    type Ok = ();
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Pushed {
        self.field(key, value)
    }

    fn skip_field(&mut self, key: &'static str) -> Pushed {
        self.skip(key)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Pushed {
        self.finish()
    }
}
