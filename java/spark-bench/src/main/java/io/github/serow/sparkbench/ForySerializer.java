package io.github.serow.sparkbench;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.fory.Fory;
import org.apache.fory.ThreadSafeFory;
import org.apache.fory.memory.MemoryBuffer;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;

/**
 * Apache Fory as a serializer of Spark. Fory has none of its own, so this one is ours: each object
 * becomes a message of Fory with its length before it.
 *
 * <p>Fory generates code, keeps references as Kryo does in Spark, and registers the classes that
 * {@code spark.kryo.classesToRegister} names. It may also write other classes, by name.
 */
public final class ForySerializer extends Serializer implements Serializable {
  private static final long serialVersionUID = 1;

  /** Making a Fory generates classes, so all serializers of a JVM share one for each thread. */
  private static final Map<String, ThreadSafeFory> SHARED = new ConcurrentHashMap<>();

  private final String registered;

  /** Spark calls this with the configuration of the application. */
  public ForySerializer(SparkConf conf) {
    registered = conf.get("spark.kryo.classesToRegister", "");
  }

  @Override
  public SerializerInstance newInstance() {
    return new Instance(SHARED.computeIfAbsent(registered, ForySerializer::make));
  }

  /** Messages hold no references to each other, so Spark may reorder them. */
  @Override
  public boolean supportsRelocationOfSerializedObjects() {
    return true;
  }

  private static ThreadSafeFory make(String registered) {
    ThreadSafeFory fory =
        Fory.builder()
            .withXlang(false)
            .withRefTracking(true)
            .withCompatible(false)
            .withCodegen(true)
            .withAsyncCompilation(false)
            .requireClassRegistration(false)
            .suppressClassRegistrationWarnings(true)
            .buildThreadLocalFory();
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    for (String name : registered.split(",")) {
      if (!name.isEmpty()) {
        try {
          fory.register(Class.forName(name, false, loader));
        } catch (ClassNotFoundException error) {
          throw new IllegalArgumentException(error);
        }
      }
    }
    return fory;
  }

  private static final class Instance extends SerializerInstance {
    private final ThreadSafeFory fory;

    Instance(ThreadSafeFory fory) {
      this.fory = fory;
    }

    @Override
    public <T> ByteBuffer serialize(T object, ClassTag<T> tag) {
      return ByteBuffer.wrap(fory.serialize(object));
    }

    @Override
    @SuppressWarnings("unchecked") // Spark asks for what it wrote
    public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
      byte[] message = new byte[bytes.remaining()];
      bytes.get(message);
      return (T) fory.deserialize(message);
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
      return deserialize(bytes, tag);
    }

    @Override
    public SerializationStream serializeStream(OutputStream out) {
      return new Writer(fory, out);
    }

    @Override
    public DeserializationStream deserializeStream(InputStream in) {
      return new Reader(fory, in);
    }
  }

  private static final class Writer extends SerializationStream {
    private static final int ENOUGH = 1 << 15;

    private final ThreadSafeFory fory;
    private final OutputStream out;
    private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(1 << 10);

    Writer(ThreadSafeFory fory, OutputStream out) {
      this.fory = fory;
      this.out = out;
    }

    @Override
    public <T> SerializationStream writeObject(T object, ClassTag<T> tag) {
      int begin = buffer.writerIndex();
      buffer.writeInt32(0);
      fory.serialize(buffer, object);
      buffer.putInt32(begin, buffer.writerIndex() - begin - Integer.BYTES);
      if (buffer.writerIndex() >= ENOUGH) {
        drain();
      }
      return this;
    }

    @Override
    public void flush() {
      drain();
      try {
        out.flush();
      } catch (IOException error) {
        throw ForySerializer.<RuntimeException>unchanged(error);
      }
    }

    @Override
    public void close() {
      drain();
      try {
        out.close();
      } catch (IOException error) {
        throw ForySerializer.<RuntimeException>unchanged(error);
      }
    }

    private void drain() {
      try {
        out.write(buffer.getHeapMemory(), 0, buffer.writerIndex());
      } catch (IOException error) {
        throw ForySerializer.<RuntimeException>unchanged(error);
      }
      buffer.writerIndex(0);
    }
  }

  private static final class Reader extends DeserializationStream {
    private final ThreadSafeFory fory;
    private final DataInputStream in;
    private final byte[] length = new byte[Integer.BYTES];
    private byte[] message = new byte[1 << 10];

    Reader(ThreadSafeFory fory, InputStream in) {
      this.fory = fory;
      this.in = new DataInputStream(new BufferedInputStream(in));
    }

    @Override
    @SuppressWarnings("unchecked") // Spark asks for what it wrote
    public <T> T readObject(ClassTag<T> tag) {
      try {
        in.readFully(length);
        int size = MemoryBuffer.fromByteArray(length).readInt32();
        if (size > message.length) {
          message = Arrays.copyOf(message, Math.max(size, 2 * message.length));
        }
        in.readFully(message, 0, size);
        return (T) fory.deserialize(MemoryBuffer.fromByteArray(message, 0, size));
      } catch (IOException error) {
        throw ForySerializer.<RuntimeException>unchanged(error);
      }
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException error) {
        throw ForySerializer.<RuntimeException>unchanged(error);
      }
    }
  }

  /** Throws {@code error} itself: Scala's methods declare none, and Spark expects these. */
  @SuppressWarnings("unchecked") // the type is not checked: that is the purpose
  private static <E extends Throwable> RuntimeException unchanged(Throwable error) throws E {
    throw (E) error;
  }
}
