//! How values of a plan are stored, where the plan does not say it.

use crate::plan::Numbered;
use crate::schema::{Logical, Type};

/// The bytes of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Width {
    One = 1,
    Two = 2,
    Four = 4,
    Eight = 8,
}

/// How the value is stored that a plan's int column belongs to: an integer, a value that is made of
/// parts, or a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stored {
    /// An integer of this width.
    Int(Width),
    /// A date: its days since 1970-01-01 in four bytes.
    Date,
    /// A moment, as clocks here show it: microseconds since 1970-01-01T00:00 in UTC.
    Moment,
    /// What a clock shows: microseconds since it showed 1970-01-01T00:00.
    Clock,
    /// A duration in microseconds.
    Interval,
    /// A time of day in nanoseconds, of which microseconds are taken.
    Time,
    /// A moment as [`Stored::Moment`], of a value that has a time zone.
    Aware,
    /// A decimal: its coefficient, in the slot or, if it may have more than
    /// [`Stored::MOST_DIGITS_OF_WORD`], in up to sixteen bytes elsewhere, the highest first.
    Decimal {
        /// Its digits.
        precision: u8,
        /// Those of them behind the point.
        scale: u8,
    },
    /// A list, whose slots are so wide.
    List(Width),
    /// A map: the width of the slots of its keys, and of its values.
    Map(Width, Width),
}

impl Stored {
    /// The digits of a decimal that is stored in its slot.
    pub const MOST_DIGITS_OF_WORD: u8 = 18;
}

/// What a map's keys are in Java, which says in which order its `HashMap` gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapKey {
    /// `Boolean`.
    Bool,
    /// An integer of this width; days and microseconds are integers too.
    Int(Width),
    /// `Float`.
    Single,
    /// `Double`.
    Double,
    /// `String`.
    Text,
    /// `BigDecimal`, stored as in [`Stored::Decimal`].
    Decimal {
        /// See there.
        precision: u8,
        /// See there.
        scale: u8,
    },
    /// Of another class, or of any in a map whose order is not known.
    Other,
}

/// How the values of a plan are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Storage {
    /// By the first int column of a value.
    pub(super) ints: Vec<Option<Stored>>,
    /// By its float column: whether it has 32 bits and not 64.
    pub(super) is_single: Vec<bool>,
    /// By the int column of a map.
    pub(super) keys: Vec<(u32, MapKey)>,
    /// By the bit column of a value that may be null: whether it is a decimal with more digits than a
    /// word has.
    pub(super) is_long_decimal: Vec<bool>,
}

impl Storage {
    /// How the value is stored whose first int column this is.
    #[inline(always)]
    pub fn of_int(&self, column: u32) -> Option<Stored> {
        self.ints.get(column as usize).copied().flatten()
    }

    /// Whether the value that this bit column is for is a decimal that never is in its slot.
    #[inline(always)]
    pub fn is_long_decimal(&self, column: u32) -> bool {
        self.is_long_decimal.get(column as usize).is_some_and(|&is| is)
    }

    /// Whether the float of this column has 32 bits.
    #[inline(always)]
    pub fn is_single(&self, column: u32) -> bool {
        self.is_single.get(column as usize).is_some_and(|&single| single)
    }

    /// What the keys are of the map whose int column this is.
    pub fn key(&self, column: u32) -> MapKey {
        let at = self.keys.binary_search_by_key(&column, |&(column, _)| column);
        at.map_or(MapKey::Other, |at| self.keys[at].1)
    }
}

/// What Spark's type says beyond the type that it is to serow.
pub(super) struct SparkType {
    /// How wide the slots of values are in a list.
    pub width: Width,
    /// How they are stored, if the type that they are to serow does not say it.
    pub stored: Option<Stored>,
    /// The names of a struct's fields, as they are described.
    pub names: Vec<String>,
    /// Of a struct's fields, a list's element, or a map's key and value.
    pub within: Vec<SparkType>,
}

impl SparkType {
    /// Spark's type of values that are stored so in slots of this width.
    pub fn new(width: Width, stored: Option<Stored>) -> SparkType {
        SparkType { width, stored, names: Vec::new(), within: Vec::new() }
    }

    /// Say how values of this type are stored whose columns are those of `ty`.
    pub fn store(self, ty: &Numbered<'_>, storage: &mut Storage, fields: &mut Vec<Vec<String>>) {
        match ty.ty {
            Type::Optional(_) => {
                let is_long = matches!(self.stored, Some(Stored::Decimal { precision, .. })
                    if precision > Stored::MOST_DIGITS_OF_WORD);
                set(&mut storage.is_long_decimal, ty.first.bits, is_long);
                return self.store(&ty.within[0], storage, fields);
            }
            Type::Union(_) => {
                // Arms of bytes have no int columns.
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
            // A plan has structs in the order of this walk.
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

    /// What keys of this type are in Java.
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

/// Set what stands for a column. Columns without anything have the default.
fn set<T: Clone + Default>(of: &mut Vec<T>, column: u32, value: T) {
    let column = column as usize;
    of.resize(of.len().max(column + 1), T::default());
    of[column] = value;
}
