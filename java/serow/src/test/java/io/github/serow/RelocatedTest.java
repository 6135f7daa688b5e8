package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** Serow's classes in another package, where maven-shade-plugin moves them if a program says so. */
class RelocatedTest {
  private static final String OWN = "io/github/serow/";
  private static final String OTHER = "shaded/serow/";

  sealed interface Shape {
    record Circle(double radius) implements Shape {}

    record Square(int side) implements Shape {}
  }

  record Part(long key, String name, Optional<Shape> shape, Map<String, List<Integer>> sizes) {}

  /** What a program does with the classes that were moved. */
  public static final class Program implements Callable<List<String>> {
    @Override
    public List<String> call() {
      Part part = new Part(7, "\u7f9a", Optional.of(new Shape.Square(2)), Map.of("a", List.of(1)));
      List<Part> parts = Collections.nCopies(5000, part); // Enough for generated classes.
      Codec<Part> codec = Codec.of(Part.class).withWire(Wire.ROW);
      List<String> said = new ArrayList<>();
      said.add(codec.getClass().getName());
      said.add("" + codec.decodeAll(codec.encodeAll(parts)).equals(parts));
      said.add("" + codec.decode(codec.encode(part)).equals(part));
      said.add("" + Serow.loads(Serow.dumps(List.of("a", 1L))));
      try {
        Codec<Part> ofFrames = Codec.of(Part.class).withWire(Wire.FRAME);
        said.add("" + ofFrames.decodeAll(ofFrames.encodeAll(parts)).equals(parts));
        codec.decodeAll(Codec.of(Schema.parse("(i64,)")).encodeAll(List.of(new Object[][] {{1L}})));
      } catch (SerowException e) {
        said.add(e.getClass().getName() + ": " + e.getMessage());
      }
      return said;
    }
  }

  /** Moves names of classes and of resources, also in strings, as the plugin does. */
  private static final class Move extends Remapper {
    private final Predicate<String> stays;

    /** {@code stays}: which names of classes stay. */
    Move(Predicate<String> stays) {
      super(Opcodes.ASM9);
      this.stays = stays;
    }

    @Override
    public String map(String name) {
      return name.startsWith(OWN) && !stays.test(name)
          ? OTHER + name.substring(OWN.length())
          : name;
    }

    @Override
    public Object mapValue(Object value) {
      return value instanceof String text ? map(text) : super.mapValue(value);
    }
  }

  /**
   * Has serow's classes, and those of this test, as the plugin leaves them, and no others of it.
   */
  private static final class Loader extends ClassLoader {
    private final Move move;

    Loader(Predicate<String> stays) {
      super(RelocatedTest.class.getClassLoader());
      move = new Move(stays);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      String path = name.replace('.', '/');
      if (!path.startsWith(OTHER) && !path.startsWith(OWN)) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known != null ? known : define(name, path.replace(OTHER, OWN));
      }
    }

    private Class<?> define(String name, String from) throws ClassNotFoundException {
      if (!move.map(from).equals(name.replace('.', '/'))) {
        throw new ClassNotFoundException(name + " was moved");
      }
      try (InputStream bytes = getParent().getResourceAsStream(from + ".class")) {
        if (bytes == null) {
          throw new ClassNotFoundException(name);
        }
        ClassWriter writer = new ClassWriter(0);
        new ClassReader(bytes).accept(new ClassRemapper(writer, move), 0);
        byte[] moved = writer.toByteArray();
        return defineClass(name, moved, 0, moved.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    protected URL findResource(String name) {
      return getParent().getResource(name.replace(OTHER, OWN));
    }
  }

  private static Object run(Predicate<String> stays) throws Exception {
    Class<?> program = new Loader(stays).loadClass("shaded.serow.RelocatedTest$Program");
    return ((Callable<?>) program.getDeclaredConstructor().newInstance()).call();
  }

  @Test
  void classesInAnotherPackageWorkInJavaAlone() throws Exception {
    assertEquals(
        List.of(
            "shaded.serow.Codec",
            "true",
            "true",
            "[a, 1]",
            "shaded.serow.SerowException: the frame wire needs serow's native library, which is not"
                + " loaded: the native library has no methods for shaded.serow.internal.jni.Native: a tool"
                + " has moved serow's classes to another package, and must leave some where they"
                + " are; docs/jvm.md says which. The row wire (Wire.ROW) works without it"),
        run(name -> false));
  }

  /** The page on the JVM has these names as patterns of the plugin. */
  @Test
  void theyUseTheNativeLibraryIfWhatItNamesStays() throws Exception {
    Pattern patterns = Pattern.compile(OWN + "(internal/jni/.*|[^/]*Exception)");
    assertEquals(
        List.of(
            "shaded.serow.Codec",
            "true",
            "true",
            "[a, 1]",
            "true",
            "io.github.serow.SchemaException: frame 0 has rows of schema (i64,), but the codec is"
                + " for Part{key: i64, name: str?, shape: (Circle{radius: f64}|Square{side: i64})?,"
                + " sizes: {str: [i64]}?}: a row: a tuple of 1 fields can't be read as record Part;"
                + " declare a type that fits, or read the rows as they are, without one"),
        run(name -> patterns.matcher(name).matches()));
  }
}
