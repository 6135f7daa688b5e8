package io.github.serow.internal.codec;

import io.github.serow.Schema;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeHandle;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.threads.InOrder;
import io.github.serow.internal.wire.Block;
import io.github.serow.internal.wire.ColumnLayout;
import io.github.serow.internal.wire.Columns;
import io.github.serow.internal.wire.RecentDates;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reusable state of a decoding call or of a stream's reader: a native decoder and its memory. They
 * borrow contexts from a pool.
 */
public final class DecodeContext extends Pool.Kept {
  private static final Pool<DecodeContext> IDLE = new Pool<>(DecodeContext::new);

  /** Maximum bytes on the heap that the columns of all layouts may keep between messages. */
  private static final long KEPT_COLUMNS = 16 << 20;

  /** Smaller messages are read on one thread. */
  private static final int MANY_BYTES = 1 << 18;

  /** Number of places for columns; the layout's number selects one. */
  private static final int PLACES = 64;

  private final NativeHandle decoder = new NativeHandle(Native.decoderOpen());

  /** What {@link Native#decoderNext} says of the last frame. */
  private final long[] frame = new long[8];

  private Block block;

  /** The message that is read, in an array or in a direct buffer; null for a stream. */
  private byte[] array;

  private ByteBuffer direct;
  private int offset;

  /** How rows are read; null if none are. */
  private ReadOptions options;

  /** The schema of the last frame's rows, unless it has none. */
  private Binding binding;

  private final RecentDates dates = new RecentDates();

  /** The columns of layouts, so that codecs that take turns keep theirs. */
  private final Columns[] known = new Columns[PLACES];

  /** The columns in use, or those that were used last; null if there are none. */
  private Columns current;

  /** The bytes on the heap that {@link #known} keeps. */
  private long kept;

  private DecodeContext() {}

  /** Decodes a message. */
  public static ArrayList<Object> read(byte[] message, ReadOptions options) {
    return read(message, null, 0, message.length, options);
  }

  /** Decodes the message between position and limit of {@code message}, and moves its position. */
  public static ArrayList<Object> read(ByteBuffer message, ReadOptions options) {
    int position = message.position();
    int length = message.remaining();
    ArrayList<Object> rows;
    if (message.isDirect()) {
      if (length > 0) {
        // Throws if the memory was freed: the buffer may belong to an arena that is closed.
        message.get(position);
      }
      rows = read(null, message, position, length, options);
    } else if (message.hasArray()) {
      int offset = message.arrayOffset() + position;
      rows = read(message.array(), null, offset, length, options);
    } else {
      // A read-only heap buffer does not expose its array.
      byte[] copy = new byte[length];
      message.get(position, copy);
      rows = read(copy, options);
    }
    message.position(position + length);
    return rows;
  }

  private static ArrayList<Object> read(
      byte[] array, ByteBuffer direct, int offset, int length, ReadOptions options) {
    return IDLE.use(
        context -> {
          ArrayList<Object> rows = new ArrayList<>();
          context.begin(array, direct, offset, length, options);
          // A limit is for all frames in their order, so one thread counts them.
          if (options.threads().most() > 1 && length >= MANY_BYTES && !options.isLimited()) {
            context.readFramesOnThreads(rows);
          } else {
            while (context.next()) {
              context.readFrame(rows);
            }
          }
          return rows;
        });
  }

  /** Begins with the message in an array or a direct buffer. */
  private void begin(byte[] array, ByteBuffer direct, int offset, int length, ReadOptions options) {
    this.array = array;
    this.direct = direct;
    this.offset = offset;
    Native.decoderBegin(
        decoder.address(), options.plan(), options.maxMemory(), array, direct, offset, length);
    begin(options);
  }

  /** Unpacks the next frame of the message. Returns false, and ends, after the last. */
  private boolean next() {
    boolean hasFrame = Native.decoderNext(decoder.address(), array, direct, offset, frame);
    if (!hasFrame) {
      finish(frame[0] != 0);
    }
    return hasFrame;
  }

  private void readFramesOnThreads(ArrayList<Object> rows) {
    try (InOrder<ArrayList<Object>, RuntimeException> frames =
        new InOrder<>(options.threads(), () -> takeFrame(frame), read -> {})) {
      for (ArrayList<Object> read; (read = frames.next()) != null; ) {
        rows.addAll(read);
      }
    }
    finish(Native.decoderEnd(decoder.address()));
  }

  /** Lends a context, which then reads a stream. The caller must end or close it. */
  public static DecodeContext ofStream(ReadOptions options) {
    return lend(Native::decoderBeginStream, options);
  }

  /** Lends a context, which then reads batches of Arrow's. The caller must end or close it. */
  public static DecodeContext ofArrow(ReadOptions options) {
    return lend(Native::decoderBeginFrames, options);
  }

  /** Begins natively, with a decoder, a plan and a limit of memory. */
  private interface Begin {
    void begin(long decoder, long plan, long maxMemory);
  }

  private static DecodeContext lend(Begin begin, ReadOptions options) {
    DecodeContext context = IDLE.lend();
    try {
      context.begin(begin, options);
    } catch (Throwable e) {
      context.close();
      throw e;
    }
    return context;
  }

  private void begin(Begin begin, ReadOptions options) {
    begin.begin(decoder.address(), options.plan(), options.maxMemory());
    begin(options);
  }

  /**
   * Appends the rows of the batches that were added, as {@link Native#decoderNextArrow} gives them.
   */
  public void readArrow(NativeHandle arrow, ArrayList<Object> rows) {
    while (Native.decoderNextArrow(decoder.address(), arrow.address(), frame)) {
      readFrame(rows);
    }
    Reference.reachabilityFence(arrow);
  }

  /** Notes the schema, after native code has begun. */
  private void begin(ReadOptions options) {
    Reference.reachabilityFence(options.expected());
    this.options = options;
    binding = options.expected();
  }

  /** Frees the memory. The context is not used afterwards. */
  @Override
  public void close() {
    decoder.close();
  }

  /** Drops what belongs to the message or stream. {@code fits}: whether the budget has space. */
  private void finish(boolean fits) {
    array = null;
    direct = null;
    options = null;
    binding = null;
    if (!fits) {
      // The budget had no space for this decoder's memory: make space before its next message.
      block = null;
      Pool.freeIdle();
    }
  }

  /**
   * Goes on in a stream. Returns {@link Native#FRAME} if {@link #readFrame} may read the next
   * frame, {@link Native#STREAM_END} if a stream has ended, which another one may follow, and
   * otherwise how many bytes are needed.
   */
  public int step() {
    return Native.decoderStep(decoder.address(), frame);
  }

  /**
   * Takes the next frame of the message or stream, and checks its header and checksum. Returns what
   * reads its rows, in any thread. Returns null if there is none; then {@code info[0]} is as the
   * result of {@link #step}.
   */
  public Supplier<ArrayList<Object>> takeFrame(long[] info) {
    long address = Native.decoderTake(decoder.address(), array, direct, offset, info);
    if (address == 0) {
      return null;
    }
    NativeHandle taken = new NativeHandle(address);
    ReadOptions reading = options;
    return () -> {
      try (taken) {
        return readFrame(
            reading,
            context ->
                Native.decoderUnpack(context.decoder.address(), taken.address(), context.frame));
      }
    };
  }

  /**
   * Reads the rows of a frame of a file.
   *
   * @param bytes the frame, in the first {@code length} bytes
   */
  public static ArrayList<Object> read(
      NativeHandle file, int frame, byte[] bytes, int length, ReadOptions options) {
    return readFrame(
        options,
        context -> {
          long decoder = context.decoder.address();
          Native.decoderSeek(decoder, file.address(), frame, bytes, length, context.frame);
          Reference.reachabilityFence(file);
        });
  }

  /** Reads the rows of a frame that {@code unpack} unpacks in another context. */
  private static ArrayList<Object> readFrame(ReadOptions options, Consumer<DecodeContext> unpack) {
    return IDLE.use(
        context -> {
          ArrayList<Object> rows = new ArrayList<>();
          context.begin(Native::decoderBeginFrames, options);
          unpack.accept(context);
          context.readFrame(rows);
          context.finish(Native.decoderEnd(context.decoder.address()));
          return rows;
        });
  }

  /** Passes on the next bytes of a stream, at most as many as are needed. */
  public void fill(byte[] bytes, int length) {
    Native.decoderFill(decoder.address(), bytes, length);
  }

  /** Throws if the stream must not end where it is. */
  public void checkEnd() {
    Native.decoderCut(decoder.address());
  }

  /** The metadata of the stream that has begun last, as its header has it; null if none has. */
  public byte[] metadata() {
    int length = Native.decoderMetadata(decoder.address(), new byte[0], 0);
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    Native.decoderMetadata(decoder.address(), bytes, length);
    return bytes;
  }

  /** Ends the stream or the batches, and gives this context back. It is not used afterwards. */
  public void end() {
    try {
      finish(Native.decoderEnd(decoder.address()));
    } catch (Throwable e) {
      close();
      throw e;
    }
    trim();
    IDLE.giveBack(this);
  }

  /** Appends the rows of the frame in the block. */
  public void readFrame(ArrayList<Object> rows) {
    FrameRows.Unpacked unpacked = unpacked();
    int count = unpacked.place().rows();
    if (options.expected() == null && frame[1] != 0) {
      Schema schema = SharedSecrets.schema(Native.decoderSchema(decoder.address()));
      binding = Binding.of(schema).with(options.times());
    }
    if (count == 0) {
      // A frame without rows may have any schema, even if one is expected.
      return;
    }
    FrameRows made = new FrameRows(binding, columns(binding.columns()), unpacked);
    rows.ensureCapacity(rows.size() + count);
    for (Object[] some; (some = made.next()) != null; ) {
      rows.addAll(Arrays.asList(some));
    }
  }

  /** The frame in the block. */
  private FrameRows.Unpacked unpacked() {
    if (frame[2] != 0) {
      block = new Block(Native.decoderBlock(decoder.address()));
    }
    int count = Math.toIntExact(frame[0]);
    FrameRows.Place place = new FrameRows.Place((int) frame[5], frame[4], frame[6], count);
    return new FrameRows.Unpacked(block, place, frame[3] != 0);
  }

  /** The columns of a layout, which become the current ones. */
  private Columns columns(ColumnLayout layout) {
    if (current != null && current.layout == layout) {
      return current;
    }
    trim();
    int place = layout.number & PLACES - 1;
    Columns found = known[place];
    if (found == null || found.layout != layout) {
      kept -= found == null ? 0 : found.kept();
      found = new Columns(layout, dates);
      kept += found.kept();
      known[place] = found;
    }
    current = found;
    return found;
  }

  /** Drops references of the current columns, and all columns if they take too much memory. */
  @Override
  void trim() {
    if (current == null) {
      return;
    }
    kept -= current.kept();
    current.clear();
    kept += current.kept();
    if (kept > KEPT_COLUMNS) {
      Arrays.fill(known, null);
      current = null;
      kept = 0;
    }
  }
}
