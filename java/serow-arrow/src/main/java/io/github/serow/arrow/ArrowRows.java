package io.github.serow.arrow;

import io.github.serow.Codec;
import io.github.serow.DecodeException;
import io.github.serow.EncodeException;
import io.github.serow.LimitException;
import io.github.serow.SchemaException;
import io.github.serow.internal.cdata.ColumnStreams;
import io.github.serow.internal.cdata.GivenBatches;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Makes Apache Arrow's columns of rows and of messages, and rows and messages of columns. {@code
 * docs/arrow.md} has the table of types.
 *
 * <pre>{@code
 * record Part(long key, String name) {}
 *
 * try (BufferAllocator allocator = new RootAllocator()) {
 *   ArrowRows<Part> parts = ArrowRows.of(Codec.of(Part.class), allocator);
 *   try (ArrowReader reader = parts.toArrow(List.of(new Part(1, "almond")))) {
 *     List<Part> back = parts.fromArrow(reader);
 *   }
 * }
 * }</pre>
 *
 * <p>The vectors cross the border to native code by Arrow's C data interface, without a copy. A
 * {@link VectorSchemaRoot} and a reader stay the caller's: serow keeps none of their memory after a
 * call, and does not close them. A reader that serow returns must be closed by the caller; its
 * vectors have native memory, which the allocator counts.
 *
 * <p>It is immutable and thread-safe, as far as the allocator is. Arrow's memory needs the option
 * {@code --add-opens=java.base/java.nio=ALL-UNNAMED} of the JVM. serow needs its native library. A
 * null argument is a {@link NullPointerException} that names the argument.
 *
 * @param <T> the class of a row
 */
public final class ArrowRows<T> {
  private static final int MOST_ROWS = 65_536;

  /** Null for rows of any schema. */
  private final Codec<T> codec;

  private final BufferAllocator allocator;
  private final int batchRows;

  /** Null if there are none besides those of a reader. */
  private final DictionaryProvider dictionaries;

  private ArrowRows(
      Codec<T> codec, BufferAllocator allocator, int batchRows, DictionaryProvider dictionaries) {
    this.codec = codec;
    this.allocator = Objects.requireNonNull(allocator, "allocator");
    this.batchRows = batchRows;
    this.dictionaries = dictionaries;
  }

  /**
   * Rows of a codec's schema. The codec's wire and compression are those of the messages, and its
   * limit of memory is one for what is decoded.
   *
   * @param <T> the class of a row
   * @param codec the codec, which must stay open
   * @param allocator the allocator of vectors that are made, and of what native code is told of
   *     others
   * @return the rows
   */
  public static <T> ArrowRows<T> of(Codec<T> codec, BufferAllocator allocator) {
    return new ArrowRows<>(Objects.requireNonNull(codec, "codec"), allocator, MOST_ROWS, null);
  }

  /**
   * Rows of any schema, as {@link io.github.serow.Serow} takes and gives them: a map for each row
   * of columns, unless the columns say that the rows were something else.
   *
   * @param allocator the allocator of vectors that are made, and of what native code is told of
   *     others
   * @return the rows
   */
  public static ArrowRows<Object> ofAny(BufferAllocator allocator) {
    return new ArrowRows<>(null, allocator, MOST_ROWS, null);
  }

  /**
   * Limits the rows of the batches that {@link #toArrow} and {@link #decode} make. Without this
   * they have at most 65,536 rows, and fewer if the rows take more than about 16 MiB.
   *
   * @param rows the most rows of a batch; more than 65,536 are as many
   * @return rows with this limit
   * @throws IllegalArgumentException if the number is less than 1
   */
  public ArrowRows<T> withBatchRows(int rows) {
    if (rows < 1) {
      throw new IllegalArgumentException("a batch must have 1 row or more, not " + rows);
    }
    return new ArrowRows<>(codec, allocator, Math.min(rows, MOST_ROWS), dictionaries);
  }

  /**
   * Gives the dictionaries of a {@link VectorSchemaRoot} that has vectors with indices of
   * dictionaries. A reader has its own.
   *
   * @param dictionaries the dictionaries
   * @return rows with these dictionaries
   */
  public ArrowRows<T> withDictionaries(DictionaryProvider dictionaries) {
    Objects.requireNonNull(dictionaries, "dictionaries");
    return new ArrowRows<>(codec, allocator, batchRows, dictionaries);
  }

  /**
   * Makes columns of rows. The columns fit all rows: a column of decimals has the scale of its
   * values, if they have one, and so on.
   *
   * @param rows the rows; may be empty
   * @return a reader of the batches, which the caller must close
   * @throws EncodeException if a row does not fit the schema or, without a codec, has no type
   * @throws LimitException if the rows take more than 2 GiB as a message
   * @throws SchemaException if a name can't be that of a column
   */
  public ArrowReader toArrow(List<? extends T> rows) {
    return imported(stream -> ColumnStreams.ofRows(codec, rows, batchRows, stream));
  }

  /**
   * Makes rows of columns: objects of the codec's class, whose fields are matched by name as {@link
   * Codec#decode} matches them. Rows that are tuples have the columns in their order.
   *
   * @param batches the batches that follow in this reader, all of which are read
   * @return the rows, in a list that may be modified
   * @throws SchemaException if a column has a type that serow lacks, or one that can't be converted
   *     to the codec's; it names the column
   * @throws DecodeException if a value is not of its type, or a row can't be an object of the class
   * @throws LimitException if the rows take more memory than {@link Codec#withMaxMemory} allows
   * @throws IOException if the reader can't read
   */
  public List<T> fromArrow(ArrowReader batches) throws IOException {
    Objects.requireNonNull(batches, "batches");
    ArrayList<Object> rows = new ArrayList<>();
    VectorSchemaRoot root = batches.getVectorSchemaRoot();
    try (GivenBatches given = open(root.getSchema(), batches)) {
      while (batches.loadNextBatch()) {
        add(given, root, batches);
        given.readRows(rows);
      }
    }
    return rows(rows);
  }

  /**
   * Makes rows of the columns of one batch, as {@link #fromArrow(ArrowReader)} does.
   *
   * @param batch the batch
   * @return the rows, in a list that may be modified
   * @throws SchemaException if a column has a type that serow lacks, or one that can't be converted
   *     to the codec's; it names the column
   * @throws DecodeException if a value is not of its type, or a row can't be an object of the class
   * @throws LimitException if the rows take more memory than {@link Codec#withMaxMemory} allows
   */
  public List<T> fromArrow(VectorSchemaRoot batch) {
    Objects.requireNonNull(batch, "batch");
    ArrayList<Object> rows = new ArrayList<>();
    try (GivenBatches given = open(batch.getSchema(), dictionaries)) {
      add(given, batch, dictionaries);
      given.readRows(rows);
    }
    return rows(rows);
  }

  /**
   * Makes a message of columns, without making rows. It has the codec's schema, or without a codec
   * that of the columns. Each field must have a column, and each column a field.
   *
   * @param batches the batches that follow in this reader, all of which are read
   * @return the message
   * @throws SchemaException if a column has a type that serow lacks, or the columns are not those
   *     of the codec's schema; it names the column or the field
   * @throws EncodeException if a set has an element twice, or a map a key
   * @throws DecodeException if a value is not of the type that its column has
   * @throws LimitException if the message exceeds 2 GiB
   * @throws IOException if the reader can't read
   */
  public byte[] encode(ArrowReader batches) throws IOException {
    Objects.requireNonNull(batches, "batches");
    VectorSchemaRoot root = batches.getVectorSchemaRoot();
    try (GivenBatches given = open(root.getSchema(), batches)) {
      while (batches.loadNextBatch()) {
        add(given, root, batches);
      }
      return given.message();
    }
  }

  /**
   * Makes a message of the columns of one batch, as {@link #encode(ArrowReader)} does.
   *
   * @param batch the batch
   * @return the message
   * @throws SchemaException if a column has a type that serow lacks, or the columns are not those
   *     of the codec's schema; it names the column or the field
   * @throws EncodeException if a set has an element twice, or a map a key
   * @throws DecodeException if a value is not of the type that its column has
   * @throws LimitException if the message exceeds 2 GiB
   */
  public byte[] encode(VectorSchemaRoot batch) {
    Objects.requireNonNull(batch, "batch");
    try (GivenBatches given = open(batch.getSchema(), dictionaries)) {
      add(given, batch, dictionaries);
      return given.message();
    }
  }

  /**
   * Makes columns of a message, without making rows. They have the codec's schema, to which rows of
   * other schemas are converted as {@link Codec#decode} does. Without a codec they have the schema
   * of the message, all of whose frames must have one.
   *
   * @param message a whole message
   * @return a reader of the batches, which the caller must close
   * @throws DecodeException if the bytes are not a whole message
   * @throws LimitException if the vectors take more memory than {@link Codec#withMaxMemory} allows
   * @throws SchemaException if rows of the message's schema can't be converted, or a name can't be
   *     that of a column
   */
  public ArrowReader decode(byte[] message) {
    Objects.requireNonNull(message, "message");
    return imported(stream -> ColumnStreams.ofMessage(codec, message, batchRows, stream));
  }

  /** Imports the stream that {@code write} writes at an address. */
  private ArrowReader imported(LongConsumer write) {
    try (ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      write.accept(stream.memoryAddress());
      try {
        return Data.importArrayStream(allocator, stream);
      } catch (Throwable e) {
        if (stream.snapshot().release != 0) {
          stream.release();
        }
        throw e;
      }
    }
  }

  private GivenBatches open(Schema schema, DictionaryProvider dictionaries) {
    checkDictionaries(schema.getFields(), dictionaries);
    try (ArrowSchema exported = ArrowSchema.allocateNew(allocator)) {
      try {
        Data.exportSchema(allocator, schema, dictionaries, exported);
        return new GivenBatches(codec, exported.memoryAddress());
      } finally {
        if (exported.snapshot().release != 0) {
          exported.release();
        }
      }
    }
  }

  private static void checkDictionaries(List<Field> fields, DictionaryProvider dictionaries) {
    for (Field field : fields) {
      DictionaryEncoding encoding = field.getDictionary();
      if (encoding != null
          && (dictionaries == null || dictionaries.lookup(encoding.getId()) == null)) {
        throw new SchemaException(
            "column "
                + field.getName()
                + " has indices of the dictionary "
                + encoding.getId()
                + ", which is missing; give the dictionaries to withDictionaries");
      }
      checkDictionaries(field.getChildren(), dictionaries);
    }
  }

  private void add(GivenBatches given, VectorSchemaRoot root, DictionaryProvider dictionaries) {
    if (root.getRowCount() == 0) {
      return;
    }
    try (ArrowArray exported = ArrowArray.allocateNew(allocator)) {
      try {
        Data.exportVectorSchemaRoot(allocator, root, dictionaries, exported);
        given.add(exported.memoryAddress());
      } finally {
        if (exported.snapshot().release != 0) {
          exported.release();
        }
      }
    }
  }

  /** Sound: the factory methods guarantee that all rows are {@code T} or null. */
  @SuppressWarnings("unchecked")
  private List<T> rows(List<Object> rows) {
    return (List<T>) rows;
  }
}
