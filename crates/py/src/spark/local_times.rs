//! Timestamps of Arrow columns in the local time of this process, and back.
//!
//! Spark calls `astimezone` for each value. The results here are the same, because the C library gives
//! the local time in both.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serow_spark::Clock;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400;
/// The first and the last second that are far enough from the ends of Python's calendar for any zone.
const FIRST: i64 = -62_135_596_800 + 2 * DAY;
const LAST: i64 = 253_402_300_799 - 2 * DAY;

#[doc = stub_doc!("local_times")]
#[pyfunction]
pub fn local_times<'py>(py: Python<'py>, moments: &[u8]) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let mut clock = Clock::default();
    converted(py, moments, |moment| Some(clock.show(moment)?.0))
}

#[doc = stub_doc!("moments")]
#[pyfunction]
pub fn moments<'py>(py: Python<'py>, local_times: &[u8]) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let mut clock = Clock::default();
    converted(py, local_times, |local| moment(&mut clock, local))
}

/// Converts the seconds of values in microseconds.
fn converted<'py>(
    py: Python<'py>,
    values: &[u8],
    mut convert: impl FnMut(i64) -> Option<i64>,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let mut is_all = true;
    let made = PyBytes::new_with(py, values.len(), |out| {
        let words = values.as_chunks::<8>().0.iter().zip(out.as_chunks_mut::<8>().0);
        for (value, out) in words {
            let value = i64::from_ne_bytes(*value);
            let (seconds, rest) = (value.div_euclid(SECOND), value.rem_euclid(SECOND));
            let converted = (FIRST..=LAST).contains(&seconds).then(|| convert(seconds)).flatten();
            let Some(converted) = converted else {
                is_all = false;
                break;
            };
            *out = (converted * SECOND + rest).to_ne_bytes();
        }
        Ok(())
    })?;
    Ok(is_all.then_some(made))
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
