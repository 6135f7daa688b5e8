//! Damaged files: what follows damage is found, and a file that was made whole gives the frames that it gave before.

#![no_main]

use std::ops::Range;

use libfuzzer_sys::fuzz_target;
use serow_core::Result;
use serow_core::stream::{Salvage, StreamDecoder, end_of_log};
use serow_core::wire::message::Position;
use serow_fuzz::{bodies, is_about_bytes, repaired, streamed};

/// The bodies of the frames that a reader gives if it skips damage.
fn left(file: &[u8]) -> Result<Vec<Vec<u8>>> {
    bodies(&mut StreamDecoder::new().skipping(), file, StreamDecoder::ends)
}

fn read_at(file: &[u8], range: Range<u64>, bytes: &mut Vec<u8>) -> Result<()> {
    *bytes = file[range.start as usize..range.end as usize].to_vec();
    Ok(())
}

fn salvaged(file: &[u8]) -> Result<Salvage> {
    Salvage::of(file.len() as u64, &mut |range, bytes| read_at(file, range, bytes))
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&damage, bytes)) = bytes.split_last() else { return };
    let message = repaired(bytes);
    let first = Position { salt: 7, row: 0 };
    let mut right = streamed(&message, first);
    let end = end_of_log(right.len() as u64, None, &mut |range, to| read_at(&right, range, to));
    right.extend(streamed(&message, end.expect("it is a stream").expect("it has an end")));
    let mut damaged = right.clone();
    let place = usize::from(damage) % damaged.len();
    damaged[place] ^= 1 << (damage % 8);
    for file in [bytes, &message, &right, &damaged] {
        let (before, found) = (left(file), salvaged(file));
        let found = match found {
            Ok(found) => found,
            Err(error) => return is_about_bytes(&error),
        };
        let whole = [&file[..found.keep as usize], &found.index].concat();
        let again = salvaged(&whole).expect("a file that was made whole is one of serow's");
        assert_eq!((again.keep, again.index.len()), (whole.len() as u64, 0));
        if let Ok(before) = before
            && found.keep > 0
        {
            assert_eq!(left(&whole).expect("it has frames, or none"), before);
        }
    }
});
