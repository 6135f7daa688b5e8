package io.github.serow.spark.exact;

import io.github.serow.internal.wire.Varint;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes the bytes of a layout. All numbers are varints, as in {@code docs/wire-format.md}.
 *
 * <pre>
 * position   twice the number n below, plus 1 if there may be a null
 *            n = 0: no object
 *            n = 1: several classes: their number, then class and parts of each
 *            n &gt; 1: one class, whose code is n - 2: the rest of the class, and its parts
 * class      0: a name: 0 and length and bytes in UTF-8 if it is new, or else the number of the name
 *            1: a number that the caller gave the class
 *            2: an array of objects: the class of its elements
 *            3: a pair, only at the root; nothing more
 *            more: 4 plus the index in KnownClasses; nothing more
 * parts      a position for each
 * </pre>
 */
final class LayoutWriter {
  static final int NAMED = 0;
  static final int NUMBERED = 1;
  static final int ARRAY = 2;
  static final int PAIR = 3;
  static final int KNOWN = 4;

  /** More than most layouts take. */
  private static final int FIRST = 128;

  private final RowClasses classes;
  private final Map<String, Integer> names = new HashMap<>();
  private byte[] bytes = new byte[FIRST];
  private int at;

  private LayoutWriter(RowClasses classes) {
    this.classes = classes;
  }

  static byte[] bytes(Position root, ExactClasses classes) {
    LayoutWriter writer = new LayoutWriter(classes.permitted);
    writer.position(root);
    return Arrays.copyOf(writer.bytes, writer.at);
  }

  private void room(int count) {
    if (bytes.length - at < count) {
      bytes = Arrays.copyOf(bytes, Math.max(at + count, 2 * bytes.length));
    }
  }

  private void number(int number) {
    room(Varint.MOST);
    at = Varint.put(bytes, at, number);
  }

  private void position(Position position) {
    int count = position.arms.size();
    int nullable = position.isNullable ? 1 : 0;
    if (count == 1) {
      Position.Node arm = position.arms.get(0);
      number(2 * (code(arm.of()) + 2) + nullable);
      rest(arm);
      return;
    }
    number((count == 0 ? 0 : 2) + nullable);
    if (count > 1) {
      number(count);
      for (Position.Node arm : position.arms) {
        number(code(arm.of()));
        rest(arm);
      }
    }
  }

  /** Writes what follows the code of a class. */
  private void rest(Position.Node arm) {
    if (arm.of() != PairClass.PAIR) {
      rest(arm.of().type);
    }
    arm.parts().forEach(this::position);
  }

  private int code(ExactClass of) {
    return of == PairClass.PAIR ? PAIR : code(of.type);
  }

  private int code(Class<?> type) {
    KnownClasses.Entry known = KnownClasses.of(type);
    if (known != null) {
      return KNOWN + known.index();
    }
    return type.isArray() ? ARRAY : classes.idOf(type) >= 0 ? NUMBERED : NAMED;
  }

  private void rest(Class<?> type) {
    switch (code(type)) {
      case NAMED -> name(type.getName());
      case NUMBERED -> number(classes.idOf(type));
      case ARRAY -> {
        Class<?> component = type.getComponentType();
        number(code(component));
        rest(component);
      }
      default -> {
        // The code says it all.
      }
    }
  }

  private void name(String name) {
    Integer known = names.putIfAbsent(name, names.size() + 1);
    if (known != null) {
      number(known);
      return;
    }
    byte[] text = name.getBytes(StandardCharsets.UTF_8);
    number(0);
    number(text.length);
    room(text.length);
    System.arraycopy(text, 0, bytes, at, text.length);
    at += text.length;
  }
}
