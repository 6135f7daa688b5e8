package io.github.serow.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.Codec;
import io.github.serow.Eventually;
import io.github.serow.Schema;
import io.github.serow.SchemaException;
import io.github.serow.internal.mapping.MapperOptions;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class BindingTest {
  private static final ClassBindings CLASSES = new ClassBindings(MapperOptions.NONE);

  /** A class of the user. */
  public record Part(long key, String name) {}

  @Test
  void theLeastUsedGoesFirst() throws Exception {
    Schema used = Schema.parse("(i64, \"used\"{})");
    WeakReference<Binding> unused =
        new WeakReference<>(Binding.of(Schema.parse("(i64, \"not\"{})")));
    WeakReference<Binding> kept = new WeakReference<>(Binding.of(used));
    for (int i = 0; i < 300; i++) {
      Binding.of(Schema.parse("(i64, other" + i + "{})"));
      assertSame(kept.get(), Binding.of(used));
    }
    assertTrue(isFreed(unused));
    assertNotNull(kept.get());
  }

  @Test
  void fewSchemasWithLongNamesAreKept() throws Exception {
    WeakReference<Binding> first = new WeakReference<>(Binding.of(named("A")));
    assertSame(first.get(), Binding.of(named("A")));
    WeakReference<Binding> second = new WeakReference<>(Binding.of(named("B")));
    assertTrue(isFreed(first));
    assertSame(second.get(), Binding.of(named("B")));
  }

  @Test
  void aBindingInUseIsFoundAgain() {
    Schema schema = Schema.parse("(i64, \"in use\"{})");
    Binding inUse = Binding.of(schema);
    for (int i = 0; i < 300; i++) {
      Binding.of(Schema.parse("(i64, another" + i + "{})"));
    }
    // Its generated classes are those that the JVM has compiled.
    assertSame(inUse, Binding.of(schema));
    assertSame(inUse, Binding.of(schema));
  }

  @Test
  void threadsThatAskAtOnceShareABinding() throws Exception {
    int count = 4;
    ExecutorService threads = Executors.newFixedThreadPool(count);
    CyclicBarrier together = new CyclicBarrier(count);
    try {
      for (int trial = 0; trial < 100; trial++) {
        String schema = "(i64, str, \"shared " + trial + "\"{})";
        List<Future<List<Object>>> found = new ArrayList<>();
        for (int thread = 0; thread < count; thread++) {
          found.add(
              threads.submit(
                  () -> {
                    together.await();
                    Binding ofSchema = Binding.of(Schema.parse(schema));
                    Binding ofClass = CLASSES.of(Part.class);
                    return List.of(ofSchema, ofClass, ofClass.recordWriter(1));
                  }));
        }
        Binding ofClass = CLASSES.of(Part.class);
        for (Future<List<Object>> each : found) {
          assertSame(found.get(0).get().get(0), each.get().get(0));
          assertSame(ofClass, each.get().get(1));
        }
        // A thread that lost the race to generate the class may have used the interpreter once.
        assertSame(ofClass.recordWriter(1), CLASSES.of(Part.class).recordWriter(1));
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aClassWithoutSchemaIsAnErrorEachTime() {
    for (int i = 0; i < 2; i++) {
      SchemaException error =
          Assertions.assertThrows(SchemaException.class, () -> CLASSES.of(Thread.class));
      assertTrue(error.getMessage().contains("Thread"), error.getMessage());
    }
    assertEquals(CLASSES.of(Part.class).schema(), Schema.of(Part.class));
  }

  private static boolean isFreed(WeakReference<?> object) throws Exception {
    return Eventually.holdsAfterCollections(() -> object.get() == null);
  }

  private static Schema named(String name) {
    return Schema.parse("enum " + name + "{" + "x".repeat(600_000) + "}");
  }

  /** The order of two threads that both need the codec of {@link Color}. */
  private static final CountDownLatch INITIALIZING = new CountDownLatch(1);

  /** An enum that needs its own codec to be initialized. */
  public enum Color {
    RED,
    GREEN;

    static final Codec<Color> CODEC;

    static {
      INITIALIZING.countDown();
      try {
        // Until the other thread waits for this class, or has gone on.
        Thread.sleep(200);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      CODEC = Codec.of(Color.class);
    }
  }

  @Test
  void anEnumMayInitializeItsOwnCodec() throws Exception {
    Thread other =
        new Thread(
            () -> {
              try {
                INITIALIZING.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              Codec.of(Color.class);
            });
    Thread first = new Thread(() -> Color.CODEC.encodeAll(List.of(Color.RED)));
    first.setDaemon(true);
    other.setDaemon(true);
    first.start();
    other.start();
    first.join(60_000);
    other.join(60_000);
    assertFalse(first.isAlive() || other.isAlive());
  }
}
