package io.github.serow.demo;

import java.io.IOException;

/** The stream is cut, or its content is not a message. */
public final class FramingException extends IOException {
  private static final long serialVersionUID = 1L;

  FramingException(String message) {
    super(message);
  }
}
