//! The deserializer that walks a plan, as serde's traits.

use serde::de::value::{MapAccessDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{Deserializer, Visitor};
use serow_core::layout::Source;
use serow_core::plan::Op;
use serow_core::schema::{Container, Logical, MemberValue};

use super::dictionary::bytes_of;
use super::failure::Failure;
use super::pull::Pull;
use super::pull_access::{Contents, Fields, Pairs};
use super::single::narrowed;

macro_rules! ints {
    ($($name:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            let Some(v) = self.ready_i64() else { return self.any(visitor) };
            let made = visitor.visit_i64::<Failure>(v);
            if made.is_err() {
                self.cursor.fail_before();
            }
            made
        }
    )*};
}

macro_rules! strs {
    ($($name:ident)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            match *self.op() {
                Op::Str { from, to, count } => {
                    self.value(|pull| pull.read_str((from, to), count, visitor))
                }
                _ => self.any(visitor),
            }
        }
    )*};
}

impl<'de, S: Source> Deserializer<'de> for &mut Pull<'_, S> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.any(visitor)
    }

    ints! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    strs! { deserialize_str deserialize_string deserialize_char deserialize_identifier }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let Some(v) = self.ready_bool() else { return self.any(visitor) };
        let made = visitor.visit_bool::<Failure>(v);
        if made.is_err() {
            self.cursor.fail_before();
        }
        made
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let Some(v) = self.ready_f32() else { return self.other_f32(visitor) };
        let made = visitor.visit_f32::<Failure>(v);
        if made.is_err() {
            self.cursor.fail_before();
        }
        made
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let Some(v) = self.ready_f64() else { return self.any(visitor) };
        let made = visitor.visit_f64::<Failure>(v);
        if made.is_err() {
            self.cursor.fail_before();
        }
        made
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_any(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_any(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        if let &Op::Optional { from, end, .. } = self.op()
            && !self.is_some
            && let Some(is_present) = self.source.ready_present(from)
        {
            let pc = self.cursor.pc();
            let made = if is_present {
                self.cursor.step();
                self.is_some = true;
                let made = visitor.visit_some(&mut *self);
                self.is_some = false;
                made
            } else {
                self.cursor.jump_to(end as usize);
                visitor.visit_none()
            };
            if made.is_err() {
                self.cursor.fail_at(pc, 0);
            }
            return made;
        }
        self.other_option(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        let wrapped = std::mem::take(&mut self.is_some) && self.enter_some()?;
        let made = self.deserialize_any(visitor)?;
        if wrapped {
            self.leave();
        }
        Ok(made)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.deserialize_unit(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        visitor.visit_newtype_struct(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        if let Op::Sequence { container: Container::List, .. } = self.op() {
            self.is_some = false;
            return self.value(|pull| pull.elements::<true, V>(visitor));
        }
        self.other_seq(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _len: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if let &Op::Enter { read, .. } = self.op()
            && read.container == Container::Tuple
        {
            self.is_some = false;
            return self.value(|pull| pull.items::<true, V>(visitor));
        }
        self.any(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.value(|pull| match pull.arrive()? {
            true => match *pull.op() {
                Op::Sequence { container: Container::List, .. } => {
                    let mut pairs = Pairs(pull.begin::<false>()?);
                    let made = visitor.visit_map(&mut pairs)?;
                    pairs.0.finish()?;
                    Ok(made)
                }
                _ => pull.read(visitor),
            },
            false => visitor.visit_unit(),
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if let &Op::Enter { read, .. } = self.op()
            && let Container::Struct(table) = read.container
            && self.has_fields(table, fields)
        {
            self.is_some = false;
            return self.value(|pull| pull.items::<true, V>(visitor));
        }
        self.other_struct(fields, visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.value(|pull| {
            if !pull.arrive()? {
                return visitor.visit_unit();
            }
            match *pull.op() {
                Op::Enum { from, members, .. } => {
                    let variant = match pull.member(from.table, members, from.column)? {
                        (name, Some(MemberValue::Str(value)))
                            if !variants.contains(&name) && variants.contains(&value) =>
                        {
                            value
                        }
                        (name, _) => name,
                    };
                    let made = visitor.visit_enum(StrDeserializer::<Failure>::new(variant))?;
                    pull.cursor.next();
                    Ok(made)
                }
                Op::Str { from, to, count } => {
                    let variant = pull.take_str(from, to)?;
                    let made = visitor.visit_enum(StrDeserializer::<Failure>::new(variant))?;
                    pull.cursor.next_of(count);
                    Ok(made)
                }
                Op::Enter { read, .. } => {
                    let Container::Struct(table) = read.container else {
                        return pull.read(visitor);
                    };
                    if let Some(variant) = pull.variant_of(table, name) {
                        let mut contents = Contents::new(pull, table, variant);
                        return visitor.visit_enum(&mut contents);
                    }
                    // A dict with one key, as other formats write a variant.
                    pull.enter()?;
                    let mut fields = Fields::new(pull, table);
                    let made = visitor.visit_enum(MapAccessDeserializer::new(&mut fields))?;
                    fields.finish()?;
                    Ok(made)
                }
                Op::Sequence { container: Container::Map, .. } => {
                    let mut entries = pull.begin::<false>()?;
                    let made = visitor.visit_enum(MapAccessDeserializer::new(&mut entries))?;
                    entries.finish()?;
                    Ok(made)
                }
                _ => pull.read(visitor),
            }
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_any(visitor)
    }
}

/// What the usual values do not need.
impl<S: Source> Pull<'_, S> {
    #[inline(never)]
    fn other_f32<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        self.value(|pull| {
            if !pull.arrive()? {
                return visitor.visit_unit();
            }
            let &Op::F64 { from, count, .. } = pull.op() else { return pull.read(visitor) };
            let v = pull.take_f64(from)?;
            let made = visitor.visit_f32::<Failure>(narrowed(v))?;
            pull.cursor.next_of(count);
            Ok(made)
        })
    }

    #[inline(never)]
    fn other_option<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        let wrapped = std::mem::take(&mut self.is_some) && self.enter_some()?;
        let made = self.value(|pull| {
            let is_present = match *pull.op() {
                Op::Optional { from, end, .. } => match pull.source.present(from)? {
                    true => {
                        pull.cursor.step();
                        true
                    }
                    false => {
                        pull.cursor.jump_to(end as usize);
                        false
                    }
                },
                Op::Null { count } => {
                    pull.source.null()?;
                    pull.cursor.next_of(count);
                    false
                }
                _ => true,
            };
            if !is_present {
                return visitor.visit_none();
            }
            pull.is_some = true;
            let made = visitor.visit_some(&mut *pull);
            pull.is_some = false;
            made
        })?;
        if wrapped {
            self.leave();
        }
        Ok(made)
    }

    #[inline(never)]
    fn other_seq<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        self.value(|pull| match pull.arrive()? {
            true => match *pull.op() {
                Op::Sequence { container: Container::Map, .. } => pull.entries(visitor),
                Op::Sequence { .. } => pull.elements::<false, V>(visitor),
                Op::Logical { ty: Logical::Bytes | Logical::ByteArray, from, to } => {
                    // A `Vec<u8>` may read what was written as bytes.
                    let v = pull.source.bytes(from.str)?;
                    let bytes = bytes_of(pull.dictionaries, to.str, v)?.to_vec();
                    pull.cursor.next();
                    visitor.visit_seq(SeqDeserializer::new(bytes.into_iter()))
                }
                _ => pull.read(visitor),
            },
            false => visitor.visit_unit(),
        })
    }

    #[inline(never)]
    fn other_struct<'de, V: Visitor<'de>>(
        &mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.value(|pull| {
            if !pull.arrive()? {
                return visitor.visit_unit();
            }
            match *pull.op() {
                Op::Enter { read, .. } => match read.container {
                    Container::Struct(table) => pull.structure(table, fields, visitor),
                    _ => pull.items::<false, V>(visitor),
                },
                _ => pull.read(visitor),
            }
        })
    }
}
