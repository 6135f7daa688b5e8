//! Days in the proleptic Gregorian calendar.
//!
//! The formulas are Howard Hinnant's `days_from_civil` and `civil_from_days`: years start in March, so that a leap
//! day is the last of its year.

/// The days of 400 years, and the days from 0000-03-01 to 1970-01-01.
const DAYS_OF_400_YEARS: i64 = 146_097;
const MARCH_TO_1970: i64 = 719_468;

/// Returns the days from 1970-01-01 to a date. Years before 1 count as 0, -1, and so on, down to -2^40, and up to 2^40.
#[inline]
pub fn days_of(year: i64, month: u8, day: u8) -> i64 {
    let (month, day) = (i64::from(month), i64::from(day));
    let year = year - i64::from(month <= 2);
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * DAYS_OF_400_YEARS + year * 365 + year / 4 - year / 100 + of_year - MARCH_TO_1970
}

/// Returns the year, month and day that is `days` after 1970-01-01; `None` if that is beyond 64 bits of days.
#[inline]
pub fn date_of(days: i64) -> Option<(i64, u8, u8)> {
    let days = days.checked_add(MARCH_TO_1970)?;
    let (era, of_era) = (days.div_euclid(DAYS_OF_400_YEARS), days.rem_euclid(DAYS_OF_400_YEARS));
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + i64::from(month <= 2);
    Some((year, month as u8, day as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates() {
        let cases = [
            (0, (1970, 1, 1)),
            (-1, (1969, 12, 31)),
            (11_016, (2000, 2, 29)),
            (-719_162, (1, 1, 1)),
            (-719_528, (0, 1, 1)),
            (-719_529, (-1, 12, 31)),
            (2_932_896, (9999, 12, 31)),
        ];
        for (days, (year, month, day)) in cases {
            assert_eq!(date_of(days), Some((year, month, day)));
            assert_eq!(days_of(year, month, day), days);
        }
        for days in (-2_000_000..2_000_000).step_by(13) {
            let (year, month, day) = date_of(days).unwrap();
            assert_eq!(days_of(year, month, day), days);
        }
        assert_eq!(date_of(i64::MAX), None);
        assert!(date_of(i64::MIN).is_some());
    }
}
