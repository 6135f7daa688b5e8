package io.github.serow;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What belongs to one schema on this side: its types, its native plan, and the objects that write
 * and read its rows. It may be used by many threads.
 *
 * <p>Bindings are kept in a cache, least recently used out first, and live on without it as long as
 * a codec or a call in progress holds them.
 */
final class Binding {
  private static final int CACHED = 256;

  /** The codes of all schemas in the cache together, unless there is one alone. */
  private static final long CACHED_CODES = 1 << 20;

  private static final Map<Schema, Binding> CACHE = new LinkedHashMap<>(16, 0.75f, true);

  /** The codes of the schemas in the cache. */
  private static long codes;

  private final Schema schema;
  private final Type.Root root;
  private final NativeHandle plan;
  private final boolean isMapped;
  private final Generated<RowWriter> writer;
  private final Generated<RowReader> reader;

  /** {@code mapped}: what rows are in Java; null for plain objects. */
  private Binding(Schema schema, Mapped mapped) {
    this.schema = schema;
    root = Type.parse(schema.sharedTypeList());
    Type type = root.type();
    isMapped = mapped != null;
    if (isMapped) {
      mapped.bind(type);
    }
    writer =
        new Generated<>(new WalkingWriter(type), () -> RowWriterGenerator.generate(type), isMapped);
    reader =
        new Generated<>(new WalkingReader(type), () -> RowReaderGenerator.generate(type), isMapped);
    plan = new NativeHandle(Native.planOpen(schema.sharedTypeList()), Native::planClose);
  }

  /** The binding of a schema; schemas that are equal share one. */
  static Binding of(Schema schema) {
    synchronized (CACHE) {
      Binding binding = CACHE.get(schema);
      if (binding == null) {
        binding = new Binding(schema, null);
        CACHE.put(schema, binding);
        codes += schema.sharedTypeList().length;
        evict();
      }
      return binding;
    }
  }

  /** Messages may be of any schemas, and those of many names take memory. */
  private static void evict() {
    Iterator<Schema> oldest = CACHE.keySet().iterator();
    while (CACHE.size() > CACHED || codes > CACHED_CODES && CACHE.size() > 1) {
      codes -= oldest.next().sharedTypeList().length;
      oldest.remove();
    }
  }

  /** A binding of the caller's own objects. */
  static Binding of(Schema schema, Mapped mapped) {
    return new Binding(schema, mapped);
  }

  /** True if rows are of the caller's own classes, and not plain objects. */
  boolean isMapped() {
    return isMapped;
  }

  Schema schema() {
    return schema;
  }

  Type.Root root() {
    return root;
  }

  NativeHandle plan() {
    return plan;
  }

  /** The writer for {@code rows} more rows. */
  RowWriter writer(int rows) {
    return writer.forRows(rows);
  }

  /** The reader for {@code rows} more rows. */
  RowReader reader(int rows) {
    return reader.forRows(rows);
  }
}
