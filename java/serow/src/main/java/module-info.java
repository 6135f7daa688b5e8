/** Encodes Java objects as rows of bytes and back; see {@link io.github.serow.Serow}. */
module io.github.serow {
  // Only for compiling: the jar contains these libraries under other names.
  requires static com.dynatrace.hash4j;
  requires static org.objectweb.asm;

  exports io.github.serow;
}
