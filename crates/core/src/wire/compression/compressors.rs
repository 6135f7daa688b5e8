//! The compressors, each of which is a feature. Without it, what needs it is an error.

use crate::error::Fault;

type Result<T> = std::result::Result<T, Fault>;

/// zstd, with the memory that it keeps between calls.
#[cfg(feature = "zstd")]
#[derive(Default)]
pub struct Zstd {
    compressor: Option<zstd_safe::CCtx<'static>>,
    decompressor: Option<zstd_safe::DCtx<'static>>,
}

#[cfg(feature = "zstd")]
impl Zstd {
    /// Compresses `body` to the beginning of `to`. Returns the length; `None` if there is no room.
    pub fn compress(&mut self, body: &[u8], to: &mut [u8], level: i32) -> Result<Option<usize>> {
        let context = match &mut self.compressor {
            Some(context) => context,
            empty => empty.insert(zstd_safe::CCtx::try_create().ok_or(Fault::NoMemory)?),
        };
        // The only errors are lack of room, and lack of memory for the tables, without which it can't.
        Ok(context.compress(to, body, level).ok())
    }

    /// Decompresses to the beginning of `to`. Returns the length; `None` if the bytes are damaged.
    pub fn decompress(&mut self, packed: &[u8], to: &mut [u8]) -> Result<Option<usize>> {
        let context = match &mut self.decompressor {
            Some(context) => context,
            empty => empty.insert(zstd_safe::DCtx::try_create().ok_or(Fault::NoMemory)?),
        };
        Ok(context.decompress(to, packed).ok())
    }
}

/// LZ4, with the memory that it keeps between calls.
#[cfg(feature = "lz4")]
#[derive(Default)]
pub struct Lz4 {
    table: Option<Box<lz4_flex::block::CompressTable>>,
}

#[cfg(feature = "lz4")]
impl Lz4 {
    /// The most bytes that a body of `len` bytes may take.
    pub fn most_bytes(len: usize) -> usize {
        lz4_flex::block::get_maximum_output_size(len)
    }

    /// Compresses `body` to the beginning of `to`. Returns the length; `None` if there is no room.
    pub fn compress(&mut self, body: &[u8], to: &mut [u8]) -> Result<Option<usize>> {
        let table =
            self.table.get_or_insert_with(|| Box::new(lz4_flex::block::CompressTable::large()));
        Ok(lz4_flex::block::compress_into_with_table(body, to, table).ok())
    }

    /// Decompresses to the beginning of `to`. Returns the length; `None` if the bytes are damaged.
    pub fn decompress(&mut self, packed: &[u8], to: &mut [u8]) -> Result<Option<usize>> {
        Ok(lz4_flex::block::decompress_into(packed, to).ok())
    }
}

#[cfg(not(feature = "zstd"))]
#[derive(Default)]
pub struct Zstd;

#[cfg(not(feature = "zstd"))]
const NO_ZSTD: Fault = Fault::Corrupt("this program was built without serow's feature `zstd`");

#[cfg(not(feature = "zstd"))]
impl Zstd {
    pub fn compress(&mut self, _: &[u8], _: &mut [u8], _level: i32) -> Result<Option<usize>> {
        Err(NO_ZSTD)
    }

    pub fn decompress(&mut self, _: &[u8], _: &mut [u8]) -> Result<Option<usize>> {
        Err(NO_ZSTD)
    }
}

#[cfg(not(feature = "lz4"))]
#[derive(Default)]
pub struct Lz4;

#[cfg(not(feature = "lz4"))]
const NO_LZ4: Fault = Fault::Corrupt("this program was built without serow's feature `lz4`");

#[cfg(not(feature = "lz4"))]
impl Lz4 {
    pub fn most_bytes(len: usize) -> usize {
        len
    }

    pub fn compress(&mut self, _: &[u8], _: &mut [u8]) -> Result<Option<usize>> {
        Err(NO_LZ4)
    }

    pub fn decompress(&mut self, _: &[u8], _: &mut [u8]) -> Result<Option<usize>> {
        Err(NO_LZ4)
    }
}
