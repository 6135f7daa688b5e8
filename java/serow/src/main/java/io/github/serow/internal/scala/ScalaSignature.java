package io.github.serow.internal.scala;

import java.lang.annotation.Annotation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The types of a class's fields, from the annotation {@code ScalaSignature} that the Scala compiler
 * adds to the outermost class: a table of names, symbols and types that refer to each other by
 * index. {@code PickleFormat.scala} of the compiler describes the format (version 5 in Scala 2.10
 * to 2.13), and {@code ByteCodecs.scala} its encoding as text. Scala 3 writes no such annotation.
 *
 * <p>This class reads only what leads from a class to the types of its fields. An unknown construct
 * is a type without a name.
 */
public final class ScalaSignature {
  private static final int VERSION = 5;

  // Kinds of entries.
  private static final int TERM_NAME = 1;
  private static final int TYPE_NAME = 2;
  private static final int TYPE_SYMBOL = 4;
  private static final int ALIAS = 5;
  private static final int CLASS = 6;
  private static final int MODULE = 7;
  private static final int VALUE = 8;
  private static final int EXTERNAL = 9;
  private static final int EXTERNAL_MODULE = 10;
  private static final int TYPE_REFERENCE = 16;
  private static final int METHOD_TYPE = 20;
  private static final int POLYMORPHIC_TYPE = 21;
  private static final int ANNOTATED_TYPE = 42;

  /** Flag of the class of a singleton object. */
  private static final long IS_MODULE = 0x400;

  // References may be cyclic.
  private static final int MAX_DEPTH = 100;
  private static final int MAX_USES = 100_000;

  private static final Use UNKNOWN = new Use(null, List.of());

  /**
   * A use of a type.
   *
   * @param name the qualified name of its class, such as {@code scala.Int}; null if it is unknown
   * @param arguments its type arguments
   */
  record Use(String name, List<Use> arguments) {}

  /** A symbol. */
  private record Symbol(int kind, String name, int owner, long flags, int type) {}

  private final byte[] bytes;

  /** The position of each entry. */
  private final int[] entries;

  private int at;

  /** Number of types that may still be read. */
  private int left = MAX_USES;

  private ScalaSignature(byte[] bytes) {
    this.bytes = bytes;
    if (number() != VERSION) {
      throw new IndexOutOfBoundsException("another version");
    }
    number();
    entries = new int[(int) Math.max(0, Math.min(number(), bytes.length))];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = at;
      at++;
      int length = (int) number();
      at += length;
    }
  }

  /** The types of the fields of {@code type} by name; empty if they are unknown. */
  static Map<String, Use> fields(Class<?> type) {
    byte[] table = table(type);
    return table == null ? Map.of() : fields(table, path(type));
  }

  /**
   * The types of the fields of a class in a table.
   *
   * @param path the name of the class after the names of the enclosing classes and objects
   */
  static Map<String, Use> fields(byte[] table, List<String> path) {
    try {
      return new ScalaSignature(table).fields(path);
    } catch (IndexOutOfBoundsException e) {
      return Map.of();
    }
  }

  /**
   * The type that an alias stands for.
   *
   * @param name the qualified name of the alias
   * @return null if it is not an alias, has type parameters, or its object is not found
   */
  static Use alias(String name, ClassLoader loader) {
    int dot = name.lastIndexOf('.');
    Class<?> owner = dot < 0 ? null : object(name.substring(0, dot), loader);
    byte[] table = owner == null ? null : table(owner);
    try {
      return table == null
          ? null
          : new ScalaSignature(table).alias(name.substring(dot + 1), path(owner));
    } catch (IndexOutOfBoundsException e) {
      return null;
    }
  }

  /** The class of an object, which may be nested; null if the name is that of a package. */
  private static Class<?> object(String name, ClassLoader loader) {
    for (String at = name; ; ) {
      try {
        return Class.forName(at + "$", false, loader);
      } catch (ClassNotFoundException e) {
        int dot = at.lastIndexOf('.');
        if (dot < 0) {
          return null;
        }
        at = at.substring(0, dot) + "$" + at.substring(dot + 1);
      }
    }
  }

  private static List<String> path(Class<?> type) {
    List<String> names = new ArrayList<>();
    for (Class<?> at = type; at != null; at = at.getDeclaringClass()) {
      names.add(ScalaNames.of(at));
    }
    return names;
  }

  /** The table of a class; null if there is none. */
  static byte[] table(Class<?> type) {
    Class<?> outermost = type;
    while (outermost.getDeclaringClass() != null) {
      outermost = outermost.getDeclaringClass();
    }
    try {
      return bytes(annotated(outermost));
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /** The signature of an object is at the class with its name without the dollar sign. */
  private static Class<?> annotated(Class<?> outermost) throws ReflectiveOperationException {
    String name = outermost.getName();
    return name.endsWith("$")
        ? Class.forName(name.substring(0, name.length() - 1), false, outermost.getClassLoader())
        : outermost;
  }

  /** The table, or null if the class has none. */
  private static byte[] bytes(Class<?> type) throws ReflectiveOperationException {
    for (Annotation annotation : type.getAnnotations()) {
      Class<? extends Annotation> of = annotation.annotationType();
      if (of.getName().equals("scala.reflect.ScalaSignature")) {
        return unpacked((String) of.getMethod("bytes").invoke(annotation));
      }
      if (of.getName().equals("scala.reflect.ScalaLongSignature")) {
        return unpacked(String.join("", (String[]) of.getMethod("bytes").invoke(annotation)));
      }
    }
    return null;
  }

  /** Each char contains seven bits plus one, so that few chars are zero. */
  private static byte[] unpacked(String text) {
    byte[] bytes = new byte[text.length() * 7 / 8];
    int bits = 0;
    int held = 0;
    int to = 0;
    for (int i = 0; i < text.length(); i++) {
      bits |= (text.charAt(i) - 1 & 0x7f) << held;
      held += 7;
      if (held >= Byte.SIZE && to < bytes.length) {
        bytes[to++] = (byte) bits;
        bits >>>= Byte.SIZE;
        held -= Byte.SIZE;
      }
    }
    return bytes;
  }

  private Map<String, Use> fields(List<String> path) {
    Map<String, Use> fields = new HashMap<>();
    for (int i = 0; i < entries.length; i++) {
      Symbol symbol = symbol(i);
      if (symbol != null && symbol.kind == VALUE && isAt(symbol.owner, path, false)) {
        Use type = fieldType(symbol.type);
        if (type != null) {
          fields.put(ScalaNames.decode(symbol.name.trim()), type);
        }
      }
    }
    return fields;
  }

  private Use alias(String name, List<String> path) {
    for (int i = 0; i < entries.length; i++) {
      Symbol symbol = symbol(i);
      boolean isIt = symbol != null && symbol.kind == ALIAS && symbol.name.equals(name);
      if (isIt && isAt(symbol.owner, path, true)) {
        return use(symbol.type, 0);
      }
    }
    return null;
  }

  /** Whether the class or object has this path. */
  private boolean isAt(int index, List<String> path, boolean isObject) {
    Symbol symbol = symbol(index);
    if (symbol == null || (symbol.flags & IS_MODULE) != 0 != isObject) {
      return false;
    }
    for (String name : path) {
      boolean isAround = symbol != null && symbol.kind == CLASS;
      if (!isAround || !ScalaNames.decode(symbol.name).equals(name)) {
        return false;
      }
      symbol = symbol(symbol.owner);
    }
    return symbol == null || symbol.kind == EXTERNAL_MODULE;
  }

  /** The type of a field or of a method without parameters; null for other methods. */
  private Use fieldType(int index) {
    int kind = begin(index);
    if (kind == METHOD_TYPE) {
      return null;
    }
    return use(kind == POLYMORPHIC_TYPE ? reference() : index, 0);
  }

  private Use use(int index, int depth) {
    int end = end(index);
    int kind = begin(index);
    if (depth > MAX_DEPTH || --left < 0) {
      return UNKNOWN;
    }
    if (kind == ANNOTATED_TYPE) {
      return use(reference(), depth + 1);
    }
    if (kind != TYPE_REFERENCE) {
      return UNKNOWN;
    }
    reference();
    int of = reference();
    List<Integer> references = new ArrayList<>();
    while (at < end) {
      references.add(reference());
    }
    Symbol symbol = symbol(of);
    if (symbol != null && symbol.kind == ALIAS && references.isEmpty()) {
      return use(symbol.type, depth + 1);
    }
    List<Use> arguments = new ArrayList<>();
    references.forEach(argument -> arguments.add(use(argument, depth + 1)));
    return new Use(fullName(of, depth), arguments);
  }

  private String fullName(int index, int depth) {
    Symbol symbol = symbol(index);
    if (symbol == null || depth > MAX_DEPTH) {
      return null;
    }
    String owner = fullName(symbol.owner, depth + 1);
    return owner == null ? symbol.name : owner + "." + symbol.name;
  }

  /** The symbol at {@code index}; null if there is none, or if its kind is not needed. */
  private Symbol symbol(int index) {
    if (index < 0) {
      return null;
    }
    int end = end(index);
    int kind = begin(index);
    switch (kind) {
      case EXTERNAL, EXTERNAL_MODULE -> {
        int name = reference();
        int owner = at < end ? reference() : -1;
        return new Symbol(kind, name(name), owner, 0, -1);
      }
      case TYPE_SYMBOL, ALIAS, CLASS, MODULE, VALUE -> {
        int name = reference();
        int owner = reference();
        long flags = number();
        int type = reference();
        if (isSymbol(type)) {
          // Skip the scope of a private symbol.
          type = reference();
        }
        return new Symbol(kind, name(name), owner, flags, type);
      }
      default -> {
        return null;
      }
    }
  }

  private boolean isSymbol(int index) {
    int kind = bytes[entries[index]];
    return kind >= TYPE_SYMBOL && kind <= EXTERNAL_MODULE;
  }

  private String name(int index) {
    int end = end(index);
    int kind = begin(index);
    if (kind != TERM_NAME && kind != TYPE_NAME) {
      throw new IndexOutOfBoundsException("no name at " + index);
    }
    return new String(bytes, at, end - at, StandardCharsets.UTF_8);
  }

  /** Moves to the content of an entry. Returns its kind. */
  private int begin(int index) {
    at = entries[index] + 1;
    number();
    return bytes[entries[index]];
  }

  /** The position after an entry. */
  private int end(int index) {
    at = entries[index] + 1;
    int length = (int) number();
    return at + length;
  }

  private int reference() {
    return (int) number();
  }

  /** Reads seven bits per byte, highest first; all bytes but the last have the eighth bit. */
  private long number() {
    long number = 0;
    byte next;
    do {
      next = bytes[at++];
      number = number << 7 | next & 0x7f;
    } while (next < 0);
    return number;
  }
}
