package io.github.serow.bench;

/**
 * What one timed piece of work was.
 *
 * @param nanoseconds of CPU time of the thread that did it, so without the collector's threads
 * @param rows how many it converted
 * @param bytes what it wrote or read
 */
record Sample(long nanoseconds, long rows, long bytes) {

  /** The lines that Python reads. */
  String lines() {
    return "nanoseconds=" + nanoseconds + "\nrows=" + rows + "\nbytes=" + bytes + "\n";
  }
}
