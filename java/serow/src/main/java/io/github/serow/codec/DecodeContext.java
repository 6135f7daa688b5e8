package io.github.serow.codec;

import io.github.serow.decode.DecodeDiagnostics;
import io.github.serow.decode.RowReadException;
import io.github.serow.jni.Native;
import io.github.serow.jni.NativeHandle;
import io.github.serow.schema.PublicTypes;
import io.github.serow.schema.Type;
import io.github.serow.wire.Block;
import io.github.serow.wire.ColumnLayout;
import io.github.serow.wire.Columns;
import io.github.serow.wire.RecentDates;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;

/**
 * Reusable state of a decoding call: a native decoder and its memory. Calls borrow contexts from a
 * pool.
 */
public final class DecodeContext extends Pool.Kept {
  private static final Pool<DecodeContext> IDLE = new Pool<>();

  /** Maximum bytes on the heap that the columns of all layouts may keep between messages. */
  private static final long KEPT_COLUMNS = 16 << 20;

  /** Number of places for columns; the layout's number selects one. */
  private static final int PLACES = 64;

  private final NativeHandle decoder = new NativeHandle(Native.decoderOpen(), Native::decoderClose);

  private final long[] frame = new long[5];
  private Block block;

  private final RecentDates dates = new RecentDates();

  /** The columns of layouts, so that codecs that take turns keep theirs. */
  private final Columns[] known = new Columns[PLACES];

  /** The columns in use, or those that were used last; null if there are none. */
  private Columns current;

  /** The bytes on the heap that {@link #known} keeps. */
  private long kept;

  private DecodeContext() {}

  /** The number of idle contexts. */
  static int idle() {
    return IDLE.idle();
  }

  /** Passes a message to a decoder. */
  private interface Begin {
    void accept(long decoder, long plan);
  }

  /**
   * Decodes a message.
   *
   * @param expected the binding of the schema to convert the rows to, or null for the message's own
   */
  public static ArrayList<Object> read(byte[] message, Binding expected) {
    return read(message, 0, message.length, expected);
  }

  private static ArrayList<Object> read(byte[] message, int offset, int length, Binding expected) {
    return read(
        (decoder, plan) -> Native.decoderBegin(decoder, plan, message, offset, length), expected);
  }

  /** Decodes the message between position and limit of {@code message}, and moves its position. */
  public static ArrayList<Object> read(ByteBuffer message, Binding expected) {
    int position = message.position();
    int length = message.remaining();
    ArrayList<Object> rows;
    if (message.isDirect()) {
      if (length > 0) {
        // Throws if the memory was freed: the buffer may belong to an arena that is closed.
        message.get(position);
      }
      rows =
          read(
              (decoder, plan) ->
                  Native.decoderBeginDirect(decoder, plan, message, position, length),
              expected);
    } else if (message.hasArray()) {
      rows = read(message.array(), message.arrayOffset() + position, length, expected);
    } else {
      // A read-only heap buffer does not expose its array.
      byte[] copy = new byte[length];
      message.get(position, copy);
      rows = read(copy, expected);
    }
    message.position(position + length);
    return rows;
  }

  private static ArrayList<Object> read(Begin begin, Binding expected) {
    NativeHandle.freeUnreachable();
    DecodeContext context = IDLE.lend();
    if (context == null) {
      context = new DecodeContext();
    }
    ArrayList<Object> rows;
    try {
      begin.accept(context.decoder.address(), expected == null ? 0 : expected.plan().address());
      Reference.reachabilityFence(expected);
      rows = context.readFrames(expected);
    } catch (Throwable e) {
      // Don't reuse a context after an error: it may be in any state.
      context.close();
      throw e;
    }
    IDLE.giveBack(context);
    return rows;
  }

  @Override
  void close() {
    decoder.close();
  }

  private ArrayList<Object> readFrames(Binding expected) {
    ArrayList<Object> rows = new ArrayList<>();
    int index = -1;
    Binding binding = expected;
    while (Native.decoderNext(decoder.address(), frame)) {
      if (frame[2] != 0) {
        block = new Block(Native.decoderBlock(decoder.address()));
      }
      int count = Math.toIntExact(frame[0]);
      index++;
      if (expected == null && frame[1] != 0) {
        binding = Binding.of(PublicTypes.schema(Native.decoderSchema(decoder.address())));
      }
      if (count == 0) {
        // A frame without rows may have any schema, even if one is expected.
        continue;
      }
      Columns columns = columns(binding.root().columns());
      columns.load(block);
      Type root = binding.root().type();
      int firstRow = rows.size();
      if (frame[3] != 0) {
        throw DecodeDiagnostics.ofWrongParts(
            root, columns, new DecodeDiagnostics.Frame(index, frame[4], firstRow, count));
      }
      rows.ensureCapacity(rows.size() + count);
      try {
        binding.reader(count).read(columns, count, rows);
      } catch (RowReadException e) {
        e.passOnUnlessDescribed();
        int[] progress = columns.progress();
        columns.load(block);
        throw DecodeDiagnostics.ofRow(
            root,
            columns,
            new DecodeDiagnostics.Frame(index, frame[4], firstRow, count),
            e,
            progress);
      }
    }
    leave();
    if (frame[0] == 0) {
      // The budget had no space for this decoder's memory: make space before its next message.
      block = null;
      Pool.closeIdle();
    }
    return rows;
  }

  /** The columns of a layout, which become the current ones. */
  private Columns columns(ColumnLayout layout) {
    if (current != null && current.layout == layout) {
      return current;
    }
    leave();
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
  private void leave() {
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
