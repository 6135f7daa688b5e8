package io.github.serow.demo;

import io.github.serow.Compression;
import io.github.serow.StreamReader;
import io.github.serow.StreamWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Rows in a file with a stream. */
final class Streams {
  private Streams() {}

  /** The compression with a name of {@code benches/demo/streams.py}. */
  static Compression compression(String name) {
    return switch (name) {
      case "none" -> Compression.none();
      case "lz4" -> Compression.lz4();
      case "zstd" -> Compression.zstd();
      default -> throw new IllegalArgumentException("no compression is called " + name);
    };
  }

  /** All rows, of any schema. */
  static List<Object> read(Path file) throws IOException {
    List<Object> rows = new ArrayList<>();
    try (StreamReader<Object> reader = StreamReader.ofAny().from(file)) {
      reader.frames().forEach(rows::addAll);
    }
    return rows;
  }

  /** Returns the bytes of the file. */
  static long write(Path file, Compression compression, List<?> rows) throws IOException {
    StreamWriter<Object> writer = StreamWriter.ofAny().withCompression(compression).to(file);
    try (writer) {
      writer.writeAll(rows);
      writer.finish();
    }
    return writer.bytesWritten();
  }
}
