package io.github.serow.bench;

/**
 * The result of one timed piece of work.
 *
 * @param nanoseconds CPU time of the working thread, so without garbage collection threads
 * @param rows the number of converted rows
 * @param bytes the number of bytes written or read
 * @param allocated the number of bytes that the working thread allocated on the heap
 */
record Sample(long nanoseconds, long rows, long bytes, long allocated) {

  /** The result as lines for Python. */
  String lines() {
    return "nanoseconds="
        + nanoseconds
        + "\nrows="
        + rows
        + "\nbytes="
        + bytes
        + "\nallocated="
        + allocated
        + "\n";
  }
}
