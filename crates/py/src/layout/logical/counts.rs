//! Dates, timestamps and durations as the counts that NumPy's arrays hold.

use std::ptr::null_mut;

use serow_core::error::Fault;
use serow_core::layout::OpResult;
use serow_core::schema::Logical;
use serow_core::schema::logical::MAX_INTS;

use super::super::foreign::time_units::NOT_A_TIME;
use super::date::{DAYS, day};
use super::duration::fields;
use super::time::{Clock, no_year};
use super::timestamp::MOMENTS;
use super::{Refusal, Times};

/// The days of a date, or the microseconds of a timestamp or duration, with these components. Sets `refusal` if an
/// array holds no such value.
///
/// # Errors
/// A value that Python's classes lack, or that only an array lacks.
#[inline]
pub fn count(
    ty: Logical,
    [first, second]: [i64; 2],
    times: Times,
    refusal: &mut String,
) -> OpResult<i64> {
    let mut ints = [first, second, 0];
    ty.check(&ints, &[])?;
    times.of(ty, &mut ints, &[]);
    count_of(ty, ints).map_err(|of| match of {
        Refusal::Raised => Fault::Host,
        Refusal::NoSuchValue(what) => {
            *refusal = what;
            Fault::Unrepresentable
        }
    })
}

/// Whether all dates or timestamps with these components are the counts that an array holds, as they are.
pub fn are_counts(ty: Logical, [first, second]: [&[i64]; 2]) -> bool {
    let range = match ty {
        Logical::Date => DAYS,
        Logical::Timestamp => MOMENTS,
        _ => return false,
    };
    // No branch for each, so that they are tested several at a time.
    let rests = second.iter().fold(0, |all, &rest| all | rest);
    rests == 0 && first.iter().fold(true, |all, v| all & range.contains(v))
}

#[inline]
fn count_of(ty: Logical, [first, second, _]: [i64; MAX_INTS]) -> Result<i64, Refusal> {
    match ty {
        Logical::Date => day(first).map(|_| first),
        Logical::Timestamp => {
            let clock = Clock::of_parts(first, second, null_mut())?;
            if clock.fold {
                return Err(Refusal::NoSuchValue(FOLD.to_owned()));
            }
            match MOMENTS.contains(&first) {
                true => Ok(first),
                false => Err(no_year(first.into())),
            }
        }
        _ => {
            fields([first, second])?;
            let microseconds = i128::from(first) * 1_000_000 + i128::from(second / 1_000);
            let count = i64::try_from(microseconds).ok().filter(|&it| it != NOT_A_TIME);
            count.ok_or_else(|| {
                Refusal::NoSuchValue(format!(
                    "an array of timedelta64[us] has 64 bits for its microseconds, too few for this duration of \
                     {first} seconds; decode it without arrays"
                ))
            })
        }
    }
}

const FOLD: &str = "an array of NumPy has no fold, and this timestamp is the second of two equal clock times; \
                    decode it without arrays, or with times='portable', which drops the fold";
