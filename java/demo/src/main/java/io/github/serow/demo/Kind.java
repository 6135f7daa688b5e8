package io.github.serow.demo;

/**
 * The kinds of messages. {@code benches/demo/protocol.py} defines their numbers and their order.
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
  TOLD(15),
  READ_STREAM(16),
  WRITE_STREAM(17);

  private final int number;

  Kind(int number) {
    this.number = number;
  }

  /** The first byte of the message. */
  int number() {
    return number;
  }

  /** The kind with this number. */
  static Kind of(int number) throws FramingException {
    for (Kind kind : values()) {
      if (kind.number == number) {
        return kind;
      }
    }
    throw new FramingException("no kind of message has the number " + number);
  }
}
