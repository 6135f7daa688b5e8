package io.github.serow.spark.rdd;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Output;
import io.github.serow.spark.Unchecked;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.apache.spark.util.ByteBufferInputStream;
import scala.reflect.ClassTag;

/** What one thread serializes with. Its streams may be used in turns. */
public final class SerowInstance extends SerializerInstance {
  private final KryoSerializer serializer;
  private final Kryos kryos;
  private final InstanceRows rows;

  /** For {@link #serializeWithKryo}; {@code null} until it is needed, and while it is in use. */
  private Output output;

  /**
   * Creates an instance for the classes that {@code loader} finds.
   *
   * @param unsafe whether Kryo reads and writes memory without checks
   * @param pooled whether Kryos come from the pool of {@code serializer}
   */
  public SerowInstance(
      KryoSerializer serializer,
      RowSettings settings,
      boolean unsafe,
      boolean pooled,
      ClassLoader loader) {
    this.serializer = serializer;
    kryos = new Kryos(serializer, settings, unsafe, pooled);
    rows = new InstanceRows(settings, loader);
  }

  /**
   * The object as one block, or as those of a long array, in an array of exactly this size, as
   * Spark expects.
   */
  @Override
  public <T> ByteBuffer serialize(T object, ClassTag<T> tag) {
    if (rows.beginArray(object)) {
      ByteArrayOutputStream blocks = new ByteArrayOutputStream();
      SerializationStream stream = serializeStream(blocks);
      try {
        stream.writeObject(object, tag);
      } finally {
        stream.close();
      }
      return ByteBuffer.wrap(blocks.toByteArray());
    }
    if (rows.writeObject(object)) {
      return ByteBuffer.wrap(RowBlock.ofOne(rows, BlockHeader.ROWS, 1));
    }
    return serializeWithKryo(object, tag);
  }

  private <T> ByteBuffer serializeWithKryo(T object, ClassTag<T> tag) {
    Output to = output != null ? output : serializer.newKryoOutput();
    output = null;
    to.clear();
    to.setPosition(BlockHeader.ROOM);
    Kryo kryo = kryos.take();
    try {
      kryo.writeClassAndObject(to, object);
    } catch (Throwable error) {
      kryo.reset();
      if (isOverflow(error)) {
        return tooLarge(object, tag);
      }
      throw error;
    } finally {
      kryos.give(kryo);
      output = to;
    }
    return block(to.getBuffer(), to.position());
  }

  /** Turns the bytes behind the room for a header into a block. */
  private static ByteBuffer block(byte[] bytes, int end) {
    int from = BlockHeader.put(bytes, BlockHeader.KRYO, end - BlockHeader.ROOM, 1);
    return ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, end));
  }

  private static boolean isOverflow(Throwable error) {
    return error instanceof KryoException
        && error.getMessage() != null
        && error.getMessage().startsWith("Buffer overflow");
  }

  /** Lets Spark raise its own error, which says which setting to change. */
  private <T> ByteBuffer tooLarge(T object, ClassTag<T> tag) {
    ByteBuffer bytes = serializer.newInstance().serialize(object, tag);
    // The object alone is not too large, only with the room for the header.
    byte[] block = new byte[BlockHeader.ROOM + bytes.remaining()];
    bytes.get(block, BlockHeader.ROOM, bytes.remaining());
    return block(block, block.length);
  }

  @Override
  public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
    return read(bytes, kryos, rows);
  }

  @Override
  public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
    InstanceRows found = rows.loader() == loader ? rows : rows.ofLoader(loader);
    return read(bytes, kryos.ofLoader(loader), found);
  }

  @SuppressWarnings("unchecked")
  private static <T> T read(ByteBuffer bytes, Kryos kryos, InstanceRows rows) {
    try {
      BlockObjects objects = new BlockObjects(kryos, rows, source(bytes));
      if (!objects.hasNext()) {
        throw new IOException("there are no bytes to deserialize");
      }
      return (T) objects.next();
    } catch (IOException error) {
      throw Unchecked.unchanged(error);
    }
  }

  private static BlockSource source(ByteBuffer bytes) {
    if (!bytes.hasArray()) {
      return new BlockSource(new ByteBufferInputStream(bytes.duplicate()));
    }
    int from = bytes.arrayOffset() + bytes.position();
    return new BlockSource(bytes.array(), from, from + bytes.remaining());
  }

  @Override
  public SerializationStream serializeStream(OutputStream target) {
    return new BlockWriter(kryos, rows, target);
  }

  @Override
  public DeserializationStream deserializeStream(InputStream source) {
    return new BlockReader(kryos, rows, source);
  }
}
