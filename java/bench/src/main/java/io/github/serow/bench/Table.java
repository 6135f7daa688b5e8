package io.github.serow.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The text of TPC-H's Part, as {@code benches/demo/part.py} leaves and reads it. */
final class Table {
  private Table() {}

  /** At most {@code count} rows after the first {@code skip}. Every string is a new object. */
  static List<Object[]> read(Path path, int skip, int count) throws IOException {
    List<Object[]> rows = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(path)) {
      for (int i = 0; i < skip && lines.readLine() != null; i++) {}
      for (String line; rows.size() < count && (line = lines.readLine()) != null; ) {
        rows.add(parse(line));
      }
    }
    return rows;
  }

  private static Object[] parse(String line) {
    String[] fields = line.split("\\|", -1);
    return new Object[] {
      Long.valueOf(fields[0]),
      fields[1],
      fields[2],
      fields[3],
      fields[4],
      Long.valueOf(fields[5]),
      fields[6],
      Double.valueOf(fields[7]),
      fields[8]
    };
  }
}
