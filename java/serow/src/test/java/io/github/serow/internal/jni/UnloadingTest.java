package io.github.serow.internal.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.serow.Codec;
import io.github.serow.Eventually;
import io.github.serow.Jvm;
import io.github.serow.Schema;
import io.github.serow.SchemaSet;
import io.github.serow.Serow;
import io.github.serow.Tier;
import io.github.serow.Wire;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Class loaders are unloaded after their last use, as when a web application is redeployed. */
@Tag("heavy")
class UnloadingTest {
  /** How the names of the user's classes begin, and those of serow and the user. */
  private static final String USERS = "io.github.serow.internal.jni.U";

  private static final String SEROWS = "io.github.serow.";

  /** Uses of serow in a class loader that should be unloaded. */
  public static final class User {
    private User() {}

    /** A class of the user. */
    public record Part(long key, String name, DayOfWeek day, LocalDate date) {
      /**
       * Replaces the generated method of records, which itself keeps their class loader reachable.
       */
      boolean isLike(Part other) {
        return key == other.key && name.equals(other.name) && date.equals(other.date);
      }
    }

    /** The version of the class before this one. */
    public static final class Older {
      private Older() {}

      /** A class of the user. */
      public record Part(long old, long key, String name, DayOfWeek day, LocalDate date) {}
    }

    /** Writes and reads rows in several ways, with generated classes and with compiled code. */
    public static void run() throws IOException {
      UserKinds.run();
      List<Part> parts = new ArrayList<>();
      for (long i = 0; i < 5000; i++) {
        parts.add(new Part(i, "part " + i % 7, DayOfWeek.MONDAY, LocalDate.EPOCH));
      }
      Codec<Part> codec = Codec.of(Part.class);
      codec.compile();
      List<Part> back = codec.decodeAll(codec.encodeAll(parts));
      for (int i = 0; i < 5000; i++) {
        check(parts.get(i).isLike(back.get(i)));
      }

      check(Serow.loads(Serow.dumps(parts)).size() == parts.size());
      Codec<Object> left = Codec.ofAny(Schema.infer(parts));
      check(left.decodeAll(left.encodeAll(List.copyOf(parts))).size() == parts.size());
      runRecords(parts.get(7));
      runTurns(parts.get(7));
    }

    /** Writes and reads single records, also those of an older version of the class. */
    private static void runRecords(Part part) {
      Codec<Part> codec = Codec.of(Part.class);
      Codec<Older.Part> older = Codec.of(Older.Part.class);
      Codec<Part> both = codec.withSchemas(new SchemaSet().add(older.schema()));
      for (int i = 0; i < 5000; i++) {
        check(both.decode(both.encode(part)).isLike(part));
      }
      Older.Part before = new Older.Part(1, part.key(), part.name(), part.day(), part.date());
      check(both.decode(older.encode(before)).isLike(part));
    }

    /** Uses codecs of several schemas with the user's class in turns. */
    private static void runTurns(Part part) {
      List<Codec<Object[]>> codecs = new ArrayList<>();
      String own = Schema.of(Part.class).toString();
      for (int i = 0; i < 10; i++) {
        codecs.add(Codec.of(Schema.parse("(" + own + ", " + "i64, ".repeat(i) + "str)")));
      }
      for (int i = 0; i < 1000; i++) {
        Object[] row = new Object[2 + i % 10];
        Arrays.fill(row, 1L);
        row[0] = part;
        row[row.length - 1] = "text";
        Codec<Object[]> codec = codecs.get(i % 10);
        check(codec.decodeAll(codec.encodeAll(List.<Object[]>of(row))).size() == 1);
      }
    }

    /** Writes and reads rows and records without native code. */
    public static void runInJava() throws IOException {
      UserKinds.run();
      List<Part> parts = new ArrayList<>();
      for (long i = 0; i < 5000; i++) {
        parts.add(new Part(i, "part " + i % 7, DayOfWeek.MONDAY, LocalDate.EPOCH));
      }
      Codec<Part> codec = Codec.of(Part.class).withWire(Wire.ROW);
      check(codec.tier() == Tier.JAVA);
      check(codec.decodeAll(codec.encodeAll(parts)).get(4999).isLike(parts.get(4999)));
      check(codec.decode(codec.encode(parts.get(7))).isLike(parts.get(7)));

      check(Serow.loads(Serow.dumps(parts, Wire.ROW)).size() == parts.size());
    }

    private static void check(boolean isTrue) {
      if (!isTrue) {
        throw new AssertionError();
      }
    }
  }

  /** Loads classes with some names itself, and delegates others to its parent. */
  private static final class Child extends URLClassLoader {
    private final String prefix;

    Child(List<String> classPath, String prefix, ClassLoader parent) throws IOException {
      super(urls(classPath), parent);
      this.prefix = prefix;
    }

    private static URL[] urls(List<String> classPath) throws IOException {
      List<URL> urls = new ArrayList<>();
      for (String place : classPath) {
        urls.add(Path.of(place).toUri().toURL());
      }
      return urls.toArray(URL[]::new);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded == null && name.startsWith(prefix)) {
          loaded = findClass(name);
        }
        return loaded == null ? super.loadClass(name, resolve) : loaded;
      }
    }
  }

  /** Uses serow in a child loader several times, and tells whether all loaders were unloaded. */
  public static final class Program {
    private Program() {}

    /**
     * Three arguments for each use: how the names of the classes begin that the child loads itself;
     * a method of User; the number of mapped copies of the library to wait for.
     */
    public static void main(String[] arguments) throws Exception {
      for (int i = 0; i < arguments.length; i += 3) {
        use(arguments[i], arguments[i + 1], Long.parseLong(arguments[i + 2]));
      }
    }

    private static void use(String prefix, String method, long left) throws Exception {
      List<String> classPath =
          List.of(System.getProperty("java.class.path").split(File.pathSeparator));
      List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        loaders.add(use(classPath, prefix, method));
      }
      boolean areGone =
          Eventually.holdsAfterCollections(
              () -> loaders.stream().allMatch(loader -> loader.get() == null));
      System.out.println(areGone ? "gone" : "left");
      // The JVM unloads the library some time after the last class.
      Eventually.holdsAfterCollections(() -> libraries() == left);
      System.out.println(libraries());
    }

    private static WeakReference<ClassLoader> use(
        List<String> classPath, String prefix, String method) throws Exception {
      Child child = new Child(classPath, prefix, Program.class.getClassLoader());
      child.loadClass(User.class.getName()).getMethod(method).invoke(null);
      return new WeakReference<>(child);
    }

    /** The number of mapped copies of the library, counted by their executable parts. */
    private static long libraries() throws IOException {
      try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
        return mappings
            .filter(line -> line.contains("libserow_jvm") && line.contains("r-xp"))
            .count();
      }
    }
  }

  private static final List<String> USERS_LOADER = List.of(USERS, "run", "1");
  private static final List<String> SEROWS_LOADER = List.of(SEROWS, "run", "0");

  @ParameterizedTest
  @ValueSource(strings = {"jit", "interpreter"})
  void theLoadersGoWithTheLibrary(String tier) throws Exception {
    assertEquals(
        List.of("gone", "0", "gone", "1"), lines(tier, List.of(SEROWS_LOADER, USERS_LOADER)));
  }

  @Test
  void theLoaderOfSerowGoesWithoutALibrary() throws Exception {
    Jvm jvm = new Jvm(List.of("-Xmx512m", "-Dserow.native=off"), Map.of());
    assertEquals(List.of("gone", "0"), jvm.run(Program.class, SEROWS, "runInJava", "0").lines());
  }

  private static List<String> lines(String tier, List<List<String>> uses) throws Exception {
    return new Jvm(List.of("-Xmx512m"), Map.of("SEROW_TIER", tier))
        .run(Program.class, uses.stream().flatMap(List::stream).toArray(String[]::new))
        .lines();
  }
}
