package io.github.serow;

import java.util.List;

/** A program for a new JVM. */
public final class RoundTrip {
  private RoundTrip() {}

  /** Prints the rows of a round trip in frames, or the error of each of two attempts. */
  public static void main(String[] args) {
    for (int i = 0; i < 2; i++) {
      try {
        System.out.println(Serow.loads(Serow.dumps(List.of(1L, "a"), Wire.FRAME)));
      } catch (SerowException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
