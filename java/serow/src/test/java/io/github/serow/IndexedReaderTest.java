package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows and frames of a file in any order. */
class IndexedReaderTest {
  record Part(long key, String name) {}

  record Other(String name, Integer size) {}

  @TempDir Path folder;

  private static Part part(long key) {
    return new Part(key, "part " + key % 10);
  }

  /** Writes frames of these numbers of rows. */
  private Path file(int... frames) throws IOException {
    Path file = folder.resolve("parts.srow");
    long key = 0;
    try (StreamWriter<Part> writer =
        StreamWriter.of(Part.class).withCompression(Compression.lz4()).to(file)) {
      for (int rows : frames) {
        for (int i = 0; i < rows; i++) {
          writer.write(part(key++));
        }
        writer.flush();
      }
      writer.finish();
    }
    return file;
  }

  @Test
  void anyRowAndFrameIsReadAtOnce() throws IOException {
    try (IndexedReader<Part> parts = IndexedReader.of(Part.class).from(file(3, 100, 1, 5000))) {
      assertEquals(5104, parts.rows());
      assertEquals(4, parts.frames());
      Random random = new Random(1);
      for (int i = 0; i < 300; i++) {
        long row = random.nextInt(5104);
        assertEquals(part(row), parts.row(row));
      }
      assertEquals(part(5103), parts.row(5103));
      assertEquals(List.of(part(103)), parts.frame(2));
      assertEquals(104, parts.firstRow(3));
      assertEquals(5000, parts.frame(3).size());
      assertEquals(List.of(part(0), part(1), part(2)), parts.frame(0));
    }
  }

  @Test
  void theRowsOfAFrameAreSharedByThoseWhoReadThem() throws IOException {
    try (IndexedReader<Part> parts = IndexedReader.of(Part.class).from(file(10, 10))) {
      Part first = parts.row(4);
      assertSame(first, parts.row(4));
      assertNotSame(first, parts.frame(0).get(4));
      assertEquals(part(12), parts.row(12));
      assertNotSame(first, parts.row(4));
    }
  }

  @Test
  void appendedStreamsAndOtherSchemasAreOneFile() throws IOException {
    Path file = file(100, 200);
    try (StreamWriter<Other> writer = StreamWriter.of(Other.class).appendTo(file)) {
      writer.write(new Other("one", 1));
      writer.write(new Other("none", null));
      writer.finish();
    }
    try (IndexedReader<Other> rows = IndexedReader.of(Other.class).from(file)) {
      assertEquals(302, rows.rows());
      assertEquals(new Other("none", null), rows.row(301));
      assertEquals(new Other("part 7", null), rows.row(7));
    }
    try (FileChannel channel = FileChannel.open(file)) {
      try (IndexedReader<Object> rows = IndexedReader.ofAny().from(channel)) {
        assertEquals("part 9", ((Row) rows.row(299)).get("name"));
        assertEquals(1L, ((Row) rows.row(300)).get("size"));
      }
      assertTrue(channel.isOpen());
    }
  }

  @Test
  void aStreamWithoutRowsHasNone() throws IOException {
    try (IndexedReader<Part> parts = IndexedReader.of(Part.class).from(file())) {
      assertEquals(0, parts.rows());
      assertThrows(IndexOutOfBoundsException.class, () -> parts.row(0));
      assertThrows(IndexOutOfBoundsException.class, () -> parts.row(-1));
      assertThrows(IndexOutOfBoundsException.class, () -> parts.frame(0));
    }
  }

  @Test
  void aFileWithoutAnIndexIsReadAndOneThatIsCutIsNot() throws IOException {
    Path file = folder.resolve("message.srow");
    Files.write(file, Serow.dumps(List.of(1L, 2L)));
    try (IndexedReader<Object> rows = IndexedReader.ofAny().from(file)) {
      assertEquals(2, rows.rows());
      assertEquals(2L, rows.row(1));
    }
    byte[] whole = Files.readAllBytes(file(10, 20));
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      if (length > 0) {
        assertThrows(DecodeException.class, () -> IndexedReader.ofAny().from(file));
      }
    }
  }

  @Test
  void damagedBytesAreErrorsAndNothingElse() throws IOException {
    byte[] whole = Files.readAllBytes(file(10, 20, 30));
    Path file = folder.resolve("damaged.srow");
    Random random = new Random(2);
    for (int round = 0; round < 400; round++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, damaged);
      List<Part> read = new ArrayList<>();
      try (IndexedReader<Part> parts = IndexedReader.of(Part.class).from(file)) {
        for (long row = 0; row < parts.rows(); row++) {
          read.add(parts.row(row));
        }
      } catch (SerowException e) {
        continue;
      }
      // Only what nobody looks at may differ: no damage is silent.
      for (int row = 0; row < read.size(); row++) {
        assertEquals(part(row), read.get(row));
      }
    }
  }

  @Test
  void aFileThatShrinksIsAnError() throws IOException {
    Path file = file(1000, 1000);
    try (IndexedReader<Part> parts = IndexedReader.of(Part.class).from(file)) {
      assertEquals(part(3), parts.row(3));
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(100);
      }
      IOException error = assertThrows(IOException.class, () -> parts.row(1500));
      assertTrue(error.getMessage().contains("shorter"), error.getMessage());
      assertEquals(part(4), parts.row(4));
    }
  }

  @Test
  void severalThreadsGetTheRowsThatTheyAskFor() throws Exception {
    Path file = file(100, 1, 700, 100);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (FileChannel channel = FileChannel.open(file);
        IndexedReader<Part> parts = IndexedReader.of(Part.class).from(channel)) {
      List<Future<?>> readers = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        Random random = new Random(thread);
        readers.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 200; i++) {
                    int row = random.nextInt(901);
                    assertEquals(part(row), parts.row(row));
                    channel.position(random.nextInt(100));
                  }
                  assertEquals(part(101), parts.frame(2).get(0));
                  return null;
                }));
      }
      for (Future<?> reader : readers) {
        reader.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  /** Its constructor reads from a reader. */
  record Asking(long key) {
    private static IndexedReader<?> reader;

    Asking {
      if (reader != null) {
        try {
          reader.row(0);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  @Test
  void aRowMustNotUseItsReader() throws IOException {
    Path file = file(10);
    try (IndexedReader<Asking> rows = IndexedReader.of(Asking.class).from(file)) {
      Asking.reader = rows;
      DecodeException e = assertThrows(DecodeException.class, () -> rows.row(5));
      assertEquals(IllegalStateException.class, e.getCause().getClass());
      Asking.reader = null;
      assertEquals(5, rows.row(5).key());
    } finally {
      Asking.reader = null;
    }
  }

  @Test
  void nothingIsReadAfterTheEnd() throws IOException {
    IndexedReader<Part> parts = IndexedReader.of(Part.class).from(file(10));
    parts.close();
    parts.close();
    assertThrows(IllegalStateException.class, () -> parts.row(0));
    assertThrows(IllegalStateException.class, () -> parts.frame(0));
    assertThrows(IllegalStateException.class, () -> parts.firstRow(0));
    assertEquals(10, parts.rows());
    assertThrows(NullPointerException.class, () -> IndexedReader.of((Class<Part>) null));
    assertThrows(NullPointerException.class, () -> IndexedReader.ofAny().from((Path) null));
  }
}
