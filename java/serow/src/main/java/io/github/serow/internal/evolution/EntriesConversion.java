package io.github.serow.internal.evolution;

import io.github.serow.internal.row.PlacedException;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.Varint;
import java.util.List;

/**
 * A dict with fixed keys that becomes a map, or a list or tuple of fixed shape that becomes a
 * sequence.
 */
final class EntriesConversion implements Conversion {
  /**
   * A field.
   *
   * @param isMaybe whether it may be missing
   * @param key writes its key; null in a sequence
   */
  record Entry(boolean isMaybe, Conversion key, Conversion value) {}

  private final Part reader;
  private final Entry[] entries;

  EntriesConversion(Part reader, List<Entry> entries) {
    this.reader = reader;
    this.entries = entries.toArray(Entry[]::new);
  }

  @Override
  public int convert(RecordIn in, RecordOut out, int begin) {
    in.enter(entries.length);
    out.reserve(begin);
    int first = out.count(entries.length, begin);
    int at = first;
    int count = 0;
    for (Entry entry : entries) {
      if (!entry.isMaybe || in.bit()) {
        at = convert(entry, count, in, out, at);
        count++;
      }
    }
    return count == entries.length ? at : shortened(count, out, begin, first, at);
  }

  private int convert(Entry entry, int index, RecordIn in, RecordOut out, int begin) {
    int at = entry.key == null ? begin : entry.key.convert(in, out, begin);
    try {
      return entry.value.convert(in, out, at);
    } catch (RuntimeException e) {
      int place = entry.key == null ? index : 2 * index + 1;
      throw PlacedException.inRead(e, reader.node(), place);
    }
  }

  /** Replaces the number of entries, which may take fewer bytes. */
  private static int shortened(int count, RecordOut out, int begin, int first, int end) {
    byte[] number = new byte[Varint.MOST];
    int length = Varint.put(number, 0, count);
    System.arraycopy(out.bytes, first, out.bytes, begin + length, end - first);
    System.arraycopy(number, 0, out.bytes, begin, length);
    return end - first + begin + length;
  }
}
