package io.github.serow;

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

  private static final Map<Schema, Binding> CACHE =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Schema, Binding> eldest) {
          return size() > CACHED;
        }
      };

  private final Schema schema;
  private final Type.Root root;
  private final NativeHandle plan;
  private final Generated<RowWriter> writer;
  private final Generated<RowReader> reader;

  private Binding(Schema schema) {
    this.schema = schema;
    root = Type.parse(schema.sharedTypeList());
    Type type = root.type();
    writer = new Generated<>(new WalkingWriter(type), () -> RowWriterGenerator.generate(type));
    reader = new Generated<>(new WalkingReader(type), () -> RowReaderGenerator.generate(type));
    plan = new NativeHandle(Native.planOpen(schema.sharedTypeList()), Native::planClose);
  }

  /** The binding of a schema; schemas that are equal share one. */
  static Binding of(Schema schema) {
    synchronized (CACHE) {
      return CACHE.computeIfAbsent(schema, Binding::new);
    }
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
