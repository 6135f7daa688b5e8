package io.github.serow.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the text of a table that {@code benches/suite/tables.py} has written. */
final class Table {
  private Table() {}

  /** Reads at most {@code count} rows after the first {@code skip}. Every object in them is new. */
  static List<Object> read(Workload workload, Path path, int skip, int count) throws IOException {
    List<Object> rows = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(path)) {
      for (int i = 0; i < skip && lines.readLine() != null; i++) {}
      for (String line; rows.size() < count && (line = lines.readLine()) != null; ) {
        rows.add(workload.parse(line));
      }
    }
    return rows;
  }
}
