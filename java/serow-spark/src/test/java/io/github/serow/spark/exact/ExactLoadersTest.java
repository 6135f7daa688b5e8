package io.github.serow.spark.exact;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Classes with one name in several loaders, and loaders that are no longer used. */
class ExactLoadersTest {
  /** How long the garbage collector may take, after which only a broken program fails. */
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** A class that each loader has. */
  public static final class Part {
    public final int key;

    public Part(int key) {
      this.key = key;
    }
  }

  /** Loads a class of its own for a name. */
  private static final class Own extends ClassLoader {
    Own() {
      super(ExactLoadersTest.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
      if (!name.equals(Part.class.getName())) {
        return super.loadClass(name, isResolved);
      }
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] code = bytes.readAllBytes();
        return defineClass(name, code, 0, code.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }

    Object part(int key) throws ReflectiveOperationException {
      return loadClass(Part.class.getName()).getConstructor(int.class).newInstance(key);
    }
  }

  private static byte[] use(LoaderRows all, Own loader) throws Exception {
    ExactRows rows = all.of(loader);
    ExactLayout layout = rows.layoutOf(loader.part(7));
    RecordOut out = new RecordOut();
    for (int i = 0; i < 3_000; i++) {
      Object row = loader.part(i);
      int end = layout.write(row, out, 0);
      assertSame(row.getClass(), layout.read(new RecordIn(out.bytes, 0, end)).getClass());
    }
    return layout.bytes();
  }

  @Test
  void eachLoaderHasItsOwnClasses() throws Exception {
    LoaderRows all = new LoaderRows(AllClasses::new);
    Own first = new Own();
    Own second = new Own();
    byte[] bytes = use(all, first);
    ExactLayout ofSecond = all.of(second).parse(bytes, 0, bytes.length);
    assertNotSame(all.of(first).parse(bytes, 0, bytes.length), ofSecond);
    RecordOut out = new RecordOut();
    int end = ofSecond.write(second.part(5), out, 0);
    Object back = ofSecond.read(new RecordIn(out.bytes, 0, end));
    assertSame(second, back.getClass().getClassLoader());
    Object[] both = {first.part(1), second.part(2)};
    List<Class<?>> classes = List.of(both[0].getClass(), both[1].getClass());
    assertEquals(classes.get(0).getName(), classes.get(1).getName());
    org.junit.jupiter.api.Assertions.assertThrows(
        MisfitException.class, () -> all.of(first).layoutOf(both));
  }

  @Test
  void loadersThatNobodyUsesAreUnloaded() throws Exception {
    LoaderRows all = new LoaderRows(AllClasses::new);
    Own loader = new Own();
    use(all, loader);
    WeakReference<Own> reference = new WeakReference<>(loader);
    loader = null;
    long begin = System.nanoTime();
    while (reference.get() != null && System.nanoTime() - begin < LIMIT_NANOS) {
      System.gc();
      clearSoftReferences();
      Thread.sleep(50);
    }
    assertNull(reference.get());
    assertNotSame(null, all.of(new Own()));
  }

  /** Asks for more memory than there is, before which the JVM clears them. */
  private static void clearSoftReferences() {
    try {
      long[][] all = new long[64][];
      for (int i = 0; i < all.length; i++) {
        all[i] = new long[Integer.MAX_VALUE - 8];
      }
    } catch (OutOfMemoryError e) {
      // As expected.
    }
  }
}
