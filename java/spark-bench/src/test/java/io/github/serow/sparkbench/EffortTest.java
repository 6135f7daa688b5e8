package io.github.serow.sparkbench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import scala.Function0;

class EffortTest {
  private static final Effort EFFORT = new Effort(4, 3, 2.0, 10.0);

  @Test
  void warmUpsEndWhenTheJobGetsNoFaster() {
    assertEquals(4, warmUps(EFFORT, run -> 0.5));
    assertEquals(4, warmUps(EFFORT, run -> 9.0));
    // The sixth run is the first that takes 0.5, so twelve have it in both halves.
    assertEquals(12, warmUps(EFFORT, run -> Math.max(0.5, 1.0 - 0.1 * run)));
  }

  @Test
  void warmUpsTakeTheirLeastSeconds() {
    assertEquals(20, warmUps(EFFORT, run -> 0.1));
    assertEquals(1, warmUps(new Effort(1, 1, 0.0, 0.0), run -> 1.0 / (run + 1)));
  }

  @Test
  void warmUpsOfAJobThatAlwaysGetsFasterEnd() {
    assertEquals(12, warmUps(EFFORT, run -> Math.pow(0.9, run) * 1.4));
    assertEquals(100, warmUps(EFFORT, run -> Math.pow(0.9, run) * 0.01));
  }

  @Test
  void runsThatCountTakeTheirLeastSecondsUnlessTheyAreMany() {
    assertEquals(3, timed(run -> 1.0));
    assertEquals(5, timed(run -> 0.4));
    assertEquals(20, timed(run -> 0.01));
  }

  private static int warmUps(Effort effort, IntToDoubleFunction seconds) {
    return effort.warmUps(runs(new AtomicInteger(), seconds));
  }

  private static int timed(IntToDoubleFunction seconds) {
    AtomicInteger count = new AtomicInteger();
    EFFORT.timed(runs(count, seconds));
    return count.get();
  }

  private static Function0<Object> runs(AtomicInteger count, IntToDoubleFunction seconds) {
    return () -> seconds.applyAsDouble(count.getAndIncrement());
  }
}
