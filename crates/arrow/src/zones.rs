//! Zones of times. serow's times have an offset and the key of a zone each; a column of Arrow has one zone,
//! whose rules tell the offset of each time. The system's database has the rules.

use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

/// A zone that is the same for all values of a column of Arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Arrow's name for it.
    pub name: String,
    /// serow's key for it. It is empty if the zone is nothing but an offset.
    pub key: String,
}

impl Zone {
    /// The zone of a time with this offset in microseconds and this key, if the key is not one with rules.
    fn fixed(offset: i64, key: &str) -> Option<Zone> {
        const MINUTE: i64 = 60_000_000;
        match (offset, key) {
            (0, "UTC") => Some(Zone { name: "UTC".into(), key: "UTC".into() }),
            (0, "") => Some(Zone { name: "UTC".into(), key: String::new() }),
            (_, "") if offset % MINUTE == 0 => {
                let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, (offset / MINUTE).abs());
                let name = format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60);
                Some(Zone { name, key: String::new() })
            }
            _ => None,
        }
    }
}

/// Returns the offset in microseconds of one of Arrow's zones, if it has no rules.
fn fixed_offset(name: &str) -> Option<i64> {
    if ["UTC", "Z", "Etc/UTC"].iter().any(|utc| utc.eq_ignore_ascii_case(name)) {
        return Some(0);
    }
    let (sign, time) = match name.as_bytes() {
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return None,
    };
    let number = |digits: [u8; 2]| {
        let is_number = digits.iter().all(u8::is_ascii_digit);
        is_number.then(|| i64::from(digits[0] - b'0') * 10 + i64::from(digits[1] - b'0'))
    };
    let (hours, minutes) = match *time {
        [a, b, b':', c, d] | [a, b, c, d] => (number([a, b])?, number([c, d])?),
        [a, b] => (number([a, b])?, 0),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60_000_000)
}

/// The offsets of the times of a zone.
#[derive(Clone, Debug)]
pub struct Offsets {
    /// `None` if the offset is always the same.
    rules: Option<TimeZone>,
    span: Span,
}

/// Times with one offset, from second `from` to before second `until` since 1970, in UTC.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: i64,
    until: i64,
    /// In microseconds.
    offset: i64,
    /// Before this second, the clock shows what it has shown before `from`.
    shown_before: i64,
}

impl Offsets {
    /// The offsets of a zone with this name in Arrow, in any case. `None` if its rules are not known.
    pub fn named(name: &str) -> Option<Offsets> {
        if let Some(offset) = fixed_offset(name) {
            let span = Span { from: i64::MIN, until: i64::MAX, offset, shown_before: i64::MIN };
            return Some(Offsets { rules: None, span });
        }
        let rules = TimeZone::get(name).ok()?;
        // Its span has no times, so the first time is looked up.
        let span = Span { from: 0, until: 0, offset: 0, shown_before: 0 };
        Some(Offsets { rules: Some(rules), span })
    }

    /// Whether the zone has rules.
    pub fn has_rules(&self) -> bool {
        self.rules.is_some()
    }

    /// serow's key for a zone with rules: its name as the database spells it, which readers need.
    pub fn key(&self) -> Option<&str> {
        self.rules.as_ref()?.iana_name()
    }

    /// The offset in microseconds at a time in microseconds since 1970, in UTC, and whether the clock shows
    /// the time for the second time. `None` for years that the rules do not have.
    pub fn at(&mut self, micros: i128) -> Option<(i64, bool)> {
        let second = i64::try_from(micros.div_euclid(1_000_000)).ok()?;
        let Span { from, until, .. } = self.span;
        if let Some(rules) = &self.rules
            && !(from..until).contains(&second)
        {
            self.span = span(rules, second)?;
        }
        Some((self.span.offset, second < self.span.shown_before))
    }
}

fn span(rules: &TimeZone, second: i64) -> Option<Span> {
    let micros = |offset: Offset| i64::from(offset.seconds()) * 1_000_000;
    let at = Timestamp::from_second(second).ok()?;
    // Changes at this very second count.
    let after = at.checked_add(SignedDuration::from_nanos(1)).ok()?;
    let offset = rules.to_offset(at);
    let until = rules.following(at).next();
    let until = until.map_or(Timestamp::MAX.as_second(), |next| next.timestamp().as_second());
    let mut span = Span { from: i64::MIN, until, offset: micros(offset), shown_before: i64::MIN };
    if let Some(last) = rules.preceding(after).next() {
        span.from = last.timestamp().as_second();
        let before = last.timestamp().checked_sub(SignedDuration::from_nanos(1)).ok()?;
        let gained = i64::from(rules.to_offset(before).seconds() - offset.seconds());
        span.shown_before = span.from + gained.max(0);
    }
    Some(span)
}

/// The zones of times, one after another. Most have the zone of the time before.
#[derive(Default)]
pub struct Zones {
    last: Option<Last>,
}

struct Last {
    offset: i64,
    key: Vec<u8>,
    zone: Option<Zone>,
    /// For a zone with rules.
    offsets: Option<Offsets>,
}

impl Zones {
    /// Whether a time has another zone than the last.
    pub fn is_other(&self, offset: i64, key: &[u8]) -> bool {
        self.last
            .as_ref()
            .is_none_or(|last| last.key != key || last.offsets.is_none() && last.offset != offset)
    }

    /// The zone of the last time, if a column of Arrow may have it.
    pub fn zone(&self) -> Option<&Zone> {
        self.last.as_ref()?.zone.as_ref()
    }

    /// Returns whether the clock shows the time `utc` for the second time, by the rules of its zone. `None`
    /// if a column of Arrow can't have the zone, or the rules say another offset.
    pub fn tell(&mut self, offset: i64, key: &[u8], utc: i128) -> Option<bool> {
        if self.is_other(offset, key) {
            let text = std::str::from_utf8(key).ok();
            let mut zone = text.and_then(|key| Zone::fixed(offset, key));
            let mut offsets = None;
            if let (None, Some(name)) = (&zone, text) {
                offsets = Offsets::named(name).filter(Offsets::has_rules);
                zone = offsets.is_some().then(|| Zone { name: name.into(), key: name.into() });
            }
            self.last = Some(Last { offset, key: key.to_vec(), zone, offsets });
        }
        let last = self.last.as_mut()?;
        last.zone.as_ref()?;
        match &mut last.offsets {
            None => Some(false),
            Some(offsets) => {
                let (told, is_second) = offsets.at(utc)?;
                (told == offset).then_some(is_second)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000_000;

    #[test]
    fn rules_tell_offsets_and_hours_that_come_twice() {
        let Some(mut berlin) = Offsets::named("Europe/Berlin") else {
            // A system without a database of zones.
            return;
        };
        assert!(berlin.has_rules());
        let lower = Offsets::named("europe/berlin").expect("case does not matter");
        assert_eq!(lower.key(), Some("Europe/Berlin"));
        // On 27 October 2024 the clock goes from 3:00 back to 2:00, at 1:00 UTC.
        let back = 1_729_990_800_i128 * 1_000_000;
        assert_eq!(berlin.at(back - 1), Some((2 * HOUR, false)));
        assert_eq!(berlin.at(back), Some((HOUR, true)));
        assert_eq!(berlin.at(back + i128::from(HOUR) - 1), Some((HOUR, true)));
        assert_eq!(berlin.at(back + i128::from(HOUR)), Some((HOUR, false)));
        // On 31 March it goes forward.
        let forward = 1_711_846_800_i128 * 1_000_000;
        assert_eq!(berlin.at(forward - 1), Some((HOUR, false)));
        assert_eq!(berlin.at(forward), Some((2 * HOUR, false)));
        assert_eq!(berlin.at(i128::MAX), None);
        let mut zones = Zones::default();
        assert_eq!(zones.tell(HOUR, b"Europe/Berlin", back), Some(true));
        assert!(!zones.is_other(2 * HOUR, b"Europe/Berlin"));
        assert_eq!(zones.tell(2 * HOUR, b"Europe/Berlin", back), None);
        assert_eq!(zones.zone().map(|zone| &*zone.name), Some("Europe/Berlin"));
    }

    #[test]
    fn zones_without_rules_are_their_offset() {
        for (name, offset) in [
            ("UTC", Some(0)),
            ("utc", Some(0)),
            ("+05:30", Some(HOUR * 11 / 2)),
            ("-0130", Some(-HOUR * 3 / 2)),
            ("+24:00", None),
            ("Mars/Base", None),
        ] {
            assert_eq!(
                Offsets::named(name).and_then(|mut of| of.at(0)).map(|at| at.0),
                offset,
                "{name}"
            );
        }
        let mut zones = Zones::default();
        assert_eq!(zones.tell(HOUR, b"", 0), Some(false));
        assert!(zones.is_other(-HOUR, b""));
        assert_eq!(zones.tell(-HOUR / 120, b"", 0), None);
        assert_eq!(zones.tell(0, b"UTC", 0), Some(false));
        assert_eq!(zones.tell(0, b"\xFF", 0), None);
    }
}
