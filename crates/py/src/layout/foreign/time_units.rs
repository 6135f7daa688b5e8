//! NumPy's times: each is a count of a unit, since 1970 or as a duration. Its scalars and the elements of its
//! arrays have them.

use serow_core::schema::Logical;

use super::super::logical::{DAYS, MOMENTS};

/// The count of a value that is no time.
pub const NOT_A_TIME: i64 = i64::MIN;

/// A unit that a plain value may have: what a count of it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    pub ty: Logical,
    /// A count, multiplied by the first and divided by the second, is in days or microseconds.
    factor: i64,
    divisor: i64,
}

/// NumPy's name and number of a unit, and its length in microseconds as a factor and a divisor.
type Length = (&'static str, i32, [i64; 2]);

const WEEK: i32 = 2;
const DAY: i32 = 4;

/// The units of fixed length, common ones first.
const UNITS: [Length; 8] = [
    ("us", 9, [1, 1]),
    ("ns", 10, [1, 1_000]),
    ("D", DAY, [86_400_000_000, 1]),
    ("s", 7, [1_000_000, 1]),
    ("ms", 8, [1_000, 1]),
    ("m", 6, [60_000_000, 1]),
    ("h", 5, [3_600_000_000, 1]),
    ("W", WEEK, [604_800_000_000, 1]),
];

impl Unit {
    /// The units of the arrays that are made: days, and microseconds.
    pub const DATES: Unit = Unit { ty: Logical::Date, factor: 1, divisor: 1 };
    pub const TIMESTAMPS: Unit = Unit { ty: Logical::Timestamp, factor: 1, divisor: 1 };
    pub const DURATIONS: Unit = Unit { ty: Logical::Duration, factor: 1, divisor: 1 };

    /// The unit of `count` times NumPy's unit with this number. `None` if no plain value has it.
    pub fn numbered(number: i32, count: i64, is_moment: bool) -> Option<Unit> {
        Unit::new(UNITS.iter().find(|(_, of, _)| *of == number)?, count, is_moment)
    }

    /// The unit of times that NumPy describes by `text`, as `<M8[15m]`. `None` for other texts, if no plain value
    /// has this unit, and for another byte order than the machine's.
    pub fn described(text: &str) -> Option<Unit> {
        let moment = text.strip_prefix("<M8[");
        let unit = moment.or_else(|| text.strip_prefix("<m8["))?.strip_suffix(']')?;
        let name = unit.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let count = match &unit[..unit.len() - name.len()] {
            "" => 1,
            count => count.parse().ok()?,
        };
        Unit::new(UNITS.iter().find(|(of, ..)| *of == name)?, count, moment.is_some())
    }

    fn new(of: &Length, count: i64, is_moment: bool) -> Option<Unit> {
        let (_, number, [length, divisor]) = *of;
        let (ty, length) = match (is_moment, number) {
            // A week is no single day.
            (true, WEEK) => return None,
            (true, DAY) => (Logical::Date, 1),
            (true, _) => (Logical::Timestamp, length),
            (false, _) => (Logical::Duration, length),
        };
        Some(Unit { ty, factor: length.checked_mul(count)?, divisor })
    }

    /// The components of the plain value that equals `count` of this unit, which is not [`NOT_A_TIME`]. `None` if there
    /// is no such value.
    #[inline]
    pub fn components(self, count: i64) -> Option<[i64; 2]> {
        let mut value = count.checked_mul(self.factor)?;
        if self.divisor != 1 {
            if value % self.divisor != 0 {
                return None;
            }
            value /= self.divisor;
        }
        match self.ty {
            Logical::Date => DAYS.contains(&value).then_some([value, 0]),
            Logical::Timestamp => MOMENTS.contains(&value).then_some([value, 0]),
            _ => Some([value.div_euclid(1_000_000), value.rem_euclid(1_000_000) * 1_000]),
        }
    }
}
