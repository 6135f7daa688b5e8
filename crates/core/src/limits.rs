//! Every limit, in one place. `docs/security.md` explains them to users.

/// Containers, such as lists and dicts, may nest this deep.
pub const MAX_DEPTH: usize = 64;

/// Codes in a type list without names, and so about the number of fields in a schema.
pub const MAX_TYPE_LIST: usize = 65_536;

/// Characters that the names in a type list have together, counting one more for each name.
pub const MAX_NAMES: usize = 1 << 20;

/// Arms of a union.
pub const MAX_ARMS: usize = 256;

/// Dicts with more different keys than this become a map when a schema is inferred.
pub const MAX_INFERRED_KEYS: usize = 4_096;

/// Dicts with more different keys than this, of which not all are in every dict, become a map when a
/// schema is inferred, if their values are of one type.
pub const MAX_SPARSE_KEYS: usize = 32;

/// A list or tuple with more fields than this is taken for a sequence when a schema is inferred.
pub const MAX_INFERRED_FIELDS: usize = 4_096;

/// Tuples of more different lengths than this become a sequence when a schema is inferred.
pub const MAX_INFERRED_LENGTHS: usize = 16;

/// Elements of lists, dicts and the like in one row. A list that stands in a row many times is written each
/// time, so thirty that hold the one before twice would be a thousand million.
pub const MAX_ROW_ELEMENTS: usize = 1 << 28;

/// What a container counts for itself among them.
pub const CONTAINER_ELEMENTS: usize = 16;

/// Rows that are looked at before the first schema is inferred.
pub const SAMPLE_ROWS: usize = 64;

/// Rows that are converted before the host is asked whether it wants the run to end. Within a row it is
/// asked after [`CHECK_ELEMENTS`].
pub const CHECK_ROWS: usize = 256;

/// Elements of containers in a row, counted as for [`MAX_ROW_ELEMENTS`], after which it is asked.
pub const CHECK_ELEMENTS: usize = 1 << 14;

/// Elements of a row after which they are counted ahead, each list once however often it is met.
pub const MANY_ELEMENTS: usize = 1 << 20;

/// Rows in a frame.
pub const MAX_FRAME_ROWS: usize = 65_536;

/// An encoder ends a frame with the row that brings it to this many bytes, counting 8 for every
/// number and [`ZERO_SIZED_COST`] for every value that takes no bytes.
pub const FRAME_SIZE_TARGET: usize = 16 << 20;

/// What a null, or a list or tuple of fixed shape, counts for [`FRAME_SIZE_TARGET`].
pub const ZERO_SIZED_COST: usize = 16;

/// Values that the columns of a frame may hold whatever its bytes; see [`max_values`].
pub const FREE_VALUES: usize = 4 << 20;

/// Values that take no bytes, of which a frame may hold this many.
pub const MAX_ZERO_SIZED: usize = 4 << 20;

/// Values that take no bytes, of which a row may hold this many. Encoders end a frame before a row
/// could bring it beyond [`MAX_ZERO_SIZED`], so whether a row is refused does not depend on those
/// before it.
pub const MAX_ROW_ZERO_SIZED: usize = MAX_ZERO_SIZED - FRAME_SIZE_TARGET / ZERO_SIZED_COST;

/// The number of values that the columns of a frame of `body` bytes may hold, together with the lists
/// and tuples of fixed shape around them. Constant columns make values of nothing, so without this
/// bound a frame of a few bytes could ask for any amount of memory.
pub const fn max_values(body: usize) -> usize {
    body.saturating_mul(8).saturating_add(FREE_VALUES)
}

/// Bytes of one string, and of one row in the row wire.
pub const MAX_BYTES: usize = u32::MAX as usize - 64;

/// Plans, with their code, that a process keeps for messages of the same schemas.
pub const SHARED_PLANS: usize = 64;

/// The plans of messages from elsewhere are kept if their type lists take no more bytes than this.
pub const SHARED_TYPE_LIST: usize = 4096;

/// Compiled conversions, each of one schema between two layouts, that a process has at once.
pub const MAX_COMPILED: usize = 1024;

/// Bytes of compiled code that a process has at once.
pub const MAX_CODE_BYTES: usize = 64 << 20;

/// Files in the object cache.
pub const MAX_CACHE_FILES: usize = 4_096;

/// Bytes that the files of the object cache have together.
pub const MAX_CACHE_BYTES: u64 = 128 << 20;

/// Fields, lists and tuples of a schema beyond which it is not compiled: that takes seconds.
pub const MAX_COMPILED_FIELDS: usize = 8_192;

/// Steps that it may take to read a row of one schema as a row of another, not counting how often they
/// are repeated.
pub const MAX_RESOLVED: usize = 1 << 18;

/// Other schemas, of which a codec keeps how their rows are read as its own.
pub const KEPT_RESOLVED: usize = 16;
