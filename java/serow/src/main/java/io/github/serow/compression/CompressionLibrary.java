package io.github.serow.compression;

/**
 * A library that compresses and decompresses bodies of frames in one format. It has no state, so
 * threads share it.
 */
interface CompressionLibrary {
  /** The group and name of its artifact. */
  String artifact();

  /** Whether it compresses at each level; otherwise only at one of its own. */
  boolean hasLevels();

  /**
   * The bytes to give {@link #compress} for its result.
   *
   * @param length the length of the body
   */
  long room(int length);

  /**
   * Compresses the body between these positions, and writes the result to {@code to} from {@code
   * at} on. Returns the length of the result; -1 if it takes more than {@code room} bytes.
   */
  int compress(byte[] bytes, int begin, int end, byte[] to, int at, int room, int level);

  /**
   * Decompresses what is between these positions, and writes the plain body to the begin of {@code
   * to}. Returns the length of the plain body.
   *
   * @param length the most bytes of the plain body; {@code to} has {@link BodyDecompressor#SLACK}
   *     more, which may be overwritten
   * @throws DamagedBodyException if the bytes are damaged, or the plain body is longer
   */
  int decompress(byte[] packed, int begin, int end, byte[] to, int length)
      throws DamagedBodyException;
}
