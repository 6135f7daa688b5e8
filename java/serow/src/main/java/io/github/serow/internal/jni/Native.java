package io.github.serow.internal.jni;

import java.lang.invoke.MethodHandles.Lookup;
import java.nio.ByteBuffer;

/**
 * All native methods; {@code crates/jvm} implements them.
 *
 * <p>A handle is the address of a native object. A method named {@code ...Open} creates it, and
 * {@link #close} frees it. Only one thread at a time may use a handle, and not after it is closed;
 * {@code Binding}, {@code EncodeContext}, {@code DecodeContext} and {@code StreamEncoder} guarantee
 * this. Many threads may use a plan at once. Every method may throw a {@link SerowException}.
 */
public final class Native {
  /**
   * The number of times that what a method does has changed while its signature has not. {@code
   * crates/jvm/src/natives.rs} has the same number.
   */
  static final int REVISION = 15;

  /**
   * Must equal {@link #abi}; otherwise library and jar come from different builds. It is a hash of
   * the methods below and the revision.
   */
  public static final int ABI = 0x381e3a1d;

  private Native() {}

  public static native int abi();

  /** The JDK's lookup that may access everything. Only {@link StringBytes} uses it. */
  static native Lookup trustedLookup();

  /** Sets how many bytes all encoders and decoders together may keep between messages. */
  static native void memoryBudget(long bytes);

  /** The number of bytes that they keep. */
  public static native long memoryKept();

  public static native String compilerSelfTest();

  /** Frees a native object. */
  public static native void close(long handle);

  public static native long planOpen(int[] typeList);

  /**
   * Makes a plan that also has a default for a field, and does not change {@code plan}.
   *
   * @param path the field's path, in UTF-8
   * @param typeList the field's type
   * @param record the default, as a single record without a fingerprint
   */
  public static native long planWithDefault(long plan, byte[] path, int[] typeList, byte[] record);

  /**
   * Makes a plan that also reads rows by former names, and does not change {@code plan}.
   *
   * @param record the former names of all structs and of all enums, as a single record without a
   *     fingerprint of type {@code ([([str], [[str]])], [([str], [[str]])])}
   */
  public static native long planWithFormerNames(long plan, byte[] record);

  /**
   * What the plan's schema makes of rows of another one, as lines: six for each change, and then
   * two for each warning.
   */
  public static native String planCompare(long plan, int[] typeList);

  /** Starts background compiling if {@code SEROW_TIER} allows it. */
  public static native void compilerStart();

  /**
   * Compiles the encoder for rows of this plan and wire, and the reader of its records, and waits.
   */
  public static native void planCompile(long plan, int wire);

  /** Whether the encoder for rows of this plan and wire is compiled. */
  public static native boolean planIsCompiled(long plan, int wire);

  /** The LLVM IR of the code that {@link #planCompile} compiles. */
  public static native String planIr(long plan, int wire);

  public static native long encoderOpen();

  /** Closes the frame, if it has rows, and continues with rows of another plan. */
  public static native void encoderSwitch(long encoder, long plan);

  /** A step of {@link #encoderPut}: starts a message. Discards what an unfinished one has left. */
  public static final int BEGIN = 1;

  /** A step of {@link #encoderPut}: finishes the message. */
  public static final int END = 2;

  /**
   * Appends {@code rows} records to a message. Each has its length in four bytes before it, as in
   * the row wire, and they are in {@code records} from {@code from} to {@code to}.
   *
   * <p>With {@link #END} the message is in the caller's array or buffer, unless it is too long for
   * it; then it is dropped. With neither of them it waits for {@link #encoderTake}. All calls for a
   * message have the same {@code buffer}, because native code writes to it straight.
   *
   * @param plan the plan of the rows, for {@link #BEGIN}
   * @param format the code of {@link io.github.serow.internal.wire.Format}, for {@link #BEGIN}
   * @param steps {@link #BEGIN} for the first call of a message, plus {@link #END} for the last
   * @param array the caller's array, or null
   * @param buffer the caller's direct buffer, or null
   * @param offset where the message begins in the array or buffer
   * @param space the number of bytes that the message may take there
   * @return with {@link #END} twice the length of the message, plus one unless the budget had no
   *     space for the encoder's memory, which is then freed; otherwise 0
   */
  public static native long encoderPut(
      long encoder,
      long plan,
      int format,
      int steps,
      byte[] records,
      int from,
      int to,
      int rows,
      byte[] array,
      ByteBuffer buffer,
      int offset,
      int space);

  /**
   * Copies the finished message to {@code to}, and frees it. Returns false if the budget had no
   * space for the encoder's memory, which is then freed.
   */
  public static native boolean encoderTake(long encoder, byte[] to);

  /**
   * Begins a stream.
   *
   * @param format the code of {@link io.github.serow.internal.wire.Format}
   * @param metadata as the header of a stream has it
   * @param salt that of the log which goes on; 0 for a log of its own
   * @param row the number of rows in that log
   */
  public static native long streamOpen(int format, byte[] metadata, long salt, long row);

  /**
   * Appends {@code rows} records. If a row is an error, the rows before it are in the stream.
   * Finished bytes wait for {@link #streamTake}, also after an error.
   */
  public static native void streamPut(long stream, long plan, byte[] records, int length, int rows);

  /** Ends the open frame. */
  public static native void streamFlush(long stream);

  /** Ends the stream with its index. */
  public static native void streamFinish(long stream);

  /**
   * Takes finished bytes. Returns how many there were; 0 if none are left.
   *
   * @param space how many bytes {@code to} may take
   */
  public static native int streamTake(long stream, byte[] to, int space);

  /** The number of rows in the stream; -1 if an error, or its end, has ended it. */
  public static native long streamRows(long stream);

  /** Whether the schema of a plan is in the stream. */
  public static native boolean streamKnows(long stream, long plan);

  /** Appends a frame of {@code rows} rows. The frame is a copy, and still must be closed. */
  public static native void streamJoin(long stream, long plan, long frame, int rows);

  /**
   * Starts a frame apart from its message, in an encoder of messages. Discards what an unfinished
   * one has left.
   *
   * @param isKnown whether the schema will be in the message before the frame
   * @param first the number of rows before the frame, for errors
   * @param mostRows the most rows of the frame
   */
  public static native void partBegin(
      long encoder, long plan, int format, boolean isKnown, long first, int mostRows);

  /**
   * Appends {@code rows} records until the frame is full.
   *
   * @return twice the number of rows that it took, plus one if it is full
   */
  public static native long partPut(long encoder, byte[] records, int length, int rows);

  /**
   * Finishes the frame and returns its handle.
   *
   * @param info receives at 0 the frame's length in bytes; at 1 the most rows of the next frame; at
   *     2 whether the budget had space for the encoder's memory (1), which is otherwise freed (0)
   */
  public static native long partEnd(long encoder, long[] info);

  /** Makes a frame the last one of its message. */
  public static native void frameMakeLast(long frame);

  /** Copies a frame to {@code array}, or if that is null to a direct buffer. */
  public static native void frameCopy(long frame, byte[] array, ByteBuffer buffer, int offset);

  public static native long decoderOpen();

  /**
   * Starts to read a message, and checks its header.
   *
   * @param plan the plan of the schema to convert all rows to, or 0 for the message's own
   * @param maxMemory the memory that all rows may take as objects, in bytes; negative for any
   * @param array the array with the message; null if it is in {@code buffer}
   * @param buffer the direct buffer with the message
   * @param offset where the message begins in the array or buffer
   */
  public static native void decoderBegin(
      long decoder,
      long plan,
      long maxMemory,
      byte[] array,
      ByteBuffer buffer,
      int offset,
      int length);

  /**
   * Copies, checks and unpacks the next frame into the block. Returns false after the last frame.
   * Then the copy is freed, and {@code frame[0]} is 1 if the budget had space for the decoder's
   * memory, or 0 if not and the memory was freed.
   *
   * @param frame receives at 0 the number of rows; at 1 whether the schema differs from that of the
   *     frame before (1 or 0); at 2 whether the block has moved (1 or 0); at 3 whether some
   *     components are not a valid value (1 or 0); at 4 the frame's byte offset in the message; at
   *     5 the number of the frame; at 6 the number of rows before it; at 7 the memory in bytes that
   *     its rows take as objects, which is 0 if there is no limit
   */
  public static native boolean decoderNext(
      long decoder, byte[] array, ByteBuffer buffer, int offset, long[] frame);

  /**
   * Starts to read a stream.
   *
   * @param plan the plan of the schema to convert all rows to, or 0 for the stream's own
   * @param maxMemory the memory that the rows of each frame may take as objects, in bytes; negative
   *     for any
   */
  public static native void decoderBeginStream(long decoder, long plan, long maxMemory);

  /**
   * Copies the metadata of the stream that has begun last to {@code to}, if it fits into {@code
   * space} bytes. Returns its length; -1 if no stream has begun.
   */
  public static native int decoderMetadata(long decoder, byte[] to, int space);

  /** A result of {@link #decoderStep}: a frame is in the block. */
  public static final int FRAME = 0;

  /** A result of {@link #decoderStep}: a stream has ended. */
  public static final int STREAM_END = -1;

  /**
   * Goes on in a stream. Returns {@link #FRAME} and the frame's numbers, which are as those of
   * {@link #decoderNext}; or {@link #STREAM_END} if a stream has ended, which another one may
   * follow; otherwise how many bytes {@link #decoderFill} needs.
   */
  public static native int decoderStep(long decoder, long[] frame);

  /**
   * Takes the next frame of the message or stream, to be unpacked by any decoder, and returns its
   * handle. Returns 0 if there is none. The arguments for a message are those of {@link
   * #decoderBegin}.
   *
   * @param info receives at 0 the length of the frame's body in bytes; without a frame {@link
   *     #STREAM_END} if the message or stream has ended, otherwise how many bytes {@link
   *     #decoderFill} needs
   */
  public static native long decoderTake(
      long decoder, byte[] array, ByteBuffer buffer, int offset, long[] info);

  /**
   * Starts to unpack frames that other decoders have taken.
   *
   * @param plan the plan of the schema to convert all rows to, or 0 for their own
   * @param maxMemory the memory that the rows of each frame may take as objects, in bytes; negative
   *     for any
   */
  public static native void decoderBeginFrames(long decoder, long plan, long maxMemory);

  /** Unpacks a taken frame into the block, as {@link #decoderNext} does. */
  public static native void decoderUnpack(long decoder, long taken, long[] frame);

  /** Begins to search the indexes of a file of {@code length} bytes. */
  public static native long fileOpen(long length);

  /**
   * Which bytes of the file {@link #fileGive} needs: until {@link #fileFound} to find the indexes,
   * and then to know the schema of a frame. Returns false if it needs none.
   *
   * @param range receives the offset of the bytes, and their number
   */
  public static native boolean fileWants(long file, int frame, long[] range);

  /** Takes the bytes that are wanted. */
  public static native void fileGive(long file, int frame, byte[] bytes, int length);

  /**
   * Ends the search of the indexes.
   *
   * @param plan the plan of the schema to convert all rows to, or 0 for their own
   * @param maxMemory the memory that the rows of each frame may take as objects, in bytes; negative
   *     for any
   * @param info receives the numbers of frames and of rows
   */
  public static native void fileFound(long file, long plan, long maxMemory, long[] info);

  /**
   * Where a frame is.
   *
   * @param info receives its offset, its length in bytes, the number of its first row, and the
   *     number of its rows
   */
  public static native void filePlace(long file, int frame, long[] info);

  /** The number of the frame with a row; -1 if there is no such row. */
  public static native int fileFrameOf(long file, long row);

  /** Checks and unpacks a frame of the file into the block, as {@link #decoderNext} does. */
  public static native void decoderSeek(
      long decoder, long file, int frame, byte[] bytes, int length, long[] words);

  /** Passes on the next bytes of the stream, at most as many as it needs. */
  public static native void decoderFill(long decoder, byte[] bytes, int length);

  /** Throws if the stream must not end where it is. */
  public static native void decoderCut(long decoder);

  /**
   * Frees what belongs to the stream. Returns false if the budget had no space for the decoder's
   * memory, which is then freed.
   */
  public static native boolean decoderEnd(long decoder);

  /**
   * The block with the columns of the frame; {@code docs/jvm.md} describes its layout. It must not
   * be used after {@link #decoderNext} or {@link #decoderStep} reports that the block has moved.
   */
  public static native ByteBuffer decoderBlock(long decoder);

  /**
   * Writes a stream of Arrow's C data interface with the rows of a message.
   *
   * @param plan the plan of the schema to convert all rows to, or 0 for the message's own
   * @param maxMemory the memory that all arrays may take, in bytes; negative for any
   * @param batchRows the most rows of a batch
   * @param stream the address of a stream that is released. The caller must release it. Without an
   *     error it has the rows; its arrays may outlive serow's class loader.
   */
  public static native void arrowStream(
      byte[] message, long plan, long maxMemory, int batchRows, long stream);

  /**
   * Begins to take batches of Arrow's.
   *
   * @param plan the plan of the schema that the rows get, or 0 for their own
   * @param schema the address of an exported schema, which is taken over whatever happens
   */
  public static native long arrowOpen(long plan, long schema);

  /**
   * Adds a batch.
   *
   * @param array the address of an exported array, which is taken over whatever happens
   */
  public static native void arrowAdd(long arrow, long array);

  /**
   * Makes a message of all batches that were added. The message waits for {@link #encoderTake}.
   *
   * @param plan the plan of the schema of the message, or 0 for that of the batches
   * @return the length of the message in bytes
   */
  public static native long encoderPutArrow(long encoder, long arrow, long plan, int format);

  /**
   * Unpacks the next rows of the batches that were added into the block. Returns false after the
   * last row; more batches may be added then. A batch is released with its last row. {@link
   * #decoderBeginFrames} must have been called.
   *
   * @param frame as for {@link #decoderNext}, without an offset and a number (-1)
   */
  public static native boolean decoderNextArrow(long decoder, long arrow, long[] frame);

  /** The type list of the last frame. */
  public static native int[] decoderSchema(long decoder);
}
