package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls in a loop allocate what they return. The JVM counts the bytes. Calls that encode also copy
 * the references to the rows, so that a list may change meanwhile.
 */
class AllocationsTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final int ROWS = 10_000;

  /** The most bytes of a reference. */
  private static final int REFERENCE = 8;

  /** The most bytes that a call needs besides, whatever the rows. */
  private static final int CALL = 2_000;

  record Part(long key, String name, double price) {}

  private static final List<Part> PARTS = parts();

  private static List<Part> parts() {
    List<Part> parts = new ArrayList<>(ROWS);
    for (int i = 0; i < ROWS; i++) {
      parts.add(new Part(i, "a name " + i, i * 0.25));
    }
    return parts;
  }

  private static List<Part> copies() {
    List<Part> copies = new ArrayList<>(ROWS);
    for (Part part : PARTS) {
      byte[] text = part.name().getBytes(StandardCharsets.UTF_8);
      copies.add(new Part(part.key(), new String(text, StandardCharsets.UTF_8), part.price()));
    }
    return copies;
  }

  /**
   * The fewest bytes that a call allocates, after some calls that make what later ones reuse. A
   * call may have to make it again, because the pools close what is old.
   */
  private static long allocated(Callable<?> call) throws Exception {
    for (int i = 0; i < 3; i++) {
      call.call();
    }
    long thread = Thread.currentThread().getId();
    long fewest = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      long before = THREADS.getThreadAllocatedBytes(thread);
      call.call();
      fewest = Math.min(fewest, THREADS.getThreadAllocatedBytes(thread) - before);
    }
    return fewest;
  }

  private static void assertAtMost(long most, Callable<?> call) throws Exception {
    long bytes = allocated(call);
    assertTrue(bytes <= most, bytes + " bytes, and not " + most);
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void messagesAllocateTheirResultOnly(Wire wire) throws Exception {
    Codec<Part> codec = Codec.of(Part.class).withWire(wire);
    byte[] message = codec.encodeAll(PARTS);
    ByteBuffer buffer = ByteBuffer.allocate(2 * message.length);
    long references = (long) ROWS * REFERENCE;
    assertAtMost(references + CALL, () -> codec.encodeAllInto(PARTS, buffer.clear()));
    assertAtMost(references + message.length + CALL, () -> codec.encodeAll(PARTS));
    assertAtMost(allocated(AllocationsTest::copies) + CALL, () -> codec.decodeAll(message));
    assertEquals(PARTS, codec.decodeAll(message));
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void streamsAllocateTheirRowsOnly(Wire wire) throws Exception {
    ByteArrayOutputStream stream = new ByteArrayOutputStream(1 << 23);
    Codec<Part> codec = Codec.of(Part.class).withWire(wire);
    try (StreamWriter<Part> writer = StreamWriter.of(codec).to(stream)) {
      Callable<?> write =
          () -> {
            for (Part part : PARTS) {
              writer.write(part);
            }
            writer.flush();
            return null;
          };
      assertAtMost(CALL, write);
      writer.finish();
    }
    try (StreamReader<Part> reader =
        StreamReader.of(codec).from(new ByteArrayInputStream(stream.toByteArray()))) {
      Iterator<Part> rows = reader.iterator();
      Callable<?> read =
          () -> {
            for (Part part : PARTS) {
              assertEquals(part.key(), rows.next().key());
            }
            return null;
          };
      assertAtMost(allocated(AllocationsTest::copies) + CALL, read);
    }
  }
}
