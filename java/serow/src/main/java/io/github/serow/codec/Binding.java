package io.github.serow.codec;

import io.github.serow.Schema;
import io.github.serow.SerowException;
import io.github.serow.Times;
import io.github.serow.codegen.Generated;
import io.github.serow.codegen.RowReaderGenerator;
import io.github.serow.codegen.RowWriterGenerator;
import io.github.serow.decode.InterpretedReader;
import io.github.serow.decode.InterpretedRecordReader;
import io.github.serow.decode.RecordReader;
import io.github.serow.decode.RowReader;
import io.github.serow.encode.InterpretedRecordWriter;
import io.github.serow.encode.InterpretedWriter;
import io.github.serow.encode.RecordWriter;
import io.github.serow.encode.RowWriter;
import io.github.serow.jni.NativeHandle;
import io.github.serow.jni.NativeLibrary;
import io.github.serow.schema.Mapping;
import io.github.serow.schema.PublicTypes;
import io.github.serow.schema.Type;

/**
 * Everything that belongs to one schema: its types, its native plan, and the objects that write and
 * read its rows. It is thread-safe.
 *
 * <p>Bindings are cached ({@link BindingCache}); the least recently used is evicted first. An
 * evicted binding lives on while a codec or a call uses it.
 */
public final class Binding {
  private final Schema schema;
  private final Type.Root root;

  /** Made when it is first needed. */
  private volatile NativeHandle plan;

  private final boolean isMapped;
  private final boolean atOnce;
  private final Times times;

  /** The binding of the same rows with other times; made when it is first needed. */
  private volatile Binding other;

  private final Generated<RowWriter> writer;
  private final Generated<RowReader> reader;
  private final Generated<RecordWriter> recordWriter;
  private final Generated<RecordReader> recordReader;
  private final long fingerprint;

  /** Whether {@link BindingCache} keeps it. Written with its lock; a stale read does no harm. */
  boolean isKept;

  /** When it was used last. Lost updates do no harm. */
  int used;

  /** {@code mapping} maps rows to the caller's classes; null for plain objects. */
  Binding(Schema schema, Mapping mapping) {
    this(schema, mapping, mapping != null);
  }

  /**
   * Creates a binding.
   *
   * @param mapping maps rows to the caller's classes; null for plain objects
   * @param atOnce whether to generate classes for the first row
   */
  public Binding(Schema schema, Mapping mapping, boolean atOnce) {
    this(schema, mapping, atOnce, Times.EXACT);
  }

  private Binding(Schema schema, Mapping mapping, boolean atOnce, Times times) {
    this.schema = schema;
    this.atOnce = atOnce;
    this.times = times;
    root = Type.parse(PublicTypes.typeList(schema));
    Type type = root.type();
    isMapped = mapping != null;
    if (isMapped) {
      mapping.bind(type);
    }
    if (times == Times.PORTABLE) {
      type.makePortable();
    }
    writer =
        new Generated<>(
            new InterpretedWriter(type), () -> RowWriterGenerator.generate(type), atOnce);
    reader =
        new Generated<>(
            new InterpretedReader(type), () -> RowReaderGenerator.generate(type), atOnce);
    recordWriter =
        new Generated<>(
            new InterpretedRecordWriter(type),
            () -> RowWriterGenerator.generateForRecords(type),
            atOnce);
    recordReader =
        new Generated<>(
            new InterpretedRecordReader(type),
            () -> RowReaderGenerator.generateForRecords(type),
            atOnce);
    fingerprint = schema.fingerprint();
  }

  /** The binding of a schema. Equal schemas share one. */
  public static Binding of(Schema schema) {
    return BindingCache.of(schema);
  }

  /** The binding of the same rows, with these times. */
  public Binding with(Times wanted) {
    if (wanted == times) {
      return this;
    }
    Binding known = other;
    return known != null ? known : makeOther(wanted);
  }

  private synchronized Binding makeOther(Times wanted) {
    if (other == null) {
      Binding made = new Binding(schema, root.type().mapping, atOnce, wanted);
      made.other = this;
      other = made;
    }
    return other;
  }

  /** What becomes of what the times of other languages lack. */
  public Times times() {
    return times;
  }

  /** When it was used last, by the clock of {@link BindingCache}. */
  int used() {
    return used;
  }

  /** Whether rows are the caller's own objects and not plain ones. */
  public boolean isMapped() {
    return isMapped;
  }

  public Schema schema() {
    return schema;
  }

  public Type.Root root() {
    return root;
  }

  /**
   * The native plan.
   *
   * @throws SerowException if the native library is not loaded
   */
  public NativeHandle plan() {
    NativeHandle made = plan;
    return made != null ? made : makePlan();
  }

  private synchronized NativeHandle makePlan() {
    if (plan == null) {
      NativeLibrary.require("the plan of a schema");
      plan = FieldDefaults.plan(schema, root.type());
    }
    return plan;
  }

  /** The fingerprint of the schema. */
  public long fingerprint() {
    return fingerprint;
  }

  /** The writer for the next record. */
  public RecordWriter recordWriter() {
    return recordWriter.forRows(1);
  }

  /** Counts a record that was written, so that long ones get a generated writer sooner. */
  public void countWritten(int bytes) {
    recordWriter.count(bytes);
  }

  /** The reader for the next record. */
  public RecordReader recordReader() {
    return recordReader.forRows(1);
  }

  /** Counts a record that was read, so that long ones get a generated reader sooner. */
  public void countRead(int bytes) {
    recordReader.count(bytes);
  }

  /** The writer for the next {@code rows} rows. */
  public RowWriter writer(int rows) {
    return writer.forRows(rows);
  }

  /** The reader for the next {@code rows} rows. */
  RowReader reader(int rows) {
    return reader.forRows(rows);
  }
}
