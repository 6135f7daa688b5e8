/** Encodes Java objects as rows of bytes and back; see {@link io.github.serow.Serow}. */
// aircompressor is no module, and that of serow-arrow is compiled after this one.
@SuppressWarnings({"requires-automatic", "module"})
module io.github.serow {
  // Only for compiling: the jar contains these libraries under other names.
  requires static com.dynatrace.hash4j;
  requires static org.objectweb.asm;
  // Annotations, which the JVM does not need.
  requires static org.jspecify;
  // For compressed messages where the native library is missing, if a program has it.
  requires static aircompressor;

  exports io.github.serow;
  exports io.github.serow.internal.cdata to
      io.github.serow.arrow;
}
