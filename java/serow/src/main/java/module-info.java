/** Rows of Java objects to bytes and back; see {@link io.github.serow.Serow}. */
module io.github.serow {
  // Needed only to compile: ASM is part of the jar, under a name of its own.
  requires static org.objectweb.asm;

  exports io.github.serow;
}
