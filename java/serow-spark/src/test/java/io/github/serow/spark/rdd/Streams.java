package io.github.serow.spark.rdd;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoSerializable;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.github.serow.spark.SerowSerializer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import scala.collection.Iterator;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** What the tests of the serializer share. */
final class Streams {
  static final ClassTag<Object> ANY = ClassTag$.MODULE$.Any();

  private Streams() {}

  /** A value in an object that writes itself, so that Kryo keeps it. */
  static final class ForKryo implements KryoSerializable {
    private Object value;

    ForKryo(Object value) {
      this.value = value;
    }

    @Override
    public void write(Kryo kryo, Output output) {
      kryo.writeClassAndObject(output, value);
    }

    @Override
    public void read(Kryo kryo, Input input) {
      value = kryo.readClassAndObject(input);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ForKryo that && Objects.deepEquals(value, that.value);
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(value);
    }

    @Override
    public String toString() {
      return "ForKryo(" + value + ")";
    }
  }

  /** An instance with these settings: names and values in turns. */
  static SerializerInstance instance(String... settings) {
    return serializer(settings).newInstance();
  }

  static SerowSerializer serializer(String... settings) {
    return new SerowSerializer(conf(settings));
  }

  static SparkConf conf(String... settings) {
    SparkConf conf = new SparkConf(false);
    for (int i = 0; i < settings.length; i += 2) {
      conf.set(settings[i], settings[i + 1]);
    }
    return conf;
  }

  static byte[] write(SerializerInstance instance, Object... objects) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SerializationStream stream = instance.serializeStream(bytes);
    for (Object each : objects) {
      stream.writeObject(each, ANY);
    }
    stream.close();
    return bytes.toByteArray();
  }

  static List<Object> read(SerializerInstance instance, byte[] bytes) {
    return read(instance, new ByteArrayInputStream(bytes));
  }

  static List<Object> read(SerializerInstance instance, InputStream bytes) {
    List<Object> objects = new ArrayList<>();
    Iterator<Object> each = instance.deserializeStream(bytes).asIterator();
    while (each.hasNext()) {
      objects.add(each.next());
    }
    return objects;
  }

  static Object readObject(DeserializationStream stream) {
    return stream.readObject(ANY);
  }

  static byte[] join(List<byte[]> parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts.forEach(all::writeBytes);
    return all.toByteArray();
  }

  /** Gives one byte in each call, as a stream may. */
  static InputStream byteByByte(byte[] bytes) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] into, int offset, int most) {
        return super.read(into, offset, Math.min(1, most));
      }
    };
  }
}
