//! Text as words: the strings of a column share a dictionary of what is between their spaces. The
//! strings are the column's values or, if it has a dictionary, its entries.
//!
//! ```text
//! lengths of the strings (ints with their length before them), number of words (varint),
//! a dictionary chunk (see `strings`): the words of all strings, in order
//! ```
//!
//! A string is its words, with a space between two of them. The lengths say where a string ends, so a
//! reader sees plain text, which has memory of its own.

use super::strings::{self, DICTIONARY, StrReader};
use super::{Density, Memory, Scratch, ints, take_count};
use crate::bytes::out::{Out, SPREAD, copy_spread};
use crate::error::{Corrupt, Fault, malformed};
use crate::layout::batch::StrColumn;
use crate::limits::{MAX_JOINED_TEXT, max_joined_text};
use crate::memory;
use crate::plan::StrEncoding;

/// What separates words.
pub const SPACE: u8 = b' ';

/// Text of fewer bytes stays plain: it could gain hardly anything.
const LEAST_TEXT: usize = 1 << 10;

/// The bytes of text that are searched for spaces first, and the most bytes for each of them.
const SAMPLE: usize = 1 << 10;
const BYTES_FOR_SPACE: usize = 16;

/// After this many bytes of longer text, words that do not pay yet are given up. In shorter text, words
/// are not repeated often enough to tell.
const TRIAL: u32 = 64 << 10;

/// Words must take at most one part in this many of the text's bytes: to split and to join text takes
/// time, and compressors gain less on words than on text.
const GAIN: usize = 2;

/// The memory for joined text at first.
const FIRST_TEXT: usize = 16 << 10;

/// Returns whether the column's text is long and has spaces, so that words may pay.
pub fn may_pay(column: &StrColumn) -> bool {
    let sample = &column.text()[..SAMPLE.min(column.text().len())];
    let spaces = sample.iter().filter(|&&byte| byte == SPACE).count();
    column.text().len() >= LEAST_TEXT && spaces * BYTES_FOR_SPACE >= sample.len()
}

/// Appends the chunk of a column's strings. Returns false, after appending a part of it, if words gain
/// too little.
///
/// # Errors
/// A limit fault if memory runs out.
pub fn encode(column: &StrColumn, scratch: &mut Scratch, out: &mut Out<'_>) -> Result<bool, Fault> {
    let text = column.text();
    let Scratch { ints, words, joined, .. } = scratch;
    let all_joined = *joined + text.len();
    if all_joined > MAX_JOINED_TEXT {
        return Ok(false);
    }
    words.clear();
    words.expect(text.len() / BYTES_FOR_SPACE);
    let count = column.ends().len();
    let first = column.ends().partition_point(|&end| end <= TRIAL);
    words.push_words(column, 0..first, SPACE)?;
    if count > 2 * first && !pays(words, TRIAL as usize) {
        return Ok(false);
    }
    words.push_words(column, first..count, SPACE)?;
    let begin = out.len();
    match words.codes() {
        Some(codes) if pays(words, text.len()) => {
            strings::encode_lengths(column, Density::Free, ints, out)?;
            let words_at = out.len();
            out.varint(codes.len() as u64)?;
            strings::encode_dictionary(words, codes, Density::Free, ints, out)?;
            let chunk = out.len() - begin;
            let is_gain = (out.len() - words_at) * GAIN <= text.len();
            let is_readable = text.len() <= max_joined_text(chunk);
            if is_gain && is_readable {
                *joined = all_joined;
            }
            Ok(is_gain && is_readable)
        }
        _ => Ok(false),
    }
}

/// Returns whether the words take few enough bytes for this much text, by an estimate that is a little
/// low. A plain column of words does not pay: most of them are different.
fn pays(words: &StrColumn, text: usize) -> bool {
    words.codes().is_some_and(|codes| {
        let entries = words.ends().len();
        let bits = codes.len() * (entries.max(2) - 1).ilog2() as usize;
        (words.text().len() + bits / 8) * GAIN <= text
    })
}

/// Reads the chunk of `count` strings. Returns their lengths and their text. Asks for the memory of the
/// text before it is made.
///
/// # Errors
/// A corrupt fault if words and lengths do not agree, or a limit fault if memory runs out or may not be
/// taken.
pub fn read<'a>(
    count: usize,
    mut bytes: &'a [u8],
    str_encoding: StrEncoding,
    memory: &mut Memory<'_>,
) -> Result<(ints::IntReader<'a>, Vec<u8>), Fault> {
    let most = max_joined_text(bytes.len());
    let (encoding, chunk) = ints::take_with_length(&mut bytes)?;
    let lengths = ints::IntReader::new(encoding, count, chunk)?;
    let words = take_count(&mut bytes)?;
    let words = StrReader::new(DICTIONARY, words, bytes, str_encoding, memory)?;
    (memory.ask)(words.ends_bytes())?;
    memory.ask_for_joined(joined_len(&lengths, most)?)?;
    let text = join(&lengths, &words)?;
    Ok((lengths, text))
}

const UNEVEN: Corrupt = Corrupt("a str column's words do not fill its lengths");

/// Returns the sum of these lengths of strings, which may be at most `most`.
fn joined_len(lengths: &ints::IntReader<'_>, most: usize) -> Result<usize, Corrupt> {
    let mut sum = 0usize;
    lengths.look(|block| {
        for &length in block {
            sum = usize::try_from(length)
                .ok()
                .and_then(|length| sum.checked_add(length))
                .filter(|&sum| sum <= most)
                .ok_or(Corrupt("a str column claims more text than so few words make"))?;
        }
        Ok(())
    })?;
    Ok(sum)
}

/// Returns the text of strings with these lengths, whose sum was checked.
fn join(lengths: &ints::IntReader<'_>, words: &StrReader<'_>) -> Result<Vec<u8>, Fault> {
    let mut joined = Joined { text: Vec::new(), codes: Codes::new(words)? };
    lengths.look(|block| {
        for &length in block {
            joined.string(joined.text.len() + length as usize)?;
        }
        Ok::<(), Fault>(())
    })?;
    match joined.codes.is_empty() {
        true => Ok(joined.text),
        false => malformed("a str column has words to spare")?,
    }
}

/// Text that is being joined, with the words that follow.
struct Joined<'a> {
    text: Vec<u8>,
    codes: Codes<'a>,
}

impl Joined<'_> {
    /// Appends the words of one string, which ends at `end`.
    fn string(&mut self, end: usize) -> Result<(), Fault> {
        loop {
            let word = self.codes.next()?;
            let at = self.text.len();
            if word.len() > end - at {
                return Err(UNEVEN.into());
            }
            if self.text.capacity() - at < word.len() + SPREAD {
                self.grow(word.len())?;
            }
            let is_last = word.len() == end - at;
            // SAFETY: there is memory for the word, for a space after it, and for what the copy
            // overwrites. The bytes up to the new length are written.
            unsafe {
                let to = self.text.as_mut_ptr().add(at);
                copy_spread(word.as_ptr(), to, word.len());
                to.add(word.len()).write(SPACE);
                self.text.set_len(at + word.len() + usize::from(!is_last));
            }
            if is_last {
                return Ok(());
            }
        }
    }

    /// Reserves memory for a word. It grows with the words that were read, and not by the lengths, which
    /// may be wrong.
    #[cold]
    fn grow(&mut self, word: usize) -> Result<(), Fault> {
        let more = (word + SPREAD).max(self.text.capacity()).max(FIRST_TEXT);
        memory::reserve(&mut self.text, more)
    }
}

/// The words of a column in order.
struct Codes<'a> {
    /// The text of the dictionary, and the begin of each word and the end of the last one in it.
    text: &'a [u8],
    begins: Vec<u32>,
    codes: ints::IntReader<'a>,
    window: [i64; WINDOW],
    at: usize,
    len: usize,
}

/// Codes that are unpacked at a time.
const WINDOW: usize = 256;

impl<'a> Codes<'a> {
    fn new(words: &'a StrReader<'a>) -> Result<Codes<'a>, Fault> {
        let codes = words.codes.clone().ok_or(UNEVEN)?;
        let mut begins = words.ends()?;
        memory::reserve(&mut begins, 1)?;
        begins.insert(0, 0);
        let text = words.text.plain().bytes();
        Ok(Codes { text, begins, codes, window: [0; WINDOW], at: 0, len: 0 })
    }

    fn is_empty(&self) -> bool {
        self.at == self.len && self.codes.left() == 0
    }

    #[inline(always)]
    fn next(&mut self) -> Result<&'a [u8], Fault> {
        if self.at == self.len {
            self.refill()?;
        }
        let code = self.window[self.at] as usize;
        self.at += 1;
        let range = match (self.begins.get(code), self.begins.get(code.wrapping_add(1))) {
            (Some(&begin), Some(&end)) => begin as usize..end as usize,
            _ => return Err(Fault::Corrupt(crate::layout::batch::BAD_CODE)),
        };
        self.text.get(range).ok_or(UNEVEN.into())
    }

    #[cold]
    fn refill(&mut self) -> Result<(), Fault> {
        (self.at, self.len) = (0, self.codes.left().min(WINDOW));
        if self.len == 0 {
            return Err(UNEVEN.into());
        }
        self.codes.read(&mut self.window[..self.len]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::TextForm;
    use super::*;
    use crate::bytes::varint;
    use crate::layout::Text;
    use crate::testing::sized;

    /// A column of these strings, which is plain if most of them are different.
    fn column<S: AsRef<[u8]>>(strings: impl IntoIterator<Item = S>) -> StrColumn {
        let mut column = StrColumn::default();
        column.expect(0);
        for s in strings {
            column.push(Text::plain(s.as_ref())).unwrap();
        }
        column
    }

    fn packed(column: &StrColumn) -> (u8, Vec<u8>) {
        let mut bytes = Vec::new();
        let mut out = Out::new(&mut bytes);
        let scratch = &mut Scratch::default();
        let encoding =
            strings::encode(column, TextForm::Small, Density::Free, scratch, &mut out).unwrap();
        (encoding, out.written().to_vec())
    }

    /// Calls `read` with memory that has no limit but that of joined text.
    fn within_limits<T>(read: impl FnOnce(&mut Memory<'_>) -> T) -> T {
        read(&mut Memory { ask: &mut |_| Ok(()), joined: 0 })
    }

    fn opened(encoding: u8, count: usize, chunk: &[u8]) -> Result<StrReader<'_>, Fault> {
        within_limits(|memory| StrReader::new(encoding, count, chunk, StrEncoding::Text, memory))
    }

    /// Checks that the text of the column comes back, and returns its encoding.
    fn comes_back(column: &StrColumn) -> u8 {
        let (encoding, chunk) = packed(column);
        let reader = opened(encoding, column.count(), &chunk).unwrap();
        assert_eq!(reader.text.plain().bytes(), column.text());
        assert_eq!(reader.ends().unwrap(), column.ends());
        assert_eq!(reader.codes.map(|codes| codes.left()), column.codes().map(<[u32]>::len));
        encoding
    }

    /// Different strings of few words, with empty ones, in front and at the end too.
    fn sentence(n: usize) -> String {
        const WORDS: [&str; 8] = ["almond", "blue", "", "größe", "x", "a longer-word", "\0", " "];
        let word = |k: usize| WORDS[(n * 7 + k * k + (n >> k)) % WORDS.len()];
        format!("{} {} {}", (0..4).map(word).collect::<Vec<_>>().join(" "), n % 90, word(n % 5))
    }

    #[test]
    fn strings_come_back() {
        let all = column((0..400).map(|n| format!("{}{}", sentence(n % 90), "x ".repeat(n % 3))));
        assert_eq!(comes_back(&all), strings::DICTIONARY_OF_WORDS);
    }

    #[test]
    #[cfg_attr(miri, ignore = "many strings")]
    fn different_strings_come_back() {
        let count = 3000;
        let different = column((0..count).map(|n| format!("{n} {}", sentence(n))));
        assert_eq!(comes_back(&different), strings::WORDS);
        let with_empty = (0..count).map(|n| match n % 100 {
            0 => String::new(),
            _ => format!("{n} {}", sentence(n)),
        });
        assert_eq!(comes_back(&column(with_empty)), strings::WORDS);
    }

    #[test]
    #[cfg_attr(miri, ignore = "many strings")]
    fn text_that_gains_little_stays_as_it_is() {
        let numbers = |n: u64| format!("{} {}", n.wrapping_mul(0x9e37_79b9_7f4a_7c15), !n << 32);
        for count in [3000, 30_000] {
            assert_eq!(comes_back(&column((0..count as u64).map(numbers))), strings::PLAIN);
        }
        let keys = (0..3000).map(|n| format!("key-{n}"));
        assert_eq!(comes_back(&column(keys)), strings::PLAIN);
        assert_eq!(comes_back(&column(["a b", "a b c"])), strings::DICTIONARY);
        // A reader would refuse so much text from so few bytes.
        let endless = column((0..40).map(|n| "long-long-word ".repeat(40_000 + n)));
        assert_eq!(comes_back(&endless), strings::DICTIONARY);
    }

    #[test]
    fn damaged_words_are_refused_or_text() {
        let columns = [
            (0..400).map(|n| sentence(n % 90)).collect::<Vec<_>>(),
            (0..1400).map(|n| format!("{n} {}", sentence(n))).collect(),
        ];
        for strings in &columns[..sized(2, 1)] {
            let column = column(strings);
            let (encoding, chunk) = packed(&column);
            assert!(encoding >= strings::WORDS);
            for at in (0..chunk.len()).step_by(sized(1, 1999)) {
                assert!(opened(encoding, column.count(), &chunk[..at]).is_err(), "cut at {at}");
                for change in [1, 0x80] {
                    let mut damaged = chunk.clone();
                    damaged[at] ^= change;
                    if let Ok(reader) = opened(encoding, column.count(), &damaged) {
                        let text = reader.text.plain();
                        assert!(crate::bytes::text::is_valid(text.bytes()));
                        assert!(text.bytes().len() <= max_joined_text(damaged.len()));
                    }
                }
            }
        }
    }

    /// A chunk with these lengths and words, and a constant code for `words` of them.
    fn chunk(lengths: &[i64], entries: &[&str], words: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut out = Out::new(&mut bytes);
        let ints =
            |values: &[i64], out: &mut Out<'_>| ints::encode_unordered(values, Density::Free, out);
        ints::encode_with_length(lengths, ints, &mut out).unwrap();
        out.varint(words).unwrap();
        out.varint(entries.len() as u64).unwrap();
        let of_entries: Vec<i64> = entries.iter().map(|entry| entry.len() as i64).collect();
        ints::encode_with_length(&of_entries, ints, &mut out).unwrap();
        out.varint(of_entries.iter().sum::<i64>() as u64).unwrap();
        out.extend(entries.concat().as_bytes()).unwrap();
        out.extend(&[ints::CONSTANT]).unwrap();
        out.varint(varint::zigzag(0)).unwrap();
        out.written().to_vec()
    }

    #[test]
    fn a_few_bytes_do_not_make_much_text() {
        let read = |lengths: &[i64], entries: &[&str], words| {
            let chunk = chunk(lengths, entries, words);
            within_limits(|memory| read(lengths.len(), &chunk, StrEncoding::Text, memory))
                .map(|(_, text)| String::from_utf8(text).unwrap())
        };
        assert_eq!(read(&[2, 5, 2], &["ab"], 4).unwrap(), "abab abab");
        assert_eq!(read(&[0, 3], &[""], 5).unwrap(), "   ");
        for (lengths, entries, words) in [
            // Too few words, too many, words that end beside a value's end, lengths that lie.
            (&[2, 5, 2][..], &["ab"][..], 3),
            (&[2, 5, 2], &["ab"], 5),
            (&[2, 4, 2], &["ab"], 4),
            (&[2, 1, 2], &["ab"], 4),
            (&[-1, 5], &["ab"], 3),
            (&[i64::MAX, i64::MAX], &["ab"], 3),
            (&[1 << 30], &[""], 1 << 30),
            (&[1 << 40], &[""], 1 << 41),
            (&[2], &["", "", "", ""], 1),
            (&[2], &["", "", "", ""], u64::MAX >> 8),
            (&[0], &[""; 100], 1),
        ] {
            let error = read(lengths, entries, words).unwrap_err();
            assert!(matches!(error, Fault::Corrupt(_)), "{lengths:?}: {error:?}");
        }
        // A string without text, of 2^50 words, and a dictionary of as many, all empty.
        let zeros = [5, ints::CONSTANT, 1];
        let mut endless = zeros.to_vec();
        varint::push(&mut endless, 1 << 50);
        varint::push(&mut endless, 1 << 50);
        endless.extend(zeros.iter().chain(&[1, ints::CONSTANT, 1]));
        let error = within_limits(|memory| super::read(1, &endless, StrEncoding::Text, memory))
            .unwrap_err();
        assert!(matches!(error, Fault::Corrupt(_)), "{error:?}");
    }
}
