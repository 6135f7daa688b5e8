//! The parts of containers, as serde's visitors ask for them.

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serow_core::interpreter;
use serow_core::layout::Source;
use serow_core::plan::Op;
use serow_core::schema::Names;

use super::failure::Failure;
use super::pull::{Pull, named, unexpected};
use super::push::is_content;

/// Gives the fields of a tuple in order, or the fields of a struct that has the same field names as the
/// type in the same order.
///
/// The code for `USUAL` is that of the fast path. There it has one caller, so that the compiler makes
/// one function of a struct's visitor and its caller, and the struct is not moved between them. Moving
/// it would wait for its fields, which are stored in other pieces.
pub(super) struct Items<'b, 'a, S, const USUAL: bool = false> {
    pub(super) pull: &'b mut Pull<'a, S>,
    pub(super) left: usize,
}

impl<S: Source, const USUAL: bool> Items<'_, '_, S, USUAL> {
    /// Skips the fields that were not asked for, and leaves the container.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        if self.left > 0 {
            self.skip()?;
        }
        self.pull.leave();
        Ok(())
    }

    #[cold]
    fn skip(&mut self) -> Result<(), Failure> {
        for _ in 0..std::mem::take(&mut self.left) {
            self.pull.skip()?;
        }
        Ok(())
    }
}

impl<'de, S: Source, const USUAL: bool> SeqAccess<'de> for &mut Items<'_, '_, S, USUAL> {
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.pull).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// The fields of a record or dict, with their names.
pub(super) struct Fields<'b, 'a, S> {
    pull: &'b mut Pull<'a, S>,
    names: &'a Names,
    next: usize,
    /// Whether the name of a field was given and its value was not.
    is_pending: bool,
}

impl<'b, 'a, S: Source> Fields<'b, 'a, S> {
    /// The fields of struct `table`, which has been entered.
    pub(super) fn new(pull: &'b mut Pull<'a, S>, table: u32) -> Fields<'b, 'a, S> {
        let names = &pull.tables().structs[table as usize];
        Fields { pull, names, next: 0, is_pending: false }
    }

    /// Moves to the next field that is present. Returns its name.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Result<Option<&'a str>, Failure> {
        if std::mem::take(&mut self.is_pending) {
            self.pull.skip()?;
        }
        while let Some(name) = self.names.fields.get(self.next) {
            self.next += 1;
            if let &Op::Maybe { from, end, .. } = self.pull.op() {
                if !self.pull.source.has_field(from)? {
                    self.pull.cursor.jump_to(end as usize);
                    continue;
                }
                self.pull.cursor.step();
            }
            self.is_pending = true;
            return Ok(Some(name));
        }
        Ok(None)
    }

    /// Skips the fields that were not asked for, and leaves the container.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        while self.next()?.is_some() {}
        self.pull.leave();
        Ok(())
    }
}

impl<'de, S: Source> MapAccess<'de> for &mut Fields<'_, '_, S> {
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        match self.next()? {
            Some(name) => named(seed, name).map(Some),
            None => Ok(None),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Failure> {
        self.is_pending = false;
        seed.deserialize(&mut *self.pull)
    }
}

/// The elements of a sequence, or the entries of a map. See [`Items`] for `USUAL`.
pub(super) struct Elements<'b, 'a, S, const USUAL: bool = false> {
    pub(super) pull: &'b mut Pull<'a, S>,
    pub(super) elements: interpreter::Elements,
}

impl<S: Source, const USUAL: bool> Elements<'_, '_, S, USUAL> {
    /// Moves to the next element, if there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn step(&mut self) -> Result<bool, Failure> {
        let Pull { cursor, source, .. } = &mut *self.pull;
        Ok(cursor.next_element(&mut self.elements, || source.checkpoint())?)
    }

    /// Skips the elements that were not asked for, and leaves the sequence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        if self.elements.left() > 0 {
            self.skip()?;
        }
        self.pull.source.leave();
        self.pull.cursor.end(&self.elements);
        Ok(())
    }

    #[cold]
    fn skip(&mut self) -> Result<(), Failure> {
        while self.step()? {
            // An element of a map is a key and a value.
            while !matches!(self.pull.op(), Op::Next { .. }) {
                self.pull.skip()?;
            }
        }
        Ok(())
    }
}

impl<'de, S: Source, const USUAL: bool> SeqAccess<'de> for &mut Elements<'_, '_, S, USUAL> {
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        match self.step()? {
            true => seed.deserialize(&mut *self.pull).map(Some),
            false => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.left())
    }
}

impl<'de, S: Source> MapAccess<'de> for &mut Elements<'_, '_, S> {
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        match self.step()? {
            true => seed.deserialize(&mut *self.pull).map(Some),
            false => Ok(None),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Failure> {
        seed.deserialize(&mut *self.pull)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.left())
    }
}

/// The entries of a map that is a list of pairs.
pub(super) struct Pairs<'b, 'a, S>(pub(super) Elements<'b, 'a, S>);

impl<'de, S: Source> MapAccess<'de> for &mut Pairs<'_, '_, S> {
    type Error = Failure;

    fn next_key_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        if !self.0.step()? {
            return Ok(None);
        }
        let is_present = self.0.pull.arrive()?;
        match *self.0.pull.op() {
            Op::Enter { read, .. } if is_present && read.len == 2 => {
                self.0.pull.enter()?;
                seed.deserialize(&mut *self.0.pull).map(Some)
            }
            _ => Err(Failure::said("a map is expected, or a list of pairs")),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Failure> {
        let value = seed.deserialize(&mut *self.0.pull)?;
        self.0.pull.leave();
        Ok(value)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.elements.left())
    }
}

/// The contents of a variant, for a type that asks for an enum. The record is not entered yet.
pub(super) struct Contents<'b, 'a, S> {
    pull: &'b mut Pull<'a, S>,
    table: u32,
    variant: &'a str,
}

impl<'b, 'a, S: Source> Contents<'b, 'a, S> {
    pub(super) fn new(
        pull: &'b mut Pull<'a, S>,
        table: u32,
        variant: &'a str,
    ) -> Contents<'b, 'a, S> {
        Contents { pull, table, variant }
    }

    fn names(&self) -> &'a Names {
        &self.pull.tables().structs[self.table as usize]
    }
}

impl<'de, S: Source> EnumAccess<'de> for &mut Contents<'_, '_, S> {
    type Error = Failure;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Failure> {
        Ok((named(seed, self.variant)?, self))
    }
}

impl<'de, S: Source> VariantAccess<'de> for &mut Contents<'_, '_, S> {
    type Error = Failure;

    fn unit_variant(self) -> Result<(), Failure> {
        let left = self.pull.enter()?;
        Items::<_, false> { pull: self.pull, left }.finish()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Failure> {
        if is_content(&self.names().fields) {
            self.pull.enter()?;
            let made = seed.deserialize(&mut *self.pull)?;
            self.pull.leave();
            return Ok(made);
        }
        // The writer's variant had fields of its own, and the reader's contains a struct.
        self.pull.enter()?;
        let mut fields = Fields::new(self.pull, self.table);
        let made = seed.deserialize(MapAccessDeserializer::new(&mut fields))?;
        fields.finish()?;
        Ok(made)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Failure> {
        let left = self.pull.enter()?;
        if !is_content(&self.names().fields) {
            let mut items = Items::<_, false> { pull: self.pull, left };
            let made = visitor.visit_seq(&mut items)?;
            items.finish()?;
            return Ok(made);
        }
        let made = self.pull.deserialize_tuple(len, visitor)?;
        self.pull.leave();
        Ok(made)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if !is_content(&self.names().fields) {
            return self.pull.structure(self.table, fields, visitor);
        }
        self.pull.enter()?;
        let made = self.pull.deserialize_struct("", fields, visitor)?;
        self.pull.leave();
        Ok(made)
    }
}

/// A variant with contents, for a type that asks for any value: a map from the variant's name to its
/// contents. The record has been entered.
pub(super) struct Variant<'b, 'a, S> {
    pull: &'b mut Pull<'a, S>,
    table: u32,
    variant: Option<&'a str>,
    is_read: bool,
}

impl<'b, 'a, S: Source> Variant<'b, 'a, S> {
    pub(super) fn new(
        pull: &'b mut Pull<'a, S>,
        table: u32,
        variant: &'a str,
    ) -> Variant<'b, 'a, S> {
        Variant { pull, table, variant: Some(variant), is_read: false }
    }

    pub(super) fn visit<'de, V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Failure> {
        let made = visitor.visit_map(&mut self)?;
        if !self.is_read {
            Fields::new(self.pull, self.table).finish()?;
        }
        Ok(made)
    }
}

impl<'de, S: Source> MapAccess<'de> for &mut Variant<'_, '_, S> {
    type Error = Failure;

    fn next_key_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        self.variant.take().map(|variant| named(seed, variant)).transpose()
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Failure> {
        if std::mem::replace(&mut self.is_read, true) {
            return unexpected();
        }
        if is_content(&self.pull.tables().structs[self.table as usize].fields) {
            let made = seed.deserialize(&mut *self.pull)?;
            self.pull.leave();
            return Ok(made);
        }
        let mut fields = Fields::new(self.pull, self.table);
        let made = seed.deserialize(MapAccessDeserializer::new(&mut fields))?;
        fields.finish()?;
        Ok(made)
    }
}
