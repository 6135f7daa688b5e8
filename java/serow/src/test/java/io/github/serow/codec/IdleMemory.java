package io.github.serow.codec;

/** The memory that calls keep for later ones. */
public final class IdleMemory {
  private IdleMemory() {}

  /** Frees it. Otherwise later calls do, after some seconds, which a test may not expect. */
  public static void free() {
    Pool.closeIdle();
  }
}
