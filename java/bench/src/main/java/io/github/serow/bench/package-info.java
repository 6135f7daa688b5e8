/**
 * The JVM's side of {@code make bench}: a process that holds one serializer and its rows, and
 * measures what Python asks for. {@code benches/suite} is the Python side and starts it.
 *
 * <ul>
 *   <li>{@link io.github.serow.bench.Main} connects;
 *   <li>{@link io.github.serow.bench.BenchServer} understands what is asked;
 *   <li>{@link io.github.serow.bench.Work} is one piece of work that can be timed, {@link
 *       io.github.serow.bench.Sample} what that gave;
 *   <li>{@link io.github.serow.bench.Workload} says what rows there are, {@link
 *       io.github.serow.bench.RowRepresentation} how they are held, {@link
 *       io.github.serow.bench.Table} reads them;
 *   <li>{@link io.github.serow.bench.Entrant} is a serializer used in one way, with a class for
 *       each.
 * </ul>
 */
package io.github.serow.bench;
