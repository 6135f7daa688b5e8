package io.github.serow.internal.codec;

import io.github.serow.Schema;
import io.github.serow.SchemaException;
import io.github.serow.Times;
import io.github.serow.internal.evolution.Conversion;
import io.github.serow.internal.jni.NativeHandle;
import io.github.serow.internal.jni.NativeLibrary;
import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.Nodes;
import io.github.serow.internal.row.RecordReader;
import io.github.serow.internal.row.RecordWriter;
import io.github.serow.internal.row.RowReader;
import io.github.serow.internal.row.TieredCode;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.wire.ColumnLayout;

/**
 * Everything that belongs to one schema: its nodes, its native plan, and the objects that write and
 * read its rows. It is thread-safe.
 *
 * <p>Bindings are cached ({@link BindingCache}); the least recently used is evicted first. An
 * evicted binding lives on while a codec or a call uses it.
 */
public final class Binding {
  private final Schema schema;

  /** The mapping of the rows' class; null for plain rows. */
  private final Mapping mapping;

  private final boolean atOnce;
  private final Times times;
  private final Nodes nodes;
  private final long fingerprint;
  private final TieredCode<RowReader> reader;
  private final TieredCode<RecordWriter> recordWriter;
  private final TieredCode<RecordReader> recordReader;

  /** Reads records whose memory is counted. */
  private final RecordReader countingReader;

  /** How records of other schemas become those of this one. */
  private final Evolutions evolutions;

  private volatile NativeHandle plan;

  /** The binding with other times; null until it is needed. */
  private volatile Binding other;

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
    this.mapping = mapping;
    this.atOnce = atOnce;
    this.times = times;
    nodes =
        Nodes.of(SharedSecrets.type(schema), times, mapping == null ? Nodes::plain : mapping::node);
    Node root = nodes.root();
    fingerprint = schema.fingerprint();
    evolutions = new Evolutions(schema, root);
    reader = new TieredCode<>(RowReader.interpreted(root), () -> RowReader.generated(root), atOnce);
    countingReader = RecordReader.interpreted(root);
    recordWriter =
        new TieredCode<>(
            RecordWriter.interpreted(root), () -> RecordWriter.generated(root), atOnce);
    recordReader = new TieredCode<>(countingReader, () -> RecordReader.generated(root), atOnce);
  }

  /** The binding of plain rows; the same for equal schemas. */
  public static Binding of(Schema schema) {
    return BindingCache.of(schema);
  }

  /** The binding that keeps {@code wanted} of times. */
  public Binding with(Times wanted) {
    if (wanted == times) {
      return this;
    }
    Binding known = other;
    return known != null ? known : makeOther(wanted);
  }

  private synchronized Binding makeOther(Times wanted) {
    if (other == null) {
      Binding made = new Binding(schema, mapping, atOnce, wanted);
      made.other = this;
      other = made;
    }
    return other;
  }

  public Times times() {
    return times;
  }

  int used() {
    return used;
  }

  /** Whether rows are objects of a caller's class. */
  public boolean isMapped() {
    return mapping != null;
  }

  /** The mapping of the rows' class; null for plain rows. */
  public Mapping mapping() {
    return mapping;
  }

  public Schema schema() {
    return schema;
  }

  public Type type() {
    return nodes.root().type;
  }

  /** The node of the rows. */
  public Node root() {
    return nodes.root();
  }

  public ColumnLayout columns() {
    return nodes.columns();
  }

  /** The native plan. Only valid while the binding is reachable. */
  public NativeHandle plan() {
    NativeHandle made = plan;
    return made != null ? made : makePlan();
  }

  private synchronized NativeHandle makePlan() {
    if (plan == null) {
      NativeLibrary.require("the plan of a schema");
      plan = FieldDefaults.plan(schema, nodes.root());
    }
    return plan;
  }

  /**
   * How records of schema {@code writer} become those of this one.
   *
   * @param what has rows of that schema, for an error
   * @throws SchemaException if they can't be read as rows of this one
   */
  public Conversion evolution(Schema writer, String what) {
    return evolutions.of(writer, what);
  }

  /** The binding of a schema that {@link #evolution} knows; null if it does not. */
  public Binding writer(long fingerprint) {
    return evolutions.writer(fingerprint);
  }

  public long fingerprint() {
    return fingerprint;
  }

  /** The writer for the next {@code rows} records. */
  public RecordWriter recordWriter(int rows) {
    return recordWriter.forRows(rows);
  }

  /** Counts the bytes of records that were written. */
  public void countWritten(int bytes) {
    recordWriter.count(bytes);
  }

  /**
   * The reader for the next {@code rows} records; {@code isCounting} if their memory has a limit.
   */
  public RecordReader recordReader(int rows, boolean isCounting) {
    return isCounting ? countingReader : recordReader.forRows(rows);
  }

  /** Counts the bytes of records that were read. */
  public void countRead(int bytes) {
    recordReader.count(bytes);
  }

  /** The reader for the next {@code rows} rows of columns. */
  RowReader reader(int rows) {
    return reader.forRows(rows);
  }
}
