package io.github.serow.internal.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PoolTest {
  private long now = System.nanoTime();

  private final Pool.Group group = new Pool.Group(() -> now);

  private final Pool<Counted> pool = new Pool<>(group, Counted::new);

  /** A pooled object that counts how often it is closed. */
  private static final class Counted extends Pool.Kept {
    private final AtomicInteger users = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    @Override
    void trim() {
      // It has no memory.
    }

    @Override
    void close() {
      closed.incrementAndGet();
    }
  }

  /** Uses an object of another pool so often that the group looks at the clock. */
  private void look() {
    Pool<Counted> other = new Pool<>(group, Counted::new);
    for (int i = 0; i < Pool.USES_PER_LOOK; i++) {
      other.giveBack(other.lend());
    }
  }

  /** Lends the object, and gives it back. */
  private void assertIdle(Counted object) {
    Counted lent = pool.lend();
    assertSame(object, lent);
    pool.giveBack(lent);
  }

  @Test
  void anObjectIsLentOnce() {
    Counted object = pool.lend();
    assertNotSame(object, pool.lend());
    pool.giveBack(object);
    assertSame(object, pool.lend());
    assertNotSame(object, pool.lend());
    assertEquals(0, object.closed.get());
  }

  @Test
  void anotherThreadFindsIt() throws Exception {
    Counted object = pool.lend();
    pool.giveBack(object);
    for (int i = 0; i < 20; i++) {
      List<Counted> found = new ArrayList<>();
      Thread thread =
          new Thread(
              () -> {
                found.add(pool.lend());
                pool.giveBack(object);
              });
      thread.start();
      thread.join();
      assertSame(object, found.get(0));
    }
  }

  @Test
  void idleObjectsAreClosedAndOthersNot() {
    Counted idle = pool.lend();
    Counted fresh = pool.lend();
    pool.giveBack(idle);
    now += 5;
    look();
    pool.giveBack(fresh);
    now += Pool.IDLE_NANOS - 5;
    look();
    assertEquals(1, idle.closed.get());
    assertEquals(0, fresh.closed.get());
    assertIdle(fresh);
  }

  @Test
  void anOldObjectIsClosedWhenItIsReturned() {
    Counted old = pool.lend();
    pool.giveBack(old);
    for (long end = now + Pool.LIFE_NANOS - 1; now < end; ) {
      now = Math.min(end, now + Pool.IDLE_NANOS / 2);
      for (int i = 0; i < Pool.USES_PER_LOOK; i++) {
        assertIdle(old);
      }
    }
    now++;
    for (int i = 0; i < Pool.USES_PER_LOOK && old.closed.get() == 0; i++) {
      assertIdle(old);
    }
    assertEquals(1, old.closed.get());
    assertNotSame(old, pool.lend());
  }

  @Test
  void theNumberOfIdleObjectsIsLimited() {
    List<Counted> objects = new ArrayList<>();
    for (int i = 0; i < Pool.PLACES + 3; i++) {
      objects.add(pool.lend());
    }
    objects.forEach(pool::giveBack);
    assertEquals(3, objects.stream().mapToInt(object -> object.closed.get()).sum());
  }

  @Test
  void allIdleObjectsAreClosedOnRequest() {
    Counted idle = pool.lend();
    pool.giveBack(idle);
    group.closeIdle();
    assertEquals(1, idle.closed.get());
    assertNotSame(idle, pool.lend());
  }

  @Test
  void noTwoThreadsHaveOneObject() throws Exception {
    AtomicInteger shared = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      threads.add(
          new Thread(
              () -> {
                for (int k = 0; k < 20_000; k++) {
                  Counted object = pool.lend();
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
