//! Compression of the bodies of frames, in two steps: first a frame's body is finished, then one call
//! compresses all of it. If the result is not smaller, the frame keeps the plain body.
//!
//! ```text
//! compressed body   bytes of the plain body (8 bytes), then one zstd frame or one LZ4 block
//! ```

mod compressors;

use std::sync::Mutex;

use compressors::{Lz4, Zstd};

use crate::error::{Corrupt, Error, Fault, Result, malformed};
use crate::limits::{MAX_LZ4_BODY, max_plain_body, max_values};
use crate::memory;
use crate::wire::frame::TextForm;

/// Bytes of the length before a compressed body.
const LENGTH: usize = 8;

/// The level of zstd if the caller names none.
const DEFAULT_LEVEL: i32 = 1;

/// Bodies of fewer bytes are not compressed: a frame has some hundred bytes of other things, and a
/// call of a compressor costs more than it could gain.
const LEAST: usize = 64;

/// At most this many workspaces are kept, with at most this many bytes of results in all.
const KEPT: usize = 4;
const KEPT_BYTES: usize = 32 << 20;

/// Levels of zstd that callers may name.
const LEVELS: std::ops::RangeInclusive<i32> = -7..=22;

/// How a writer compresses the bodies of frames.
///
/// ```
/// # use serow_core::wire::compression::Compression;
/// let compression = Compression::parse("zstd", Some(3))?;
/// assert_eq!((compression.name(), compression.level()), (Some("zstd"), Some(3)));
/// assert!(Compression::parse("lz4", Some(3)).is_err());
/// # Ok::<(), serow_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Not at all.
    #[default]
    None,
    /// Not by serow, but the caller compresses the message, or wants it small: as with the other
    /// compressions, text becomes words where that takes fewer bytes.
    ByCaller,
    /// By zstd, at a level from -7 (fast) to 22 (small).
    Zstd(i32),
    /// By LZ4: larger than by zstd, and unpacked faster.
    Lz4,
}

impl Compression {
    /// By zstd, at the level that serow prefers.
    pub const ZSTD: Compression = Compression::Zstd(DEFAULT_LEVEL);

    /// Returns the compression with this name, `zstd` or `lz4`, and level. Only zstd has levels.
    ///
    /// # Errors
    /// A schema error if there is no such compression or level.
    pub fn parse(name: &str, level: Option<i32>) -> Result<Compression> {
        match (name, level) {
            ("zstd", None) => Ok(Compression::ZSTD),
            ("zstd", Some(level)) if LEVELS.contains(&level) => Ok(Compression::Zstd(level)),
            ("zstd", Some(level)) => Err(Error::schema(format!(
                "level must be from {} (fast) to {} (small) for zstd, not {level}",
                LEVELS.start(),
                LEVELS.end()
            ))),
            ("lz4", None) => Ok(Compression::Lz4),
            ("lz4", Some(_)) => Err(Error::schema("lz4 has no levels; give none, or use zstd")),
            _ => Err(Error::schema(format!("compression must be 'zstd' or 'lz4', not {name:?}"))),
        }
    }

    /// Returns the name of the compression; `None` if there is none.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Compression::None | Compression::ByCaller => None,
            Compression::Zstd(_) => Some("zstd"),
            Compression::Lz4 => Some("lz4"),
        }
    }

    /// Returns the level, if the compression has levels.
    pub fn level(self) -> Option<i32> {
        match self {
            Compression::Zstd(level) => Some(level),
            Compression::None | Compression::ByCaller | Compression::Lz4 => None,
        }
    }

    /// Returns whether bodies are compressed.
    pub(crate) fn is_of_bodies(self) -> bool {
        !matches!(self, Compression::None | Compression::ByCaller)
    }

    /// Returns how columns of strings are written. A compressor takes longer for text than it takes to
    /// find its words.
    pub fn text_form(self) -> TextForm {
        match self {
            Compression::None => TextForm::Fast,
            Compression::ByCaller | Compression::Zstd(_) | Compression::Lz4 => TextForm::Small,
        }
    }

    /// Returns the byte in the header of a frame with a body compressed in this way.
    pub(super) fn code(self) -> u8 {
        match self {
            Compression::None | Compression::ByCaller => 0,
            Compression::Zstd(_) => 1,
            Compression::Lz4 => 2,
        }
    }
}

/// The format of a body that was read, by the byte in the header of its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not compressed.
    Plain,
    /// One zstd frame.
    Zstd,
    /// One LZ4 block.
    Lz4,
}

impl Packing {
    /// Returns the name of the compression; `None` if there is none.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Packing::Plain => None,
            Packing::Zstd => Compression::Zstd(0).name(),
            Packing::Lz4 => Compression::Lz4.name(),
        }
    }

    /// Returns the packing with this code, if there is one.
    pub(super) fn of(code: u8) -> Option<Packing> {
        [Packing::Plain, Packing::Zstd, Packing::Lz4].get(usize::from(code)).copied()
    }
}

/// Memory of compressors and decompressors, kept from one frame and message to the next: to make it
/// takes longer than to compress a small body.
#[derive(Default)]
pub struct Workspace {
    zstd: Zstd,
    lz4: Lz4,
    /// The last result, and older bytes after it.
    bytes: Vec<u8>,
}

/// Workspaces that are not in use.
static SPARES: Mutex<Vec<Workspace>> = Mutex::new(Vec::new());

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workspace").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

impl Workspace {
    /// Takes a spare workspace, or makes a new one. It does not wait for the lock, so a forked child
    /// can't hang on it.
    fn take() -> Workspace {
        SPARES.try_lock().ok().and_then(|mut spares| spares.pop()).unwrap_or_default()
    }

    /// Makes this a spare workspace, unless the others are enough.
    fn keep(mut self) {
        if let Ok(mut spares) = SPARES.try_lock()
            && spares.len() < KEPT
            && spares.try_reserve(1).is_ok()
        {
            let kept: usize = spares.iter().map(|spare| spare.bytes.capacity()).sum();
            if kept + self.bytes.capacity() > KEPT_BYTES {
                self.bytes = Vec::new();
            }
            spares.push(self);
        }
    }

    /// Makes `bytes` at least `len` bytes long. They keep what they have: filling them with zeros would
    /// take longer than to unpack some bodies.
    fn reserve(&mut self, len: usize) -> std::result::Result<(), Fault> {
        let longer = len.max(self.bytes.len());
        memory::resize(&mut self.bytes, longer, 0)
    }

    /// Compresses a body whose columns have this number of values. `None` if that would not make it
    /// smaller.
    fn compress(
        &mut self,
        compression: Compression,
        body: &[u8],
        values: usize,
    ) -> std::result::Result<Option<&[u8]>, Fault> {
        let is_too_large = compression == Compression::Lz4 && body.len() > MAX_LZ4_BODY;
        if body.len() < LEAST || is_too_large {
            return Ok(None);
        }
        // The result must be smaller, so a compressor that would need more room may stop.
        let room = match compression {
            Compression::Lz4 => LENGTH + Lz4::most_bytes(body.len()),
            _ => body.len(),
        };
        self.reserve(room)?;
        self.bytes[..LENGTH].copy_from_slice(&(body.len() as u64).to_le_bytes());
        let to = &mut self.bytes[LENGTH..room];
        let len = match compression {
            Compression::None | Compression::ByCaller => return Ok(None),
            Compression::Zstd(level) => self.zstd.compress(body, to, level)?,
            Compression::Lz4 => self.lz4.compress(body, to)?,
        };
        // Without room the body would not shrink.
        let Some(len) = len else { return Ok(None) };
        let packed = &self.bytes[..LENGTH + len];
        // Readers refuse a body that shrank too much, because they can't tell it from a trap.
        let is_readable =
            body.len() <= max_plain_body(len) && values <= max_values(body.len(), packed.len());
        Ok((packed.len() < body.len() && is_readable).then_some(packed))
    }

    /// Decompresses a body, with `slack` zeros after it. Returns the length of both. The plain body's
    /// length is checked before memory is asked for.
    fn decompress(
        &mut self,
        packing: Packing,
        packed: &[u8],
        slack: usize,
    ) -> std::result::Result<usize, Fault> {
        let (len, packed) = plain_len(packed)?;
        if len > max_plain_body(packed.len()) {
            return Err(Fault::Corrupt("it claims more bytes than so few can be compressed from"));
        }
        self.reserve(len + slack)?;
        let to = &mut self.bytes[..len];
        let done = match packing {
            Packing::Plain => return Err(Fault::Corrupt("its body is not compressed")),
            Packing::Zstd => self.zstd.decompress(packed, to)?,
            Packing::Lz4 => self.lz4.decompress(packed, to)?,
        };
        let done = done.ok_or(DAMAGED)?;
        if done != len {
            return Err(Fault::Corrupt("its compressed body is shorter than it claims"));
        }
        self.bytes[len..len + slack].fill(0);
        Ok(len + slack)
    }
}

/// Splits a compressed body into the number of bytes that it claims to have without compression, and
/// the compressed bytes.
pub(super) fn plain_len(packed: &[u8]) -> std::result::Result<(usize, &[u8]), Corrupt> {
    match packed.split_first_chunk::<LENGTH>() {
        Some((len, packed)) => {
            Ok((usize::try_from(u64::from_le_bytes(*len)).unwrap_or(usize::MAX), packed))
        }
        None => malformed("its compressed body is cut"),
    }
}

const DAMAGED: Corrupt = Corrupt("its compressed body is damaged, or longer than it claims");

/// Compresses the bodies of a message's frames.
#[derive(Debug)]
pub struct Compressor {
    compression: Compression,
    workspace: Option<Workspace>,
}

impl Compressor {
    /// Creates a compressor. It takes memory when it is first used.
    pub fn new(compression: Compression) -> Compressor {
        Compressor { compression, workspace: None }
    }

    /// Returns the compressed body, of so many values in columns, and the code of its compression;
    /// `None` if it stays plain.
    ///
    /// # Errors
    /// A fault if there is no memory.
    pub(super) fn compress(
        &mut self,
        body: &[u8],
        values: usize,
    ) -> std::result::Result<Option<(u8, &[u8])>, Fault> {
        if !self.compression.is_of_bodies() {
            return Ok(None);
        }
        let workspace = self.workspace.get_or_insert_with(Workspace::take);
        let packed = workspace.compress(self.compression, body, values)?;
        Ok(packed.map(|packed| (self.compression.code(), packed)))
    }
}

impl Drop for Compressor {
    fn drop(&mut self) {
        self.workspace.take().into_iter().for_each(Workspace::keep);
    }
}

/// A plain body that was compressed, with bytes after it, in memory that later ones reuse.
#[derive(Debug)]
pub(super) struct Decompressed {
    workspace: Workspace,
    len: usize,
}

impl Decompressed {
    /// Decompresses a body, with `slack` zeros after it.
    ///
    /// # Errors
    /// A fault that says what is wrong with the compressed body, or that there is no memory.
    pub fn of(
        packing: Packing,
        packed: &[u8],
        slack: usize,
    ) -> std::result::Result<Decompressed, Fault> {
        let mut body = Decompressed { workspace: Workspace::take(), len: 0 };
        body.len = body.workspace.decompress(packing, packed, slack)?;
        Ok(body)
    }

    /// The body and the bytes after it.
    pub fn bytes(&self) -> &[u8] {
        &self.workspace.bytes[..self.len]
    }
}

impl Drop for Decompressed {
    fn drop(&mut self) {
        std::mem::take(&mut self.workspace).keep();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{COMPRESSING, sized};

    fn packed(compression: Compression, body: &[u8]) -> Option<(u8, Vec<u8>)> {
        let mut compressor = Compressor::new(compression);
        compressor.compress(body, 0).unwrap().map(|(code, packed)| (code, packed.to_vec()))
    }

    fn unpacked(code: u8, body: &[u8]) -> std::result::Result<Vec<u8>, Fault> {
        let packing = Packing::of(code).unwrap();
        Decompressed::of(packing, body, 8).map(|body| body.bytes().to_vec())
    }

    #[test]
    #[cfg_attr(miri, ignore = "the body takes 80 MiB")]
    fn what_is_compressed_can_be_read() {
        for &compression in COMPRESSING {
            for len in [64 << 20, 80 << 20] {
                let body = vec![7; len];
                if let Some((code, packed)) = packed(compression, &body) {
                    assert!(unpacked(code, &packed).unwrap()[..len] == body, "{compression:?}");
                } else {
                    assert_eq!((compression, len), (Compression::ZSTD, 80 << 20));
                }
            }
        }
    }

    #[test]
    fn a_body_comes_back_with_its_slack() {
        let text: Vec<u8> =
            (0..sized(20_000, 1_000) as u32).flat_map(|i| (i / 7).to_le_bytes()).collect();
        for &compression in COMPRESSING {
            let (code, body) = packed(compression, &text).unwrap();
            assert!(body.len() < text.len() / 2);
            let plain = unpacked(code, &body).unwrap();
            assert_eq!(plain[..text.len()], text);
            assert_eq!(plain[text.len()..], [0; 8]);
        }
    }

    #[test]
    fn what_does_not_shrink_stays_plain() {
        let mut state = 1u64;
        let noise: Vec<u8> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        })
        .take(5_000)
        .collect();
        for &compression in COMPRESSING {
            assert_eq!(packed(compression, &noise), None);
            assert_eq!(packed(compression, &[0; LEAST - 1]), None);
            assert_eq!(packed(compression, &[]), None);
            assert!(packed(compression, &[0; LEAST]).is_some());
        }
        assert_eq!(packed(Compression::None, &[0; 1000]), None);
    }

    #[test]
    fn a_length_that_lies_is_refused() {
        for &compression in COMPRESSING {
            let (code, body) = packed(compression, &[7; 1000]).unwrap();
            for lie in [0, 1, 999, 1001, 1 << 40, u64::MAX] {
                let mut lying = body.clone();
                lying[..LENGTH].copy_from_slice(&lie.to_le_bytes());
                assert!(matches!(unpacked(code, &lying), Err(Fault::Corrupt(_))), "{lie}");
            }
            for cut in 0..body.len() {
                assert!(matches!(unpacked(code, &body[..cut]), Err(Fault::Corrupt(_))), "{cut}");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "zstd is in C")]
    fn every_level_of_zstd_works() {
        for level in [*LEVELS.start(), -1, 0, 1, 3, 19] {
            let compression = Compression::parse("zstd", Some(level)).unwrap();
            let (code, body) = packed(compression, &[7; 1000]).unwrap();
            assert_eq!(unpacked(code, &body).unwrap()[..1000], [7; 1000]);
        }
        for level in [LEVELS.start() - 1, LEVELS.end() + 1, i32::MIN, i32::MAX] {
            assert!(Compression::parse("zstd", Some(level)).is_err());
        }
        assert!(Compression::parse("gzip", None).is_err());
    }
}
