//! The serializer: serde's data model with less in it, for two targets. [`Push`](super::push::Push) writes values
//! along a plan, and [`ToTree`](super::to_tree::ToTree) makes trees of them.

use serde::ser::{self, Serialize};
use serow_core::schema::Logical;

use super::failure::Failure;
use super::known::Name;
use super::push::mismatch;
use serow_core::number::IntBytes;

/// What takes the values that serde passes.
pub(super) trait Target: Sized {
    /// What becomes of a value.
    type Ok;
    type List: Container<Self>;
    type Tuple: Container<Self>;
    type Map: Container<Self>;
    type Record: Container<Self>;

    fn bool(&mut self, v: bool) -> Result<Self::Ok, Failure>;
    fn i64(&mut self, v: i64) -> Result<Self::Ok, Failure>;
    /// Takes an integer of the type `ty`, as its component.
    fn sized(&mut self, ty: Logical, v: i64) -> Result<Self::Ok, Failure>;
    fn f64(&mut self, v: f64) -> Result<Self::Ok, Failure>;
    fn f32(&mut self, v: f32) -> Result<Self::Ok, Failure>;
    fn str(&mut self, v: &str) -> Result<Self::Ok, Failure>;
    /// Takes bytes, or the bytes of an integer of more than 64 bits.
    fn bytes(&mut self, ty: Logical, v: &[u8]) -> Result<Self::Ok, Failure>;
    /// Takes `None` or a unit.
    fn null(&mut self) -> Result<Self::Ok, Failure>;
    /// Takes what is inside a `Some`.
    fn some<V: Serialize + ?Sized>(&mut self, value: &V) -> Result<Self::Ok, Failure>;
    fn unit_variant(&mut self, name: Name) -> Result<Self::Ok, Failure>;
    fn list(&mut self, len: Option<usize>) -> Result<Self::List, Failure>;
    /// Begins a tuple, or the contents of a newtype or tuple variant.
    fn tuple(&mut self, of: Contents) -> Result<Self::Tuple, Failure>;
    fn map(&mut self, len: Option<usize>) -> Result<Self::Map, Failure>;
    /// Begins a struct, or a variant with named fields.
    fn record(&mut self, name: Name, len: usize) -> Result<Self::Record, Failure>;
}

/// A container whose parts are being passed.
pub(super) trait Container<T: Target>: Sized {
    fn part<V: Serialize + ?Sized>(
        &mut self,
        target: &mut T,
        part: Part,
        value: &V,
    ) -> Result<(), Failure>;
    /// Takes note of a field that is left out. By default no field may be.
    fn skip(&mut self, _field: &'static str) -> Result<(), Failure> {
        mismatch()
    }
    fn close(self, target: &mut T) -> Result<T::Ok, Failure>;
}

/// The contents of a tuple or variant, and the length of the tuple.
#[derive(Clone, Copy)]
pub(super) enum Contents {
    Tuple(usize),
    TupleVariant(Name, usize),
    NewtypeVariant(Name),
}

/// Which part of a container a value is.
#[derive(Clone, Copy)]
pub(super) enum Part {
    /// An element of a list, a field of a tuple, or the content of a variant.
    Element,
    Key,
    Value,
    Field(&'static str),
}

/// The serializer for a target.
pub(super) struct Ser<'b, T>(pub(super) &'b mut T);

/// A container of the serializer.
pub(super) struct Parts<'b, T, C> {
    target: &'b mut T,
    open: C,
}

impl<'b, T, C> Parts<'b, T, C> {
    /// The caller has begun the container. If this called a closure for that, the closure would often be compiled
    /// as a function of its own.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(open: Result<C, Failure>, target: &'b mut T) -> Result<Parts<'b, T, C>, Failure> {
        Ok(Parts { open: open?, target })
    }
}

impl<T: Target> Ser<'_, T> {
    /// Passes an integer: `small` if it has at most 64 bits, otherwise its bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn int(self, small: Option<i64>, large: impl FnOnce() -> IntBytes) -> Result<T::Ok, Failure> {
        match small {
            Some(v) => self.0.i64(v),
            None => self.0.bytes(Logical::Int, large().as_bytes()),
        }
    }
}

/// Defines methods that take no generic value.
macro_rules! methods {
    ($($name:ident($($argument:ident: $ty:ty),*) -> $made:ty => |$ser:ident| $result:expr;)*) => {$(
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn $name(self, $($argument: $ty),*) -> Result<$made, Failure> {
            let $ser = self;
            $result
        }
    )*};
}

impl<'b, T: Target> ser::Serializer for Ser<'b, T> {
    type Ok = T::Ok;
    type Error = Failure;
    type SerializeSeq = Parts<'b, T, T::List>;
    type SerializeTuple = Parts<'b, T, T::Tuple>;
    type SerializeTupleStruct = Parts<'b, T, T::Tuple>;
    type SerializeTupleVariant = Parts<'b, T, T::Tuple>;
    type SerializeMap = Parts<'b, T, T::Map>;
    type SerializeStruct = Parts<'b, T, T::Record>;
    type SerializeStructVariant = Parts<'b, T, T::Record>;

    methods! {
        serialize_bool(v: bool) -> T::Ok => |ser| ser.0.bool(v);
        serialize_i8(v: i8) -> T::Ok => |ser| ser.0.sized(Logical::I8, v.into());
        serialize_i16(v: i16) -> T::Ok => |ser| ser.0.sized(Logical::I16, v.into());
        serialize_i32(v: i32) -> T::Ok => |ser| ser.0.sized(Logical::I32, v.into());
        serialize_i64(v: i64) -> T::Ok => |ser| ser.0.i64(v);
        serialize_i128(v: i128) -> T::Ok => |ser| ser.int(v.try_into().ok(), || IntBytes::of_i128(v));
        serialize_u8(v: u8) -> T::Ok => |ser| ser.0.sized(Logical::U8, v.into());
        serialize_u16(v: u16) -> T::Ok => |ser| ser.0.sized(Logical::U16, v.into());
        serialize_u32(v: u32) -> T::Ok => |ser| ser.0.sized(Logical::U32, v.into());
        serialize_u64(v: u64) -> T::Ok => |ser| ser.0.sized(Logical::U64, v as i64);
        serialize_u128(v: u128) -> T::Ok => |ser| ser.int(v.try_into().ok(), || IntBytes::of_u128(v));
        serialize_f32(v: f32) -> T::Ok => |ser| ser.0.f32(v);
        serialize_f64(v: f64) -> T::Ok => |ser| ser.0.f64(v);
        serialize_char(v: char) -> T::Ok => |ser| ser.0.str(v.encode_utf8(&mut [0; 4]));
        serialize_str(v: &str) -> T::Ok => |ser| ser.0.str(v);
        serialize_bytes(v: &[u8]) -> T::Ok => |ser| ser.0.bytes(Logical::Bytes, v);
        serialize_none() -> T::Ok => |ser| ser.0.null();
        serialize_unit() -> T::Ok => |ser| ser.0.null();
        serialize_unit_struct(_of: &'static str) -> T::Ok => |ser| ser.0.null();
        serialize_unit_variant(of: &'static str, index: u32, variant: &'static str) -> T::Ok =>
            |ser| ser.0.unit_variant(Name::variant(of, index, variant));
        serialize_seq(len: Option<usize>) -> Parts<'b, T, T::List> =>
            |ser| Parts::new(ser.0.list(len), ser.0);
        serialize_tuple(len: usize) -> Parts<'b, T, T::Tuple> =>
            |ser| Parts::new(ser.0.tuple(Contents::Tuple(len)), ser.0);
        serialize_tuple_struct(_of: &'static str, len: usize) -> Parts<'b, T, T::Tuple> =>
            |ser| Parts::new(ser.0.tuple(Contents::Tuple(len)), ser.0);
        serialize_tuple_variant(of: &'static str, index: u32, variant: &'static str, len: usize)
            -> Parts<'b, T, T::Tuple> => |ser| {
            let name = Name::variant(of, index, variant);
            Parts::new(ser.0.tuple(Contents::TupleVariant(name, len)), ser.0)
        };
        serialize_map(len: Option<usize>) -> Parts<'b, T, T::Map> =>
            |ser| Parts::new(ser.0.map(len), ser.0);
        serialize_struct(of: &'static str, len: usize) -> Parts<'b, T, T::Record> =>
            |ser| Parts::new(ser.0.record(Name::of(of), len), ser.0);
        serialize_struct_variant(of: &'static str, index: u32, variant: &'static str, len: usize)
            -> Parts<'b, T, T::Record> =>
            |ser| Parts::new(ser.0.record(Name::variant(of, index, variant), len), ser.0);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<V: Serialize + ?Sized>(self, value: &V) -> Result<T::Ok, Failure> {
        self.0.some(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<V: Serialize + ?Sized>(
        self,
        _of: &'static str,
        value: &V,
    ) -> Result<T::Ok, Failure> {
        value.serialize(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<V: Serialize + ?Sized>(
        self,
        of: &'static str,
        index: u32,
        variant: &'static str,
        value: &V,
    ) -> Result<T::Ok, Failure> {
        let contents = Contents::NewtypeVariant(Name::variant(of, index, variant));
        let mut open = self.0.tuple(contents)?;
        open.part(self.0, Part::Element, value)?;
        open.close(self.0)
    }
}

/// Defines serde's traits for the parts of containers: which part each of their methods passes.
macro_rules! parts {
    ($($trait:ident($($skips:ident)?) { $($method:ident $(($name:ident))? => $part:expr;)* })*) => {$(
        impl<T: Target, C: Container<T>> ser::$trait for Parts<'_, T, C> {
            type Ok = T::Ok;
            type Error = Failure;

            $(
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn $method<V: Serialize + ?Sized>(
                    &mut self,
                    $($name: &'static str,)?
                    value: &V,
                ) -> Result<(), Failure> {
                    self.open.part(self.target, $part, value)
                }
            )*

            $(
                fn $skips(&mut self, field: &'static str) -> Result<(), Failure> {
                    self.open.skip(field)
                }
            )?

            #[cfg_attr(not(debug_assertions), inline(always))]
            fn end(self) -> Result<T::Ok, Failure> {
                self.open.close(self.target)
            }
        }
    )*};
}

parts! {
    SerializeSeq() { serialize_element => Part::Element; }
    SerializeTuple() { serialize_element => Part::Element; }
    SerializeTupleStruct() { serialize_field => Part::Element; }
    SerializeTupleVariant() { serialize_field => Part::Element; }
    SerializeMap() { serialize_key => Part::Key; serialize_value => Part::Value; }
    SerializeStruct(skip_field) { serialize_field(name) => Part::Field(name); }
    SerializeStructVariant(skip_field) { serialize_field(name) => Part::Field(name); }
}
