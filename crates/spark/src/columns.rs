//! The times and floats of Spark's rows in columns that Arrow's arrays become, and that become arrays.
//!
//! An array of timestamps has points in time; Python's values are shown in the local time of this process, as
//! Spark's own `astimezone` shows them.

use serow_core::error::{Error, Fault, Result};
use serow_core::layout::batch::Batch;
use serow_core::memory;
use serow_core::plan::Numbered;
use serow_core::plan::number;
use serow_core::program::Program;
use serow_core::schema::{Logical, Type};
use serow_core::value::Text;

use crate::clock::{BEGIN, Clock, END};
use crate::{Storage, Stored};

const MICROS: i64 = 1_000_000;
const DAY: i64 = 86_400;

/// Shows the points in time that were read from arrays as local times.
///
/// # Errors
/// A decode error if a time is within two days of the ends of Python's calendar, which depend on the zone.
pub fn show_times(program: &Program, columns: &mut Batch) -> Result<()> {
    let (storage, mut clock) = (Storage::of(program)?, Clock::default());
    for (column, times) in (0..).zip(&mut columns.ints) {
        if storage.of_int(column) != Some(Stored::Moment) {
            continue;
        }
        for time in times {
            let shown = in_seconds(*time, |seconds| Some(clock.show(seconds)?.0));
            *time =
                shown.ok_or_else(|| Error::decode("a time is near the ends of the calendar"))?;
        }
    }
    Ok(())
}

/// Makes of the columns of rows that were given to Spark what its arrays store: points in time, and floats of
/// 32 bits.
///
/// # Errors
/// An encode error if a local time occurs twice or never, or near the ends of Python's calendar. A limit error
/// if there is no memory.
pub fn store(program: &Program, columns: &mut Batch) -> Result<()> {
    let storage = Storage::of(program)?;
    for (column, floats) in (0..).zip(&mut columns.floats) {
        if storage.is_single(column) {
            floats.iter_mut().for_each(|float| *float = f64::from(*float as f32));
        }
    }
    store_times(&number(program.root()), columns, &mut Clock::default())
}

/// Makes all times of unions of local times and times with a zone the latter.
fn store_times(node: &Numbered<'_>, columns: &mut Batch, clock: &mut Clock) -> Result<()> {
    let arm = |ty: Logical| node.within.iter().position(|arm| *arm.ty == Type::Logical(ty));
    let (Type::Union(_), Some(local), Some(zoned)) =
        (node.ty, arm(Logical::Timestamp), arm(Logical::TimestampTz))
    else {
        return node.within.iter().try_for_each(|node| store_times(node, columns, clock));
    };
    let mut taken = |arm: usize, n: usize| {
        std::mem::take(&mut columns.ints[node.within[arm].first.ints as usize + n]).into_iter()
    };
    let mut locals = taken(local, 0).zip(taken(local, 1));
    let mut others = taken(zoned, 0).zip(taken(zoned, 1)).zip(taken(zoned, 2));
    let mut moments = Vec::new();
    let arms = &mut columns.ints[node.first.ints as usize];
    let fault = |fault: Fault| fault.into_error(serow_core::ErrorKind::Encode, "the rows");
    memory::reserve(&mut moments, arms.len()).map_err(fault)?;
    for arm in arms.iter_mut() {
        let found = match *arm == local as i64 {
            // The first of two equal times, which is not marked.
            true => locals
                .next()
                .filter(|(_, rest)| *rest == 0)
                .and_then(|(time, _)| in_seconds(time, |seconds| moment(clock, seconds))),
            false => others.next().and_then(|((time, _), offset)| {
                let moment = time.checked_sub(offset)?;
                (BEGIN..END).contains(&moment.div_euclid(MICROS)).then_some(moment)
            }),
        };
        moments.push(found.ok_or_else(|| Error::encode("a time is no single point in time"))?);
        *arm = zoned as i64;
    }
    let (first, zones) = (&node.within[zoned].first, moments.len());
    columns.ints[first.ints as usize] = moments;
    for column in &mut columns.ints[first.ints as usize + 1..][..2] {
        memory::resize(column, zones, 0).map_err(fault)?;
    }
    let names = &mut columns.strs[first.strs as usize];
    names.clear();
    (0..zones).try_for_each(|_| names.push(Text::plain(b""))).map_err(fault)
}

/// Converts the seconds of a time in microseconds that is far enough from the ends of Python's calendar for any
/// zone.
fn in_seconds(micros: i64, convert: impl FnOnce(i64) -> Option<i64>) -> Option<i64> {
    let (seconds, rest) = (micros.div_euclid(MICROS), micros.rem_euclid(MICROS));
    let is_safe = (BEGIN + 2 * DAY..END - 2 * DAY).contains(&seconds);
    Some(is_safe.then(|| convert(seconds)).flatten()? * MICROS + rest)
}

/// The moment of a local time, the first one if it occurs twice. `None` if clocks skip it, because Pythons
/// may differ then.
fn moment(clock: &mut Clock, local: i64) -> Option<i64> {
    // The steps are those of Python's `local_to_seconds`.
    let mut ahead = |moment: i64| Some(clock.show(moment)?.0 - moment);
    let one = local - ahead(local)?;
    let offset_of_one = ahead(one)?;
    let is_one = one + offset_of_one == local;
    let other = local - if is_one { ahead(one - DAY)? } else { offset_of_one };
    match other + ahead(other)? == local {
        true => Some(other),
        false => is_one.then_some(one),
    }
}
