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
use super::known::is_content;
use super::pull::{Pull, named, unexpected};

/// The parts of a container that has been begun.
pub(super) trait Parts: Sized {
    /// Skips the parts that were not asked for, and leaves the container.
    fn finish(&mut self) -> Result<(), Failure>;

    /// Lets `visit` read parts, and finishes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn read<T>(
        mut self,
        visit: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let mut made = visit(&mut self);
        // `made` is changed only for an error: to build a new result in each case would copy the value.
        if made.is_ok()
            && let Err(failure) = self.finish()
        {
            made = Err(failure);
        }
        made
    }
}

/// Gives the fields of a tuple in order, or the fields of a struct that has the same field names as the
/// type in the same order.
///
/// The code for `USUAL` is that of the fast path. There it has one caller, so that the compiler makes
/// one function of a struct's visitor and its caller, and the struct is not moved between them. Moving
/// it would wait for its fields, which are stored in other pieces.
pub(super) struct Items<'b, 'a, S, const USUAL: bool> {
    pub(super) pull: &'b mut Pull<'a, S>,
    pub(super) left: usize,
}

impl<S: Source, const USUAL: bool> Items<'_, '_, S, USUAL> {
    #[cold]
    fn skip(&mut self) -> Result<(), Failure> {
        for _ in 0..std::mem::take(&mut self.left) {
            self.pull.skip()?;
        }
        Ok(())
    }
}

impl<S: Source, const USUAL: bool> Parts for Items<'_, '_, S, USUAL> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self) -> Result<(), Failure> {
        if self.left > 0 {
            self.skip()?;
        }
        self.pull.leave();
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
    /// Enters struct `table`.
    pub(super) fn enter(
        pull: &'b mut Pull<'a, S>,
        table: u32,
    ) -> Result<Fields<'b, 'a, S>, Failure> {
        pull.enter()?;
        let names = &pull.tables().structs[table as usize];
        Ok(Fields { pull, names, next: 0, is_pending: false })
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
}

impl<S: Source> Parts for Fields<'_, '_, S> {
    fn finish(&mut self) -> Result<(), Failure> {
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

/// The elements of a sequence, or the entries of a map, which may be a list of pairs. See [`Items`] for
/// `USUAL`.
pub(super) struct Elements<'b, 'a, S, const USUAL: bool> {
    pub(super) pull: &'b mut Pull<'a, S>,
    pub(super) elements: interpreter::Elements,
    pub(super) is_map: bool,
}

impl<S: Source, const USUAL: bool> Elements<'_, '_, S, USUAL> {
    /// Moves to the next element, if there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn step(&mut self) -> Result<bool, Failure> {
        let Pull { cursor, source, .. } = &mut *self.pull;
        Ok(cursor.next_element(&mut self.elements, || source.checkpoint())?)
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

    /// Enters a pair of a key and a value.
    fn enter_pair(&mut self) -> Result<(), Failure> {
        let is_present = self.pull.arrive()?;
        match *self.pull.op() {
            Op::Enter { read, .. } if is_present && read.len == 2 => self.pull.enter().map(drop),
            _ => Err(Failure::said("a map is expected, or a list of pairs")),
        }
    }
}

impl<S: Source, const USUAL: bool> Parts for Elements<'_, '_, S, USUAL> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self) -> Result<(), Failure> {
        if self.elements.left() > 0 {
            self.skip()?;
        }
        self.pull.source.leave();
        self.pull.cursor.end(&self.elements);
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

impl<'de, S: Source> MapAccess<'de> for &mut Elements<'_, '_, S, false> {
    type Error = Failure;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        if !self.step()? {
            return Ok(None);
        }
        if !self.is_map {
            self.enter_pair()?;
        }
        seed.deserialize(&mut *self.pull).map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Failure> {
        let value = seed.deserialize(&mut *self.pull)?;
        if !self.is_map {
            self.pull.leave();
        }
        Ok(value)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.left())
    }
}

/// A variant whose contents are the record `table`, which is not entered yet. For a type that asks for any
/// value it is a map from the variant's name to the contents.
pub(super) struct Contents<'b, 'a, S> {
    pull: &'b mut Pull<'a, S>,
    table: u32,
    /// `None` once it was given.
    variant: Option<&'a str>,
    is_read: bool,
}

impl<'b, 'a, S: Source> Contents<'b, 'a, S> {
    pub(super) fn new(
        pull: &'b mut Pull<'a, S>,
        table: u32,
        variant: &'a str,
    ) -> Contents<'b, 'a, S> {
        Contents { pull, table, variant: Some(variant), is_read: false }
    }

    /// Returns whether these contents belong to a newtype or tuple variant.
    fn is_content(&self) -> bool {
        is_content(&self.pull.tables().structs[self.table as usize])
    }

    /// Reads the content of a newtype or tuple variant.
    fn content<T>(
        &mut self,
        read: impl FnOnce(&mut Pull<'a, S>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.pull.enter()?;
        let made = read(self.pull)?;
        self.pull.leave();
        Ok(made)
    }
}

impl<S: Source> Parts for Contents<'_, '_, S> {
    fn finish(&mut self) -> Result<(), Failure> {
        if self.is_read { Ok(()) } else { self.unit_variant() }
    }
}

impl<'de, S: Source> EnumAccess<'de> for &mut Contents<'_, '_, S> {
    type Error = Failure;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Failure> {
        Ok((named(seed, self.variant.take().unwrap_or_default())?, self))
    }
}

impl<'de, S: Source> MapAccess<'de> for &mut Contents<'_, '_, S> {
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
        self.newtype_variant_seed(seed)
    }
}

impl<'de, S: Source> VariantAccess<'de> for &mut Contents<'_, '_, S> {
    type Error = Failure;

    fn unit_variant(self) -> Result<(), Failure> {
        let left = self.pull.enter()?;
        Items::<_, false> { pull: self.pull, left }.finish()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Failure> {
        if self.is_content() {
            return self.content(|pull| seed.deserialize(pull));
        }
        // The writer's variant had fields of its own, and the reader's contains a struct.
        let fields = Fields::enter(self.pull, self.table)?;
        fields.read(|fields| seed.deserialize(MapAccessDeserializer::new(fields)))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Failure> {
        match self.is_content() {
            true => self.content(|pull| pull.deserialize_tuple(len, visitor)),
            false => self.pull.items::<false, V>(visitor),
        }
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        match self.is_content() {
            true => self.content(|pull| pull.deserialize_struct("", fields, visitor)),
            false => self.pull.structure(self.table, fields, visitor),
        }
    }
}
