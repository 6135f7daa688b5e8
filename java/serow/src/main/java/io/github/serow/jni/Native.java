package io.github.serow.jni;

import java.nio.ByteBuffer;

/**
 * Every call from Java to native code; {@code crates/jvm} is the other side.
 *
 * <p>A handle is the address of a native object, made by a function named {@code ...Open} and freed
 * by {@code ...Close}. A handle is used by one thread at a time and never after it was closed:
 * {@code Binding}, {@code EncodeContext}, {@code DecodeContext} and {@code Inference} see to that.
 * A plan alone may be used by many threads at once. Any of these methods may throw a {@link
 * SerowException}.
 */
public final class Native {
  /** Must be equal to what {@link #abi} gives, or library and jar are not of one build. */
  public static final int ABI = 7;

  private Native() {}

  public static native int abi();

  /** Set how many bytes all encoders and decoders together may keep between messages. */
  static native void memoryBudget(long bytes);

  /** The bytes that they keep. */
  public static native long memoryKept();

  public static native String compilerSelfTest();

  /** The canonical type list of a schema's text: the first {@code length} bytes, in UTF-8. */
  public static native int[] parseSchema(byte[] text, int length);

  /** The text of a type list. */
  public static native String schemaText(int[] typeList);

  public static native long schemaFingerprint(int[] typeList);

  public static native long inferenceOpen();

  /**
   * Join the types of {@code rows} rows to what was seen. {@code shapes} describes the rows as
   * {@code RowShapes} writes them, and {@code names} are those that it has not told before.
   */
  public static native void inferenceAdd(
      long inference, byte[] shapes, int length, int rows, byte[] names, int namesLength);

  /**
   * Begin to widen the schema. Gives how many rows are to be looked at for it, of {@code left} that
   * are to come; the first is the one that does not fit.
   */
  public static native int inferenceWiden(long inference, int left);

  /** The type list of all rows seen. After this, rows only widen it. */
  public static native int[] inferenceSchema(long inference);

  public static native void inferenceClose(long inference);

  public static native long planOpen(int[] typeList);

  public static native void planClose(long plan);

  /** Have plans be compiled as {@code SEROW_TIER} says, from the next row on. */
  public static native void compilerStart();

  /** Compile what encodes rows of this plan in this wire, or reads its records, and wait. */
  public static native void planCompile(long plan, int wire);

  /** Whether rows of this plan are encoded on this wire by compiled code. */
  public static native boolean planIsCompiled(long plan, int wire);

  /** The LLVM IR of what {@link #planCompile} compiles. */
  public static native String planIr(long plan, int wire);

  public static native long encoderOpen();

  /** Begin a message with rows of this plan; what a message before it left behind is forgotten. */
  public static native void encoderBegin(long encoder, long plan, int wire);

  /** Close the frame, if it has rows, and go on with rows of another plan. */
  public static native void encoderSwitch(long encoder, long plan);

  /** Append {@code rows} flat rows, as {@code docs/design.md} describes them. */
  public static native void encoderPut(
      long encoder,
      long[] slots,
      int slotCount,
      char[] text,
      int textLength,
      byte[] bytes,
      int bytesLength,
      int rows);

  /** Close the message. Returns its length in bytes. */
  public static native long encoderFinish(long encoder);

  /**
   * Copy the finished message to {@code to}, which has room for it from {@code offset}, and let go
   * of it. False if there was no budget for the encoder's memory, which it has freed.
   */
  public static native boolean encoderTake(long encoder, byte[] to, int offset);

  /** The same, to a direct buffer. */
  public static native boolean encoderTakeDirect(long encoder, ByteBuffer to, int offset);

  public static native void encoderClose(long encoder);

  public static native long decoderOpen();

  /**
   * Copy a message and check its beginning.
   *
   * @param plan the plan of the schema that all rows are read as, or 0 for any
   */
  public static native void decoderBegin(
      long decoder, long plan, byte[] message, int offset, int length);

  /** The same, from a direct buffer. */
  public static native void decoderBeginDirect(
      long decoder, long plan, ByteBuffer message, int offset, int length);

  /**
   * Check and unpack the next frame, into the block. False after the last frame; the message is let
   * go of then, and {@code frame} has at 0 whether there was budget for the decoder's memory, or 0
   * if there was none and the decoder has freed it.
   *
   * @param frame at 0 is set to the number of rows, at 1 to 1 if the schema is not that of the
   *     frame before, otherwise 0, at 2 to 1 if the block is not where it was, otherwise 0, at 3 to
   *     1 if some parts in it make no valid value, otherwise 0, at 4 to where it begins in the
   *     message
   */
  public static native boolean decoderNext(long decoder, long[] frame);

  /**
   * The block, in which the columns of the frame are as {@code docs/design.md} describes them. It
   * is not to be used once {@link #decoderNext} says that the block is elsewhere.
   */
  public static native ByteBuffer decoderBlock(long decoder);

  /**
   * Fails unless parts make a valid value of a type.
   *
   * @param ints those that are integers, and zeros up to three
   * @param bytes the one that is bytes: the first {@code length} of these
   */
  public static native void checkParts(int code, long[] ints, byte[] bytes, int length);

  /** The type list of the frame that was read last. */
  public static native int[] decoderSchema(long decoder);

  public static native void decoderClose(long decoder);
}
