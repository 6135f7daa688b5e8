package io.github.serow.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PoolTest {
  private static final long NOW = System.nanoTime();

  private final Pool.Group group = new Pool.Group(NOW);

  /** A pooled object that counts how often it is closed. */
  private static final class Counted extends Pool.Kept {
    private final AtomicInteger users = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    Counted(long born) {
      super(born);
    }

    @Override
    void close() {
      closed.incrementAndGet();
    }
  }

  @Test
  void anObjectIsLentOnce() {
    Pool<Counted> pool = new Pool<>(group);
    assertNull(pool.lend());
    Counted object = new Counted(NOW);
    pool.giveBack(object, NOW);
    assertEquals(1, pool.idle());
    assertSame(object, pool.lend());
    assertNull(pool.lend());
    assertEquals(0, object.closed.get());
  }

  @Test
  void anotherThreadFindsIt() throws Exception {
    Pool<Counted> pool = new Pool<>(group);
    Counted object = new Counted(NOW);
    pool.giveBack(object, NOW);
    for (int i = 0; i < 20; i++) {
      List<Counted> found = new ArrayList<>();
      Thread thread =
          new Thread(
              () -> {
                found.add(pool.lend());
                pool.giveBack(object, NOW);
              });
      thread.start();
      thread.join();
      assertSame(object, found.get(0));
    }
  }

  @Test
  void idleObjectsAreClosedAndOthersNot() {
    Pool<Counted> pool = new Pool<>(group);
    Counted idle = new Counted(NOW);
    Counted fresh = new Counted(NOW);
    pool.giveBack(idle, NOW);
    pool.giveBack(fresh, NOW + 5);
    group.closeIdleSince(NOW + 4);
    assertEquals(1, idle.closed.get());
    assertEquals(0, fresh.closed.get());
    assertSame(fresh, pool.lend());
    assertNull(pool.lend());
  }

  @Test
  void aReturnedObjectClosesOthersThatAreIdle() {
    Pool<Counted> pool = new Pool<>(group);
    Pool<Counted> other = new Pool<>(group);
    Counted idle = new Counted(NOW);
    other.giveBack(idle, NOW);
    long later = NOW + Pool.IDLE_NANOS;
    Counted used = new Counted(later);
    pool.giveBack(used, later);
    assertEquals(1, idle.closed.get());
    assertEquals(0, used.closed.get());
  }

  @Test
  void anOldObjectIsClosedWhenItIsReturned() {
    Pool<Counted> pool = new Pool<>(group);
    Counted old = new Counted(NOW);
    pool.giveBack(old, NOW + Pool.LIFE_NANOS - 1);
    assertSame(old, pool.lend());
    pool.giveBack(old, NOW + Pool.LIFE_NANOS);
    assertEquals(1, old.closed.get());
    assertNull(pool.lend());
  }

  @Test
  void theNumberOfIdleObjectsIsLimited() {
    Pool<Counted> pool = new Pool<>(group);
    int closed = 0;
    for (int i = 0; i < Pool.PLACES + 3; i++) {
      Counted object = new Counted(NOW);
      pool.giveBack(object, NOW);
      closed += object.closed.get();
    }
    assertEquals(Pool.PLACES, pool.idle());
    assertEquals(3, closed);
  }

  @Test
  void noTwoThreadsHaveOneObject() throws Exception {
    Pool<Counted> pool = new Pool<>(group);
    AtomicInteger shared = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int k = 0; k < 20_000; k++) {
                  Counted object = pool.lend();
                  if (object == null) {
                    object = new Counted(System.nanoTime());
                  }
                  if (object.users.incrementAndGet() > 1 || object.closed.get() > 0) {
                    shared.incrementAndGet();
                  }
                  object.users.decrementAndGet();
                  pool.giveBack(object);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(0, shared.get());
  }
}
