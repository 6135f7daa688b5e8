/**
 * The JVM's side of {@code make bench}: a process with one serializer and its rows, which does the
 * measurements that Python requests. {@code benches/suite} is the Python side and starts it.
 *
 * <ul>
 *   <li>{@link io.github.serow.bench.Main} connects;
 *   <li>{@link io.github.serow.bench.BenchServer} answers requests;
 *   <li>{@link io.github.serow.bench.Work} has the pieces of work that can be timed, and {@link
 *       io.github.serow.bench.Sample} is the result of one;
 *   <li>{@link io.github.serow.bench.Workload} lists the kinds of rows, {@link
 *       io.github.serow.bench.RowRepresentation} their representations, and {@link
 *       io.github.serow.bench.Table} reads them;
 *   <li>{@link io.github.serow.bench.Entrant} is a serializer used in one way, with a class for
 *       each.
 * </ul>
 */
package io.github.serow.bench;
