//! The deserializer that walks a plan, as serde's traits.

use serde::de::value::{MapAccessDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use serow_core::layout::Source;
use serow_core::plan::Op;
use serow_core::schema::{Container, Logical, MemberValue};

use super::failure::Failure;
use super::pull::Pull;
use super::pull_access::{Contents, Fields, Parts};
use crate::dictionary::bytes_of;
use serow_core::number::exact;

macro_rules! scalars {
    ($($name:ident: $ready:ident $visit:ident $other:ident;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            let Some(v) = self.$ready() else { return self.$other(visitor) };
            let made = visitor.$visit::<Failure>(v);
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

    scalars! {
        deserialize_i64: ready_i64 visit_i64 any;
        deserialize_i128: ready_i64 visit_i64 any;
        deserialize_u128: ready_i64 visit_i64 any;
        deserialize_bool: ready_bool visit_bool any;
        deserialize_f64: ready_f64 visit_f64 any;
        deserialize_i8: ready_i8 visit_i8 deserialize_i64;
        deserialize_i16: ready_i16 visit_i16 deserialize_i64;
        deserialize_i32: ready_i32 visit_i32 deserialize_i64;
        deserialize_u8: ready_u8 visit_u8 deserialize_i64;
        deserialize_u16: ready_u16 visit_u16 deserialize_i64;
        deserialize_u32: ready_u32 visit_u32 deserialize_i64;
        deserialize_u64: ready_u64 visit_u64 deserialize_i64;
        deserialize_f32: ready_f32 visit_f32 other_f32;
    }

    strs! { deserialize_str deserialize_string deserialize_char deserialize_identifier }

    forward_to_deserialize_any! { bytes byte_buf ignored_any }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        if let &Op::Optional { from, end, .. } = self.op()
            && !self.is_some
            && let Some(is_present) = self.source.ready_present(from)
        {
            let pc = self.cursor.pc();
            match is_present {
                true => self.cursor.step(),
                false => self.cursor.jump_to(end as usize),
            }
            let made = self.option(is_present, visitor);
            if made.is_err() {
                self.cursor.fail_at(pc, 0);
            }
            return made;
        }
        self.other_option(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.unwrapped(|pull| pull.any(visitor))
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
            return self.value(|pull| pull.begin::<true>()?.read(|all| visitor.visit_seq(all)));
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
        self.other_seq(visitor)
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
        self.present(visitor, |pull, visitor| match *pull.op() {
            // A list of pairs.
            Op::Sequence { container: Container::List, .. } => {
                pull.begin::<false>()?.read(|pairs| visitor.visit_map(pairs))
            }
            _ => pull.read(visitor),
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
        self.present(visitor, |pull, visitor| match *pull.op() {
            Op::Enum { from, members, .. } => {
                let variant = match pull.member(from.table, members, from.column)? {
                    (name, Some(MemberValue::Str(value)))
                        if !variants.contains(&name) && variants.contains(&value) =>
                    {
                        value
                    }
                    (name, _) => name,
                };
                visitor.visit_enum(StrDeserializer::<Failure>::new(variant))
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
                let fields = Fields::enter(pull, table)?;
                fields.read(|fields| visitor.visit_enum(MapAccessDeserializer::new(fields)))
            }
            Op::Sequence { container: Container::Map, .. } => {
                let entries = pull.begin::<false>()?;
                entries.read(|entries| visitor.visit_enum(MapAccessDeserializer::new(entries)))
            }
            _ => pull.read(visitor),
        })
    }
}

/// Passes on a float that must fit 32 bits. As a 64-bit float, a signalling NaN would become a quiet one.
#[cfg_attr(not(debug_assertions), inline(always))]
fn single<'de, V: Visitor<'de>>(v: f64, visitor: V) -> Result<V::Value, Failure> {
    match exact(v) {
        Some(v) => visitor.visit_f32(v),
        None => Err(Failure::said(format_args!("{v} does not fit f32"))),
    }
}

/// What the usual values do not need.
impl<S: Source> Pull<'_, S> {
    #[inline(never)]
    fn other_f32<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        self.present(visitor, |pull, visitor| match *pull.op() {
            Op::F64 { from, count, .. } => single(pull.take_f64(from, count)?, visitor),
            _ => pull.read(visitor),
        })
    }

    #[inline(never)]
    fn other_option<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        self.unwrapped(|pull| {
            pull.value(|pull| {
                let is_present = pull.is_present()?;
                pull.option(is_present, visitor)
            })
        })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn option<'de, V: Visitor<'de>>(
        &mut self,
        is_present: bool,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if !is_present {
            return visitor.visit_none();
        }
        self.is_some = true;
        let made = visitor.visit_some(&mut *self);
        self.is_some = false;
        made
    }

    #[inline(never)]
    fn other_seq<'de, V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Failure> {
        self.present(visitor, |pull, visitor| match *pull.op() {
            Op::Logical { ty: Logical::Bytes | Logical::ByteArray, from, to } => {
                // A `Vec<u8>` may read what was written as bytes.
                let v = pull.source.bytes(from.str)?;
                let bytes = bytes_of(pull.dictionaries, to.str, v)?.to_vec();
                pull.cursor.next();
                visitor.visit_seq(SeqDeserializer::new(bytes.into_iter()))
            }
            _ => pull.read(visitor),
        })
    }

    #[inline(never)]
    fn other_struct<'de, V: Visitor<'de>>(
        &mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.present(visitor, |pull, visitor| {
            if let &Op::Enter { read, .. } = pull.op()
                && let Container::Struct(table) = read.container
            {
                return pull.structure(table, fields, visitor);
            }
            pull.read(visitor)
        })
    }
}
