package io.github.serow.demo;

/**
 * The kinds of message. Their numbers and the order of the talk are in {@code
 * benches/demo/protocol.py}.
 */
public enum Kind {
  HELLO(1),
  MESSAGES(2),
  DATA(3),
  RECEIVED(4),
  DECODE(5),
  DECODED(6),
  ENCODE(7),
  ENCODED(8),
  SEND(9),
  WARM_UP(10),
  WARMED_UP(11),
  ABOUT(12),
  FAILED(13),
  ASK(14),
  TOLD(15);

  private final int number;

  Kind(int number) {
    this.number = number;
  }

  /** The message's first byte. */
  int number() {
    return number;
  }

  /** The kind with this number, or an error that names the number. */
  static Kind of(int number) throws FramingException {
    for (Kind kind : values()) {
      if (kind.number == number) {
        return kind;
      }
    }
    throw new FramingException("no kind of message has the number " + number);
  }
}
