package io.github.serow.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.util.TransferPair;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Vectors live longer than the class loader of serow, whose library releases their memory. */
@Tag("once")
class UnloadingTest {
  /** A use of serow. */
  public static final class User {
    private User() {}

    /** A vector with the numbers from 0 to 99,999. */
    public static FieldVector vector(BufferAllocator allocator) throws IOException {
      List<Object> rows = new ArrayList<>();
      for (long i = 0; i < 100_000; i++) {
        rows.add(Map.of("x", i));
      }
      ArrowRows<Object> arrow = ArrowRows.ofAny(allocator);
      try (ArrowReader reader = arrow.toArrow(rows)) {
        reader.loadNextBatch();
        FieldVector vector = reader.getVectorSchemaRoot().getVector("x");
        TransferPair pair = vector.getTransferPair(allocator);
        pair.transfer();
        return (FieldVector) pair.getTo();
      }
    }
  }

  /** Loads serow's classes itself, and delegates others to its parent. */
  private static final class Child extends URLClassLoader {
    Child() throws IOException {
      super(urls(), Child.class.getClassLoader());
    }

    private static URL[] urls() throws IOException {
      List<URL> urls = new ArrayList<>();
      for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
        urls.add(Path.of(place).toUri().toURL());
      }
      return urls.toArray(URL[]::new);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        if (loaded == null && name.startsWith("io.github.serow.")) {
          loaded = findClass(name);
        }
        return loaded == null ? super.loadClass(name, resolve) : loaded;
      }
    }
  }

  private static FieldVector vector(BufferAllocator allocator, List<WeakReference<Child>> loaders)
      throws Exception {
    Child child = new Child();
    loaders.add(new WeakReference<>(child));
    Class<?> user = child.loadClass(User.class.getName());
    return (FieldVector) user.getMethod("vector", BufferAllocator.class).invoke(null, allocator);
  }

  @Test
  void vectorsOutliveTheClassLoader() throws Exception {
    try (BufferAllocator allocator = new RootAllocator()) {
      List<WeakReference<Child>> loaders = new ArrayList<>();
      FieldVector vector = vector(allocator, loaders);
      for (int i = 0; i < 300 && loaders.get(0).get() != null; i++) {
        System.gc();
        Thread.sleep(20);
      }
      assertEquals(null, loaders.get(0).get(), "the class loader");
      // The JVM unloads the library some time after the last class.
      for (int i = 0; i < 10; i++) {
        System.gc();
        Thread.sleep(20);
      }
      assertTrue(allocator.getAllocatedMemory() > 0);
      assertEquals(7L, vector.getObject(7));
      vector.close();
      assertEquals(0, allocator.getAllocatedMemory());
    }
  }
}
