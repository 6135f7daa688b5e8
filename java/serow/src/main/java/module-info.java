/** Encodes Java objects as rows of bytes and back; see {@link io.github.serow.Serow}. */
module io.github.serow {
  // Only for compiling: the jar contains ASM under another name.
  requires static org.objectweb.asm;

  exports io.github.serow;
}
