//! Where the columns of a value are: a type's numbers as constants, in the order of core's
//! `plan/numbering.rs`.

use serow_core::plan::{ColumnCounts, ComponentColumns};
use serow_core::schema::logical::Counts;

/// Numbers of columns of each kind, and of structs and enums: as many as a type has, or those that come
/// before a value of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub ints: u32,
    pub floats: u32,
    pub strs: u32,
    pub bits: u32,
    pub structs: u32,
    pub enums: u32,
}

impl Place {
    /// None: the place of a row.
    pub const NONE: Place = Place { ints: 0, floats: 0, strs: 0, bits: 0, structs: 0, enums: 0 };
    pub const INT: Place = Place { ints: 1, ..Place::NONE };
    pub const FLOAT: Place = Place { floats: 1, ..Place::NONE };
    pub const STR: Place = Place { strs: 1, ..Place::NONE };
    pub const BIT: Place = Place { bits: 1, ..Place::NONE };
    /// What a record has itself.
    pub const RECORD: Place = Place { structs: 1, ..Place::NONE };
    /// A member of an enum.
    pub const MEMBER: Place = Place { ints: 1, enums: 1, ..Place::NONE };

    /// The columns of the components of a logical type.
    pub const fn components(counts: Counts) -> Place {
        Place {
            ints: counts.ints as u32,
            floats: counts.floats as u32,
            strs: counts.bytes as u32,
            ..Place::NONE
        }
    }

    /// The sum: the place after `more`.
    #[must_use]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn and(self, more: Place) -> Place {
        Place {
            ints: self.ints + more.ints,
            floats: self.floats + more.floats,
            strs: self.strs + more.strs,
            bits: self.bits + more.bits,
            structs: self.structs + more.structs,
            enums: self.enums + more.enums,
        }
    }

    /// The columns of `count` values.
    #[must_use]
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub const fn times(self, count: usize) -> Place {
        let count = count as u32;
        Place {
            ints: self.ints * count,
            floats: self.floats * count,
            strs: self.strs * count,
            bits: self.bits * count,
            structs: self.structs * count,
            enums: self.enums * count,
        }
    }

    /// Whether values with these columns take no bytes in any wire.
    pub const fn is_zero_sized(self) -> bool {
        self.ints + self.floats + self.strs + self.bits == 0
    }

    /// Whether a plan's rows have these columns.
    #[inline]
    pub fn is_of(self, columns: &ColumnCounts) -> bool {
        let ColumnCounts { ints, floats, strs, bits } = *columns;
        (self.ints, self.floats, self.strs, self.bits) == (ints, floats, strs, bits)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn component_columns(self) -> ComponentColumns {
        ComponentColumns { int: self.ints, float: self.floats, str: self.strs }
    }
}
