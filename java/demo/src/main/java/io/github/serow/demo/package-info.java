/**
 * The JVM's side of {@code make demo}: a process that decodes rows another process sends, digests
 * them, and sends them back encoded anew. {@code benches/demo} is the Python side and starts it.
 *
 * <ul>
 *   <li>{@link io.github.serow.demo.Main} connects and serves one contestant;
 *   <li>{@link io.github.serow.demo.Server} answers what Python asks;
 *   <li>{@link io.github.serow.demo.Framing} and {@link io.github.serow.demo.Kind} are the
 *       messages;
 *   <li>{@link io.github.serow.demo.Digest} hashes the rows;
 *   <li>{@link io.github.serow.demo.Contestant} is a serializer, with one class for each.
 * </ul>
 */
package io.github.serow.demo;
