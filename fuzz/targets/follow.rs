//! Followers: whoever has read a part of a log, and then finds it whole in its place, has each frame once.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serow_core::stream::{StreamDecoder, end_of_log};
use serow_core::wire::message::Position;
use serow_fuzz::{bodies, repaired, streamed};

fuzz_target!(|bytes: &[u8]| {
    let Some((&cut, bytes)) = bytes.split_last() else { return };
    let message = repaired(bytes);
    let mut log = streamed(&message, Position { salt: 7, row: 0 });
    let end = end_of_log(log.len() as u64, None, &mut |range, to: &mut Vec<u8>| {
        *to = log[range.start as usize..range.end as usize].to_vec();
        Ok(())
    });
    log.extend(streamed(&message, end.expect("it is a stream").expect("it has an end")));
    let now = |_: &mut StreamDecoder| Ok(true);
    let (mut all, mut once) = (StreamDecoder::new(), StreamDecoder::new());
    let Ok(expected) = bodies(&mut all, &log, now) else { return };
    let part = &log[..log.len() * usize::from(cut) / 255];
    let mut read = bodies(&mut once, part, now).expect("a part of a log is one");
    once.forget_part();
    once.begin_anew();
    read.extend(bodies(&mut once, &log, now).expect("it is the whole log"));
    assert_eq!(read, expected);
});
