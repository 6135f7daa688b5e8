package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Direct buffers whose memory is freed too early. Java 22 has arenas, which free it. */
class FreedBufferTest {
  private static final int SIZE = 1 << 20;

  /** A row whose getter can free the buffer of its message. */
  public static final class Row {
    private final transient Runnable getter;

    @Creator
    Row(long number, String text) {
      this(() -> {});
    }

    Row(Runnable getter) {
      this.getter = getter;
    }

    public long getNumber() {
      getter.run();
      return 7;
    }

    public String getText() {
      return "a text of some length";
    }
  }

  /** An arena, by reflection because Java 17 has none. */
  private static AutoCloseable arena() throws ReflectiveOperationException {
    assumeTrue(Runtime.version().feature() >= 22);
    return (AutoCloseable)
        Class.forName("java.lang.foreign.Arena").getMethod("ofConfined").invoke(null);
  }

  private static ByteBuffer buffer(AutoCloseable arena) throws ReflectiveOperationException {
    Object segment =
        Class.forName("java.lang.foreign.Arena")
            .getMethod("allocate", long.class)
            .invoke(arena, (long) SIZE);
    return (ByteBuffer)
        Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer").invoke(segment);
  }

  private static void close(AutoCloseable arena) {
    try {
      arena.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Row> rows(int count, Runnable getterOfTheLast) {
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      rows.add(new Row(() -> {}));
    }
    rows.add(new Row(getterOfTheLast));
    return rows;
  }

  @Test
  void aGetterMayFreeTheBuffer() throws Exception {
    for (Wire wire : Wire.values()) {
      for (boolean shrinks : new boolean[] {false, true}) {
        AutoCloseable arena = arena();
        ByteBuffer buffer = buffer(arena);
        Runnable free =
            () -> {
              if (shrinks) {
                buffer.limit(buffer.position());
              }
              close(arena);
            };
        Codec<Row> codec = Codec.of(Row.class).withWire(wire);
        List<Row> rows = rows(20_000, free);
        assertThrows(IllegalStateException.class, () -> codec.encodeAllInto(rows, buffer));
      }
    }
  }

  @Test
  void aGetterMayMoveTheLimit() throws Exception {
    ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
    Codec<Row> codec = Codec.of(Row.class);
    int length = codec.encodeAllInto(rows(20_000, () -> buffer.limit(SIZE - 1)), buffer);
    assertEquals(20_000, codec.decodeAll(buffer.duplicate().flip()).size());
    assertEquals(length, buffer.position());
  }

  @Test
  void messagesInFreedMemoryAreRefused() throws Exception {
    AutoCloseable arena = arena();
    ByteBuffer buffer = buffer(arena);
    Codec<Row> codec = Codec.of(Row.class);
    codec.encodeAllInto(rows(20_000, () -> {}), buffer);
    buffer.flip();
    close(arena);
    assertThrows(IllegalStateException.class, () -> codec.decodeAll(buffer));
    assertThrows(IllegalStateException.class, () -> Serow.loads(buffer));
  }
}
