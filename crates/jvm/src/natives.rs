//! The table of native methods: what `io.github.serow.internal.jni.Native` declares, and the functions of this
//! crate that do it.

use jni::objects::{JByteArray, JByteBuffer, JClass, JIntArray, JLongArray};
use jni::sys::{jint, jlong, jobject};

use crate::env::Env;
use crate::guard::guard;
use crate::{arrow, compile, decode, encode, handle, memory, part, schema, seek, stream};

/// The Rust type of a parameter of this type in Java. `[byte]` stands for `byte[]`.
macro_rules! parameter {
    (long, $l:lifetime) => { jlong };
    (int, $l:lifetime) => { jint };
    (boolean, $l:lifetime) => { bool };
    ([byte], $l:lifetime) => { JByteArray<$l> };
    ([int], $l:lifetime) => { JIntArray<$l> };
    ([long], $l:lifetime) => { JLongArray<$l> };
    (ByteBuffer, $l:lifetime) => { JByteBuffer<$l> };
}

/// The Rust type of a result of this type in Java.
#[rustfmt::skip]
macro_rules! result {
    (void) => { () };
    (long) => { jlong };
    (int) => { jint };
    (boolean) => { bool };
    ($object:tt) => { jobject };
}

/// Defines a native method for each line, which calls the function after `=` inside [`guard`], and
/// [`SIGNATURES`].
macro_rules! natives {
    ($($result:tt $name:ident($($ty:tt $parameter:ident),*) = $function:path;)*) => {
        /// The results, names and parameters of all methods, in order.
        const SIGNATURES: &[&[&str]] =
            &[$(&[stringify!($result), stringify!($name), $(stringify!($ty)),*]),*];

        $(
            #[unsafe(export_name = concat!("Java_io_github_serow_internal_jni_Native_", stringify!($name)))]
            #[allow(non_snake_case, reason = "the names are Java's")]
            extern "system" fn $name<'l>(
                env: Env<'l>,
                _class: JClass<'l>,
                $($parameter: parameter!($ty, 'l)),*
            ) -> result!($result) {
                guard(&env, || $function(&env, $($parameter),*))
            }
        )*
    };
}

natives! {
    int abi() = crate::abi;
    Lookup trustedLookup() = crate::trusted_lookup;
    String compilerSelfTest() = compile::compiler_self_test;
    void close(long handle) = handle::close;

    void memoryBudget(long bytes) = memory::memory_budget;
    long memoryKept() = memory::memory_kept;

    void compilerStart() = compile::compiler_start;
    void planCompile(long plan, int wire) = compile::plan_compile;
    boolean planIsCompiled(long plan, int wire) = compile::plan_is_compiled;
    String planIr(long plan, int wire) = compile::plan_ir;

    long planOpen([int] typeList) = schema::plan_open;
    long planWithDefault(
        long plan, [byte] path, [int] typeList, [byte] record
    ) = schema::plan_with_default;
    long planWithFormerNames(long plan, [byte] record) = schema::plan_with_former_names;
    String planCompare(long plan, [int] typeList) = schema::plan_compare;

    long encoderOpen() = encode::encoder_open;
    void encoderSwitch(long encoder, long plan) = encode::encoder_switch;
    long encoderPut(
        long encoder, long plan, int format, int steps, [byte] records, int from, int to, int rows,
        [byte] array, ByteBuffer buffer, int offset, int space
    ) = encode::encoder_put;
    boolean encoderTake(long encoder, [byte] to) = encode::encoder_take;

    void partBegin(
        long encoder, long plan, int format, boolean isKnown, long first, int mostRows
    ) = part::part_begin;
    long partPut(long encoder, [byte] records, int length, int rows) = part::part_put;
    long partEnd(long encoder, [long] info) = part::part_end;
    void frameMakeLast(long frame) = part::frame_make_last;
    void frameCopy(long frame, [byte] array, ByteBuffer buffer, int offset) = part::frame_copy;

    long streamOpen(int format, [byte] metadata, long salt, long row) = stream::stream_open;
    void streamPut(
        long stream, long plan, [byte] records, int length, int rows
    ) = stream::stream_put;
    boolean streamKnows(long stream, long plan) = stream::stream_knows;
    void streamJoin(long stream, long plan, long frame, int rows) = stream::stream_join;
    void streamFlush(long stream) = stream::stream_flush;
    void streamFinish(long stream) = stream::stream_finish;
    int streamTake(long stream, [byte] to, int space) = stream::stream_take;
    long streamRows(long stream) = stream::stream_rows;

    long decoderOpen() = decode::decoder_open;
    void decoderBegin(
        long decoder, long plan, long maxMemory, [byte] array, ByteBuffer buffer, int offset,
        int length
    ) = decode::decoder_begin;
    boolean decoderNext(
        long decoder, [byte] array, ByteBuffer buffer, int offset, [long] frame
    ) = decode::decoder_next;
    void decoderBeginStream(long decoder, long plan, long maxMemory) = decode::decoder_begin_stream;
    int decoderMetadata(long decoder, [byte] to, int space) = decode::decoder_metadata;
    int decoderStep(long decoder, [long] frame) = decode::decoder_step;
    long decoderTake(
        long decoder, [byte] array, ByteBuffer buffer, int offset, [long] info
    ) = decode::decoder_take;
    void decoderBeginFrames(long decoder, long plan, long maxMemory) = decode::decoder_begin_frames;
    void decoderUnpack(long decoder, long taken, [long] frame) = decode::decoder_unpack;
    void decoderFill(long decoder, [byte] bytes, int length) = decode::decoder_fill;
    void decoderCut(long decoder) = decode::decoder_cut;
    boolean decoderEnd(long decoder) = decode::decoder_end;
    ByteBuffer decoderBlock(long decoder) = decode::decoder_block;
    [int] decoderSchema(long decoder) = decode::decoder_schema;

    long fileOpen(long length) = seek::file_open;
    boolean fileWants(long file, int frame, [long] range) = seek::file_wants;
    void fileGive(long file, int frame, [byte] bytes, int length) = seek::file_give;
    void fileFound(long file, long plan, long maxMemory, [long] info) = seek::file_found;
    void filePlace(long file, int frame, [long] info) = seek::file_place;
    int fileFrameOf(long file, long row) = seek::file_frame_of;
    void decoderSeek(
        long decoder, long file, int frame, [byte] bytes, int length, [long] words
    ) = seek::decoder_seek;

    void arrowStream(
        [byte] message, long plan, long maxMemory, int batchRows, long stream
    ) = arrow::arrow_stream;
    long arrowOpen(long plan, long schema) = arrow::arrow_open;
    void arrowAdd(long arrow, long array) = arrow::arrow_add;
    long encoderPutArrow(
        long encoder, long arrow, long plan, int format
    ) = arrow::encoder_put_arrow;
    boolean decoderNextArrow(long decoder, long arrow, [long] frame) = arrow::decoder_next_arrow;
}

/// The number of times that what a method does has changed while its signature has not.
const REVISION: u32 = 15;

/// The version of the interface between this library and its jar: a hash of the table above.
/// `Native.ABI` must be equal.
pub const ABI: jint = fnv(SIGNATURES) as jint;

/// The sum of the methods' hashes, in any order: FNV-1a of the words, each followed by a space.
const fn fnv(signatures: &[&[&str]]) -> u32 {
    let (mut sum, mut at) = (REVISION, 0);
    while at < signatures.len() {
        let (mut hash, mut word) = (0x811c_9dc5_u32, 0);
        while word < signatures[at].len() {
            let bytes = signatures[at][word].as_bytes();
            let mut i = 0;
            while i <= bytes.len() {
                let byte = if i < bytes.len() { bytes[i] } else { b' ' };
                hash = (hash ^ byte as u32).wrapping_mul(0x0100_0193);
                i += 1;
            }
            word += 1;
        }
        sum = sum.wrapping_add(hash);
        at += 1;
    }
    sum
}
