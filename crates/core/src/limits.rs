//! Every limit on what bytes and rows may ask for, in one place. `docs/security.md` explains them to users.

/// A limit. It is smaller under Miri, which is some hundred times slower than the processor, so that
/// tests can reach it.
pub(crate) const fn sized(limit: usize, under_miri: usize) -> usize {
    if cfg!(miri) { under_miri } else { limit }
}

/// Depth to which containers, such as lists and dicts, may nest.
pub const MAX_DEPTH: usize = 64;

/// Codes in a type list without its names. This is about the number of fields in a schema.
pub const MAX_TYPE_LIST: usize = 65_536;

/// Total characters of all names in a type list. Each name counts as one more.
pub const MAX_NAMES: usize = 1 << 20;

/// Arms of a union.
pub const MAX_ARMS: usize = sized(256, 32);

/// Dicts with more different keys than this become a map when a schema is inferred.
pub const MAX_INFERRED_KEYS: usize = 4_096;

/// Keys that dicts with fixed keys may have now and then, for each key that a dict has on average, when
/// a schema is inferred. Each such key takes a bit or a byte, and some nanoseconds, in every dict that
/// lacks it. A key of a map takes its text, or its number in a dictionary of a frame. So up to about this
/// number fixed keys take less, and beyond it a map does.
pub const OPTIONAL_KEYS_PER_KEY: usize = 8;

/// Keys that dicts with fixed keys may have now and then in any case, when a schema is inferred.
pub const FEW_OPTIONAL_KEYS: usize = 4;

/// Schemas, each soon after another, that dicts with fixed keys may cause by keys that are missing for the
/// first time. With the last of them all keys may be missing.
pub const FEW_LAPSES: u32 = 8;

/// Schemas, each soon after another, that dicts may cause by their keys before they become a map.
pub const MAX_GROWTHS: u32 = 128;

/// A schema comes soon after another if that had at most this many rows. Then the schema costs more than
/// the rows do.
pub const FEW_ROWS_OF_SCHEMA: u64 = 64;

/// When a schema is inferred, a list or tuple with more fields than this becomes a sequence.
pub const MAX_INFERRED_FIELDS: usize = 4_096;

/// When a schema is inferred, tuples with more different lengths than this become a sequence.
pub const MAX_INFERRED_LENGTHS: usize = 16;

/// Elements of containers in one row. A list that occurs several times in a row counts each time,
/// because it is written each time: thirty lists that each contain the previous one twice make 10^9
/// elements.
pub const MAX_ROW_ELEMENTS: usize = 1 << 28;

/// A container counts as this many elements itself.
pub const CONTAINER_ELEMENTS: usize = 16;

/// Returns how many elements lists of lists with these lengths, outermost first, are in a row.
pub fn elements_of_lists(lengths: &[usize]) -> usize {
    let (mut lists, mut elements) = (1usize, 0usize);
    for &len in lengths {
        let each = len.saturating_add(CONTAINER_ELEMENTS);
        elements = elements.saturating_add(lists.saturating_mul(each));
        lists = lists.saturating_mul(len);
    }
    elements
}

/// Rows that are inspected for the first schema.
pub const SAMPLE_ROWS: usize = 64;

/// Rows between two checkpoints, where the host may end the run. See also [`CHECK_ELEMENTS`].
pub const CHECK_ROWS: usize = sized(256, 32);

/// Elements of one row between two checkpoints, counted as for [`MAX_ROW_ELEMENTS`].
pub const CHECK_ELEMENTS: usize = sized(1 << 14, 1 << 7);

/// A row with more elements than this is counted before it is encoded. Each distinct list is
/// visited only once.
pub const MANY_ELEMENTS: usize = 1 << 20;

/// Rows in a frame.
pub const MAX_FRAME_ROWS: usize = sized(65_536, 200);

/// Bytes of a message, on the row wire, up to which it is small. A message of at most this many bytes
/// and [`SMALL_MESSAGE_ROWS`] rows is on the row wire if the caller does not name a wire.
/// `docs/messages.md` has the measurements behind both numbers.
pub const SMALL_MESSAGE: usize = sized(16 << 10, 2 << 10);

/// Rows of a small message.
pub const SMALL_MESSAGE_ROWS: usize = 128;

/// Size at which an encoder ends a frame, in bytes. Each number counts as 8 bytes, and each value
/// that takes no bytes as [`ZERO_SIZED_COST`].
pub const FRAME_SIZE_TARGET: usize = 16 << 20;

/// Bytes that a null, or a list or tuple of fixed shape, counts towards [`FRAME_SIZE_TARGET`].
pub const ZERO_SIZED_COST: usize = 16;

/// Values that a frame may have regardless of its bytes; see [`max_values`].
pub const FREE_VALUES: usize = 4 << 20;

/// Values in a frame that take no bytes.
pub const MAX_ZERO_SIZED: usize = 4 << 20;

/// Values in a row that take no bytes. Encoders end a frame before one more row could exceed
/// [`MAX_ZERO_SIZED`]. So whether a row is refused does not depend on the rows before it.
pub const MAX_ROW_ZERO_SIZED: usize = MAX_ZERO_SIZED - FRAME_SIZE_TARGET / ZERO_SIZED_COST;

/// Values that a frame with a compressed body may have regardless of its bytes; see [`max_values`].
/// Only a frame of one very long row has more.
pub const FREE_PACKED_VALUES: usize = 8 * FREE_VALUES;

/// Returns the largest number of values in a frame whose body has `body` bytes, and `packed` bytes in
/// the message: values in columns, plus the lists and tuples of fixed shape around them. Constant
/// columns store any number of values in a few bytes, and compressors make a long body short, so
/// without these bounds a small frame could ask for any amount of memory.
pub const fn max_values(body: usize, packed: usize) -> usize {
    let by_body = body.saturating_mul(8).saturating_add(FREE_VALUES);
    let by_packed = packed.saturating_mul(8 * PACKED_GAIN).saturating_add(FREE_PACKED_VALUES);
    if by_body < by_packed { by_body } else { by_packed }
}

/// Bytes of one string, and of one row in the row wire.
pub const MAX_BYTES: usize = u32::MAX as usize - 64;

/// Decimal digits of an int, and of the coefficient of a decimal. To convert a decimal from base 2 to base
/// 10 takes time that grows faster than its number of digits, and half a second for this number of them.
pub const MAX_DIGITS: usize = 1_000_000;

/// Bytes in two's complement of the integers of [`MAX_DIGITS`] digits.
pub const MAX_INTEGER_BYTES: usize = 415_242;

/// The most text of a frame's str columns that is stored as words. A frame has more text only if a
/// single row has; that stays plain.
pub const MAX_JOINED_TEXT: usize = 64 << 20;

/// Returns the most text of a str column whose words take `chunk` bytes. One short word may stand for a
/// long text many times, so without this bound and [`MAX_JOINED_TEXT`] a few bytes could ask for any
/// amount of memory.
pub const fn max_joined_text(chunk: usize) -> usize {
    chunk.saturating_mul(64)
}

/// Bytes of a body that LZ4 compresses. Larger bodies stay plain.
pub const MAX_LZ4_BODY: usize = 1 << 30;

/// Bytes of a plain body for each byte of its compressed form, at most.
const PACKED_GAIN: usize = 1024;

/// Returns the most bytes of a body whose compressed form has `packed` bytes. Without this bound a few
/// bytes could ask for any amount of memory. zstd makes at most 16 MiB of constant columns some
/// thousand times smaller, and larger bodies contain long strings.
pub const fn max_plain_body(packed: usize) -> usize {
    packed.saturating_mul(PACKED_GAIN).saturating_add(64 << 20)
}

/// Bytes of one frame of a stream, with its header and schema. A reader of a stream holds a whole frame, so
/// without this bound a few bytes could make it hold whatever comes. Writers end a frame soon after
/// [`FRAME_SIZE_TARGET`] bytes, so only one enormous row could exceed this.
pub const MAX_STREAM_FRAME: usize = 4 << 30;

/// Returns the most bytes of a frame whose rows may take `memory` bytes. A character of two bytes takes one
/// in memory, and everything else takes at least as much memory as bytes. A schema may add its names.
pub const fn max_frame(memory: usize) -> usize {
    memory.saturating_mul(2).saturating_add(MAX_SCHEMA_LEN)
}

/// Bytes of a schema's type list.
pub const MAX_SCHEMA_LEN: usize = 4 * (MAX_TYPE_LIST + MAX_NAMES);

/// Plans, with their code, that a process keeps for later messages of the same schemas.
pub const SHARED_PLANS: usize = sized(64, 8);

/// Bytes of a received message's type list up to which its plan is kept.
pub const SHARED_TYPE_LIST: usize = sized(4096, 64);

/// Estimated bytes of memory of the programs that a reader keeps for the schemas of one message.
pub const MESSAGE_PROGRAMS: usize = 64 << 20;

/// Returns the most bytes of type lists whose programs a reader makes again, because a message names
/// more schemas than it keeps programs for. `read` is the number of bytes of the message so far.
pub const fn max_prepared(read: usize) -> usize {
    read.saturating_mul(16).saturating_add(4 << 20)
}

/// Compiled conversions in a process. A conversion is one schema between two layouts.
pub const MAX_COMPILED: usize = sized(1024, 32);

/// Bytes of compiled code in a process.
pub const MAX_CODE_BYTES: usize = 64 << 20;

/// Files in the object cache.
pub const MAX_CACHE_FILES: usize = 4_096;

/// Total bytes of the files in the object cache.
pub const MAX_CACHE_BYTES: u64 = 128 << 20;

/// Instructions of a plan up to which it is compiled, with each field counted. Longer plans would
/// take seconds.
pub const MAX_COMPILED_INSTRUCTIONS: usize = 8_192;

/// Steps of a plan that reads rows of one schema as rows of another, not counting repetitions at
/// run time.
pub const MAX_RESOLVED: usize = sized(1 << 18, 1 << 9);

/// Parts of all types that a comparison of two schemas lists. One type may be listed for many parts of a
/// row.
pub const MAX_COMPARED: usize = 4 * MAX_RESOLVED;

/// Other schemas for which a codec keeps the plans that read their rows.
pub const KEPT_RESOLVED: usize = sized(16, 4);
