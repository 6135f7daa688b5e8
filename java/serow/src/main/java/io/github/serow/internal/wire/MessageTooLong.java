package io.github.serow.internal.wire;

/**
 * Thrown where a message exceeds the limit of {@link RecordOut#limit}. It contains nothing, because
 * the message is written in another way then.
 */
public final class MessageTooLong extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public static final MessageTooLong TOO_LONG = new MessageTooLong();

  private MessageTooLong() {
    super("the message exceeds its limit", null, false, false);
  }
}
