//! How Spark's rows store values, as far as the plan does not say it.

use std::any::Any;

use serow_core::error::{Error, Result};
use serow_core::plan::Numbered;
use serow_core::program::{Extension, Program};
use serow_core::schema::{Logical, Type};

/// The size of an integer in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Width {
    One = 1,
    Two = 2,
    Four = 4,
    Eight = 8,
}

/// The storage of the value to which an int column of a plan belongs: an integer, a value with
/// components, or a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stored {
    /// An integer of this width.
    Int(Width),
    /// A date: its days since 1970-01-01 in four bytes.
    Date,
    /// A point in time, which is shown in the local time zone: microseconds since 1970-01-01T00:00
    /// UTC.
    Moment,
    /// A local time: microseconds since 1970-01-01T00:00 on the same clock.
    Clock,
    /// A duration in microseconds.
    Interval,
    /// A time of day in nanoseconds. Values have microseconds.
    Time,
    /// Like [`Stored::Moment`], for a value that has a time zone.
    Aware,
    /// A decimal. Its coefficient is in the slot or, if the decimal may have more than
    /// [`Stored::MOST_DIGITS_OF_WORD`] digits, outside it in up to sixteen bytes, big-endian.
    Decimal {
        /// The maximum number of digits.
        precision: u8,
        /// The number of digits after the point.
        scale: u8,
    },
    /// A list whose slots have this width.
    List(Width),
    /// A map: the width of its keys' slots and of its values' slots.
    Map(Width, Width),
}

impl Stored {
    /// The most digits of a decimal that is stored in its slot.
    pub const MOST_DIGITS_OF_WORD: u8 = 18;
}

/// The Java class of a map's keys, which determines their order in a `HashMap`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapKey {
    /// `Boolean`.
    Bool,
    /// An integer of this width. Days and microseconds are integers too.
    Int(Width),
    /// `Float`.
    Single,
    /// `Double`.
    Double,
    /// `String`.
    Text,
    /// `BigDecimal`, stored as in [`Stored::Decimal`].
    Decimal {
        /// See [`Stored::Decimal`].
        precision: u8,
        /// See [`Stored::Decimal`].
        scale: u8,
    },
    /// Another class, or any class in a map whose order is unspecified.
    Other,
}

/// How the values of a plan are stored in Spark's rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Storage {
    /// By a value's first int column.
    pub(super) ints: Vec<Option<Stored>>,
    /// Whether a float has 32 bits instead of 64, by its float column.
    pub(super) is_single: Vec<bool>,
    /// The keys of maps, by the maps' int columns, sorted.
    pub(super) keys: Vec<(u32, MapKey)>,
    /// Whether an optional value is a decimal whose digits may exceed a word, by the value's bit
    /// column.
    pub(super) is_long_decimal: Vec<bool>,
}

impl Extension for Storage {}

impl Storage {
    /// Returns the storage of a program's values.
    ///
    /// # Errors
    /// A schema error if there is none.
    pub fn of(program: &Program) -> Result<&Storage> {
        let extension = program.extension().map(|extension| extension as &dyn Any);
        extension
            .and_then(|extension| extension.downcast_ref())
            .ok_or_else(|| Error::schema("the schema has no storage in Spark's rows"))
    }

    /// Returns the storage of the value whose first int column is `column`.
    #[inline(always)]
    pub fn of_int(&self, column: u32) -> Option<Stored> {
        self.ints.get(column as usize).copied().flatten()
    }

    /// Whether bit column `column` belongs to a decimal that is never stored in its slot.
    #[inline(always)]
    pub fn is_long_decimal(&self, column: u32) -> bool {
        self.is_long_decimal.get(column as usize).is_some_and(|&is| is)
    }

    /// Whether the floats of column `column` have 32 bits.
    #[inline(always)]
    pub fn is_single(&self, column: u32) -> bool {
        self.is_single.get(column as usize).is_some_and(|&single| single)
    }

    /// Returns the Java class of the keys of the map whose int column is `column`.
    pub fn key(&self, column: u32) -> MapKey {
        let at = self.keys.binary_search_by_key(&column, |&(column, _)| column);
        at.map_or(MapKey::Other, |at| self.keys[at].1)
    }
}

/// A Spark type: the parts that the serow type does not have.
pub(super) struct SparkType {
    /// The width of a value's slot in a list.
    pub width: Width,
    /// The storage of values, if the serow type does not determine it.
    pub stored: Option<Stored>,
    /// The names of a struct's fields as in the description.
    pub names: Vec<String>,
    /// The types of a struct's fields, of a list's element, or of a map's key and value.
    pub within: Vec<SparkType>,
}

impl SparkType {
    /// Returns a Spark type of values with this storage, in slots of this width.
    pub fn new(width: Width, stored: Option<Stored>) -> SparkType {
        SparkType { width, stored, names: Vec::new(), within: Vec::new() }
    }

    /// Records in `storage` how the values of the columns of `ty`, the same type in serow, are
    /// stored. Appends the names of structs' fields to `fields`.
    pub fn store(self, ty: &Numbered<'_>, storage: &mut Storage, fields: &mut Vec<Vec<String>>) {
        match ty.ty {
            Type::Optional(_) => {
                let is_long = matches!(self.stored, Some(Stored::Decimal { precision, .. })
                    if precision > Stored::MOST_DIGITS_OF_WORD);
                set(&mut storage.is_long_decimal, ty.first.bits, is_long);
                return self.store(&ty.within[0], storage, fields);
            }
            Type::Union(_) => {
                // Arms that are bytes have no int columns.
                for arm in ty.within.iter().filter(|_| self.stored.is_some()) {
                    let stored = match arm.ty {
                        Type::Logical(Logical::TimestampTz) => Some(Stored::Aware),
                        _ => self.stored,
                    };
                    set(&mut storage.ints, arm.first.ints, stored);
                }
                return;
            }
            Type::F64 => {
                set(&mut storage.is_single, ty.first.floats, self.width == Width::Four);
            }
            Type::Map(..) => {
                storage.keys.push((ty.first.ints, self.within[0].java_key(ty.within[0].ty)));
            }
            // This visits structs in the same order as a plan.
            Type::Struct(_) => fields.push(self.names),
            _ => {}
        }
        if self.stored.is_some() {
            set(&mut storage.ints, ty.first.ints, self.stored);
        }
        for (spark, ty) in self.within.into_iter().zip(&ty.within) {
            spark.store(ty, storage, fields);
        }
    }

    /// Returns the Java class of keys of this type.
    fn java_key(&self, key: &Type) -> MapKey {
        match (key, self.stored) {
            (Type::Optional(key), _) => self.java_key(key),
            (Type::Bool, _) => MapKey::Bool,
            (Type::Str, _) => MapKey::Text,
            (Type::F64, _) if self.width == Width::Four => MapKey::Single,
            (Type::F64, _) => MapKey::Double,
            (Type::I64 | Type::Logical(_), Some(stored)) => match stored {
                Stored::Int(width) => MapKey::Int(width),
                Stored::Date => MapKey::Int(Width::Four),
                Stored::Moment | Stored::Clock | Stored::Interval | Stored::Time => {
                    MapKey::Int(Width::Eight)
                }
                Stored::Decimal { precision, scale } => MapKey::Decimal { precision, scale },
                _ => MapKey::Other,
            },
            _ => MapKey::Other,
        }
    }
}

/// Sets the entry of a column. Missing entries before it get the default.
fn set<T: Clone + Default>(of: &mut Vec<T>, column: u32, value: T) {
    let column = column as usize;
    of.resize(of.len().max(column + 1), T::default());
    of[column] = value;
}
