package io.github.serow.sparkbench

/** A job that is run again and again. */
abstract class Job(val name: String) {

  /** Makes the data. It is not timed. */
  def prepare(): Unit = ()

  /** Runs the job once and lets the clock time its steps. */
  def run(clock: Clock): Unit

  /** Describes all values that have gone through the serializer. It is not timed. */
  def digest(): String

  /** Drops the data. */
  def close(): Unit = ()
}
