package io.github.serow.bench;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import io.github.serow.Codec;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;

/**
 * What serializers cost before the JVM has compiled them, in a fresh process: {@code WarmUp first
 * serow|jackson}, or {@code WarmUp turns serow|kryo classes calls}. It prints the CPU time of all
 * threads in nanoseconds, without the start of the JVM.
 *
 * <p>{@code benches/suite/startup.py} starts it, and makes the classes {@code Row0}, {@code Row1}
 * and so on.
 */
public final class WarmUp {
  private static final OperatingSystemMXBean SYSTEM =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private WarmUp() {}

  /** The only class of a small program. */
  public record First(
      long id, String name, double price, int size, boolean isOpen, String remarks) {}

  /** A serializer of one class. */
  private interface Pair {
    byte[] encode(Object row);

    Object decode(byte[] bytes);
  }

  /** Measures one serializer. */
  public static void main(String[] arguments) throws Exception {
    boolean isFirst = arguments[0].equals("first");
    Object[] rows = isFirst ? null : rows(Integer.parseInt(arguments[2]));
    long begin = SYSTEM.getProcessCpuTime();
    if (isFirst) {
      first(arguments[1]);
    } else {
      turns(arguments[1], rows, Integer.parseInt(arguments[3]));
    }
    System.out.println(SYSTEM.getProcessCpuTime() - begin);
  }

  /** Makes a serializer and encodes one object. */
  private static void first(String name) throws Exception {
    First row = new First(1, "first", 2.5, 3, true, "none");
    byte[] bytes =
        switch (name) {
          case "serow" -> Codec.of(First.class).encode(row);
          case "jackson" -> new ObjectMapper().writeValueAsBytes(row);
          default -> throw new IllegalArgumentException(name);
        };
    if (bytes.length == 0) {
      throw new IllegalStateException(name + " has written nothing");
    }
  }

  /** Encodes and decodes an object of each class, one after another, as often as that. */
  private static void turns(String name, Object[] rows, int calls) {
    Function<Class<?>, Pair> maker = name.equals("serow") ? WarmUp::serow : kryo();
    Pair[] pairs = Arrays.stream(rows).map(Object::getClass).map(maker).toArray(Pair[]::new);
    for (int call = 0; call < calls; call++) {
      for (int i = 0; i < rows.length; i++) {
        if (pairs[i].decode(pairs[i].encode(rows[i])).getClass() != rows[i].getClass()) {
          throw new IllegalStateException("an object of another class came back");
        }
      }
    }
  }

  private static <T> Pair serow(Class<T> type) {
    Codec<T> codec = Codec.of(type);
    return new Pair() {
      @Override
      public byte[] encode(Object row) {
        return codec.encode(type.cast(row));
      }

      @Override
      public Object decode(byte[] bytes) {
        return codec.decode(bytes);
      }
    };
  }

  private static Function<Class<?>, Pair> kryo() {
    Kryo kryo = new Kryo();
    kryo.setReferences(false);
    Output output = new Output(1 << 10, -1);
    return type -> {
      kryo.register(type);
      return new Pair() {
        @Override
        public byte[] encode(Object row) {
          output.reset();
          kryo.writeObject(output, row);
          return output.toBytes();
        }

        @Override
        public Object decode(byte[] bytes) {
          return kryo.readObject(new Input(bytes), type);
        }
      };
    };
  }

  /** An object of each of the classes. */
  private static Object[] rows(int classes) throws ReflectiveOperationException {
    Random random = new Random(classes);
    Object[] rows = new Object[classes];
    for (int i = 0; i < classes; i++) {
      var constructor = Class.forName("Row" + i).getConstructors()[0];
      Object[] values =
          Arrays.stream(constructor.getParameterTypes()).map(type -> value(type, random)).toArray();
      rows[i] = constructor.newInstance(values);
    }
    return rows;
  }

  private static Object value(Class<?> type, Random random) {
    return switch (type.getSimpleName()) {
      case "int" -> random.nextInt();
      case "long" -> random.nextLong();
      case "double" -> random.nextDouble();
      case "boolean" -> random.nextBoolean();
      default -> "text " + random.nextInt();
    };
  }
}
