//! Values of several components, for Rust programs.

use super::{Components, Text};
use crate::schema::logical::{DecimalKind, MAX_FLOATS, MAX_INTS};
use crate::schema::{ElementType, Logical, NdArray};

/// A value of a [`Logical`] type, as components. [`Logical`] describes the components of each type.
/// Floats are compared by their bits.
///
/// ```
/// # use serow_core::schema::Logical;
/// # use serow_core::value::Composite;
/// let day = Composite::date(20_000);
/// assert_eq!((day.ty(), day.ints()), (Logical::Date, &[20_000][..]));
/// ```
#[derive(Clone, Debug)]
pub struct Composite {
    pub(super) ty: Logical,
    pub(super) ints: [i64; MAX_INTS],
    pub(super) floats: [f64; MAX_FLOATS],
    pub(super) bytes: Vec<u8>,
}

impl Composite {
    pub(crate) fn of_parts(
        ty: Logical,
        ints: [i64; MAX_INTS],
        floats: [f64; MAX_FLOATS],
        bytes: &[u8],
    ) -> Composite {
        Composite { ty, ints, floats, bytes: bytes.to_vec() }
    }

    /// Returns the value of type `ty` with these components; `None` if their number is wrong for
    /// the type or they do not form a value.
    pub fn of(ty: Logical, ints: &[i64], floats: &[f64], bytes: &[u8]) -> Option<Composite> {
        let counts = ty.counts();
        let fits = (ints.len(), floats.len()) == (counts.ints, counts.floats)
            && (counts.bytes > 0 || bytes.is_empty());
        let mut made = Composite::of_parts(ty, [0; MAX_INTS], [0.0; MAX_FLOATS], bytes);
        if fits {
            made.ints[..counts.ints].copy_from_slice(ints);
            made.floats[..counts.floats].copy_from_slice(floats);
        }
        // These are a `Value::I64`, a `Value::F64` or an `int`.
        let is_number = (ty == Logical::Int && bytes.is_empty()) || ty.is_sized_number();
        (fits && !is_number && made.is_right()).then_some(made)
    }

    fn of_ints(ty: Logical, ints: [i64; MAX_INTS]) -> Composite {
        Composite::of_parts(ty, ints, [0.0; MAX_FLOATS], &[])
    }

    /// An integer in two's complement, little-endian; `None` if it fits in 64 bits or has more
    /// bytes than it needs.
    pub fn int(bytes: &[u8]) -> Option<Composite> {
        let made = Composite::of_parts(Logical::Int, [0; MAX_INTS], [0.0; MAX_FLOATS], bytes);
        (!bytes.is_empty() && made.is_right()).then_some(made)
    }

    /// A byte string.
    pub fn bytes(bytes: &[u8]) -> Composite {
        Composite::of_parts(Logical::Bytes, [0; MAX_INTS], [0.0; MAX_FLOATS], bytes)
    }

    /// A date, as days since 1970-01-01.
    pub fn date(days: i64) -> Composite {
        Composite::of_ints(Logical::Date, [days, 0, 0])
    }

    /// A time of day in microseconds; `None` if it is negative or at least a day.
    pub fn time(microseconds: i64) -> Option<Composite> {
        let made = Composite::of_ints(Logical::Time, [microseconds, 0, 0]);
        made.is_right().then_some(made)
    }

    /// A date and time without a zone, in microseconds since 1970-01-01T00:00:00. [`Composite::of`]
    /// makes one with nanoseconds, or of more than 64 bits of microseconds.
    pub fn timestamp(microseconds: i64) -> Composite {
        Composite::of_ints(Logical::Timestamp, [microseconds, 0, 0])
    }

    /// A duration of whole seconds, rounded down, plus nanoseconds; `None` if `nanoseconds` is a
    /// second or more.
    pub fn duration(seconds: i64, nanoseconds: u32) -> Option<Composite> {
        let made = Composite::of_ints(Logical::Duration, [seconds, nanoseconds.into(), 0]);
        made.is_right().then_some(made)
    }

    /// `coefficient` times ten to the power of `exponent`.
    pub fn decimal(coefficient: i64, exponent: i32) -> Composite {
        let first = (i64::from(exponent) * 4) | DecimalKind::Small as i64;
        Composite::of_ints(Logical::Decimal, [first, coefficient, 0])
    }

    /// A UUID. Its first byte is the most significant one.
    pub fn uuid(uuid: u128) -> Composite {
        Composite::of_ints(Logical::Uuid, [(uuid >> 64) as i64, uuid as i64, 0])
    }

    /// A complex number.
    pub fn complex(real: f64, imaginary: f64) -> Composite {
        Composite::of_parts(Logical::Complex, [0; MAX_INTS], [real, imaginary], &[])
    }

    /// An array of `lengths`, outermost first, whose little-endian `elements` come in the order of the last dimension
    /// first; `None` if these are not as many.
    pub fn nd_array(of: ElementType, lengths: &[usize], elements: &[u8]) -> Option<Composite> {
        let mut bytes = Vec::new();
        NdArray::write_shape(lengths, &mut bytes).ok()?;
        bytes.extend_from_slice(elements);
        Composite::of(Logical::NdArray, &[NdArray::code(of, false)], &[], &bytes)
    }

    /// Returns it as an array, if it is one.
    pub fn as_nd_array(&self) -> Option<NdArray<'_>> {
        let is_array = self.ty == Logical::NdArray;
        is_array.then(|| NdArray::of_components(self.ints[0], &self.bytes).ok()).flatten()
    }

    /// Returns its type.
    pub fn ty(&self) -> Logical {
        self.ty
    }

    /// Returns the integers among its components.
    pub fn ints(&self) -> &[i64] {
        &self.ints[..self.ty.counts().ints]
    }

    /// Returns the floats among its components.
    pub fn floats(&self) -> &[f64] {
        &self.floats[..self.ty.counts().floats]
    }

    /// Returns the bytes among its components; empty if it has none.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn is_right(&self) -> bool {
        self.ty.check(&self.ints, &self.bytes).is_ok()
    }

    pub(crate) fn components(&self) -> Components<'_> {
        Components { ints: self.ints, floats: self.floats, bytes: Text::plain(&self.bytes) }
    }
}

impl PartialEq for Composite {
    fn eq(&self, other: &Composite) -> bool {
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits();
        self.ty == other.ty
            && self.ints == other.ints
            && self.floats.iter().zip(other.floats).all(|(&a, b)| same(a, b))
            && self.bytes == other.bytes
    }
}

impl Eq for Composite {}

impl std::hash::Hash for Composite {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.ty, self.ints, self.floats.map(f64::to_bits), &self.bytes).hash(state);
    }
}
