package io.github.serow.compression;

/** A compressed body is damaged, or its size is not the one that it claims. */
public final class DamagedBodyException extends Exception {
  private static final long serialVersionUID = 1L;

  DamagedBodyException(String what) {
    super(what);
  }
}
