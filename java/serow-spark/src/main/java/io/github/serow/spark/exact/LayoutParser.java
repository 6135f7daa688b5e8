package io.github.serow.spark.exact;

import io.github.serow.DecodeException;
import io.github.serow.internal.wire.RecordIn;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads what {@link LayoutWriter} writes, and checks all of it. */
final class LayoutParser {
  private final ExactClasses classes;
  private final RecordIn in;
  private final List<String> names = new ArrayList<>();

  /** The names of classes whose fields were read. */
  private final Set<String> withFields = new LinkedHashSet<>();

  private int nodes;

  /** Whether the layout has a class that is impossible here, so that the bytes may be good. */
  private boolean isMissing;

  private LayoutParser(byte[] bytes, ExactClasses classes) {
    this.classes = classes;
    in = new RecordIn(bytes, 0, bytes.length);
  }

  /**
   * The layout with these bytes.
   *
   * @throws DecodeException if they are damaged, or name a class that is missing or not permitted
   */
  static Position parse(byte[] bytes, ExactClasses classes) {
    LayoutParser parser = new LayoutParser(bytes, classes);
    Position root = new Position();
    try {
      parser.position(root, Object.class, 0);
      parser.in.end();
    } catch (DecodeException e) {
      if (parser.isMissing || parser.withFields.isEmpty()) {
        throw e;
      }
      String names = String.join(", ", parser.withFields);
      throw new DecodeException(e.getMessage() + ", or a class has other fields here: " + names);
    }
    return root;
  }

  private static DecodeException damaged(String why) {
    return new DecodeException("the layout of a row is damaged: " + why);
  }

  private int number() {
    return in.number(Integer.MAX_VALUE);
  }

  /** {@code type}: a class that all objects at the position are instances of. */
  private void position(Position position, Class<?> type, int depth) {
    int head = number();
    position.isNullable = (head & 1) != 0;
    int count = head >> 1;
    if (count == 0) {
      return;
    }
    if (count > 1) {
      arm(position, count - 2, type, depth);
      return;
    }
    int arms = in.number(LayoutInference.MAX_ARMS + 1);
    if (arms < 2) {
      throw damaged("it has too few classes at one place");
    }
    for (int i = 0; i < arms; i++) {
      arm(position, number(), type, depth);
    }
  }

  private void arm(Position position, int code, Class<?> type, int depth) {
    if (code == LayoutWriter.PAIR && (position.isNullable || !position.arms.isEmpty())) {
      throw damaged("a pair is not the only kind of row");
    }
    if (depth > LayoutInference.MAX_DEPTH || ++nodes > LayoutInference.MAX_NODES) {
      throw damaged("it is too large");
    }
    if (!position.arms.isEmpty() && position.arms.get(0).of() == PairClass.PAIR) {
      throw damaged("a pair is not the only kind of row");
    }
    ExactClass of = exact(code, depth);
    if (!of.isAt(type)) {
      throw damaged("no object of class " + of.type.getName() + " is a " + type.getName());
    }
    if (position.hasName(of)) {
      throw damaged("it has one class twice at one place");
    }
    if (of instanceof FieldsClass) {
      withFields.add(of.type.getName());
    }
    Position.Node arm = position.add(of);
    for (int i = 0; i < of.parts; i++) {
      position(arm.parts().get(i), of.partType(i), depth + 1);
    }
  }

  private ExactClass exact(int code, int depth) {
    if (code == LayoutWriter.PAIR) {
      if (depth > 0) {
        throw damaged("a pair is no row");
      }
      return PairClass.PAIR;
    }
    Class<?> type = type(code, 0);
    try {
      return classes.of(type);
    } catch (MisfitException e) {
      isMissing = true;
      throw new DecodeException(
          "the layout of a row is impossible here: " + e.getMessage(), e.getCause(), -1, null, -1);
    }
  }

  private Class<?> type(int code, int dimensions) {
    try {
      return switch (code) {
        case LayoutWriter.NAMED -> named();
        case LayoutWriter.NUMBERED -> numbered();
        case LayoutWriter.ARRAY -> {
          if (dimensions > LayoutInference.MAX_DEPTH) {
            throw damaged("it is too large");
          }
          yield array(type(number(), dimensions + 1));
        }
        default -> {
          int index = code - LayoutWriter.KNOWN;
          if (index < 0 || index >= KnownClasses.size()) {
            throw damaged("it has an unknown class");
          }
          yield KnownClasses.at(index).resolve(classes.permitted);
        }
      };
    } catch (ClassNotFoundException | LinkageError e) {
      isMissing = true;
      throw new DecodeException(
          "a row has a class that is missing here: " + e.getMessage(), e, -1, null, -1);
    }
  }

  private static Class<?> array(Class<?> component) {
    try {
      return component.arrayType();
    } catch (IllegalArgumentException | UnsupportedOperationException e) {
      throw damaged("there are no arrays of " + component.getName());
    }
  }

  private Class<?> named() throws ClassNotFoundException {
    int index = number();
    if (index > names.size()) {
      throw damaged("it lacks a name");
    }
    String name = index == 0 ? in.str() : names.get(index - 1);
    if (index == 0) {
      names.add(name);
    }
    return classes.permitted.ofName(name);
  }

  private Class<?> numbered() {
    int number = number();
    Class<?> type = classes.permitted.ofId(number);
    if (type == null) {
      isMissing = true;
      throw new DecodeException(
          "a row has a class with number " + number + ", which no class has here");
    }
    return type;
  }
}
