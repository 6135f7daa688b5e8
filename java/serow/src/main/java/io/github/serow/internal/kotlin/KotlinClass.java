package io.github.serow.internal.kotlin;

import io.github.serow.internal.schema.ClassCache;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What Kotlin's annotation {@code Metadata} says of a class: the names of its primary constructor's
 * parameters, and the types of its properties. Its content is a message of Protocol Buffers, {@code
 * Class} in Kotlin's {@code metadata.proto}, with names in a table of strings.
 */
public final class KotlinClass {
  /** A type in the source. {@code name} is that of its class in Java; null for other types. */
  public record KotlinType(String name, boolean isNullable, List<KotlinType> arguments) {}

  private static final ClassCache<Optional<KotlinClass>> CLASSES =
      new ClassCache<>(KotlinClass::read);

  /** Values of the annotation's {@code k}, and of the part of {@code flags} that has the kind. */
  private static final int CLASS = 1;

  private static final int OBJECT = 5;

  /** Numbers of fields in the messages. */
  private static final int FLAGS = 1;

  private static final int NAME = 2;
  private static final int CONSTRUCTOR = 8;
  private static final int PROPERTY = 10;
  private static final int TYPE_TABLE = 30;

  private final boolean isData;
  private final boolean isObject;

  /** The parameters of the primary constructor; null if the class has none. */
  private final List<String> parameters;

  private final Map<String, KotlinType> properties = new HashMap<>();
  private final KotlinStrings strings;

  /** The types of the class that messages name by their index. */
  private final List<ProtobufMessage> types;

  private KotlinClass(byte[] bytes, String[] names) {
    ProtobufMessage.Delimited table = ProtobufMessage.delimited(bytes);
    strings = new KotlinStrings(table.message(), names);
    ProtobufMessage of = table.rest();
    types = of.messages(TYPE_TABLE).stream().flatMap(all -> all.messages(1).stream()).toList();
    // Without flags the class is public and final, and no data class.
    long flags = of.number(FLAGS, 6);
    isObject = (flags >> 6 & 7) == OBJECT;
    isData = (flags >> 10 & 1) != 0;
    List<String> primary = null;
    for (ProtobufMessage constructor : of.messages(CONSTRUCTOR)) {
      boolean isSecondary = (constructor.number(FLAGS, 6) >> 4 & 1) != 0;
      if (!isSecondary) {
        primary = parameters(constructor);
      }
    }
    parameters = primary;
    for (ProtobufMessage property : of.messages(PROPERTY)) {
      properties.put(strings.text(property.number(NAME, 0)), type(property, 3, 9));
    }
  }

  /** The class in Kotlin's source; null if it is none of Kotlin's. */
  public static KotlinClass of(Class<?> type) {
    return CLASSES.get(type).orElse(null);
  }

  private static Optional<KotlinClass> read(Class<?> type) {
    for (Annotation annotation : type.getDeclaredAnnotations()) {
      if (annotation.annotationType().getName().equals("kotlin.Metadata")) {
        try {
          return Optional.ofNullable(of(annotation));
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException("its annotation Metadata can't be read", e);
        }
      }
    }
    return Optional.empty();
  }

  private static KotlinClass of(Annotation metadata) throws ReflectiveOperationException {
    Class<?> type = metadata.annotationType();
    String text = String.join("", (String[]) type.getMethod("d1").invoke(metadata));
    if ((int) type.getMethod("k").invoke(metadata) != CLASS || !text.startsWith("\0")) {
      return null;
    }
    // Each char after the first, which tells this form, is a byte.
    byte[] bytes = new byte[text.length() - 1];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) text.charAt(i + 1);
    }
    return new KotlinClass(bytes, (String[]) type.getMethod("d2").invoke(metadata));
  }

  private List<String> parameters(ProtobufMessage constructor) {
    List<String> names = new ArrayList<>();
    for (ProtobufMessage parameter : constructor.messages(2)) {
      names.add(strings.text(parameter.number(NAME, 0)));
    }
    return names;
  }

  /** The type that a message has in one of these fields: itself, or as an index. */
  private KotlinType type(ProtobufMessage of, int field, int indexField) {
    List<ProtobufMessage> own = of.messages(field);
    if (own.isEmpty()) {
      int index = (int) of.number(indexField, -1);
      return index < 0 ? new KotlinType(null, true, List.of()) : type(types.get(index));
    }
    return type(own.get(0));
  }

  private KotlinType type(ProtobufMessage type) {
    List<KotlinType> arguments = new ArrayList<>();
    for (ProtobufMessage argument : type.messages(2)) {
      arguments.add(type(argument, 2, 3));
    }
    long name = type.number(6, -1);
    // A type of Java's, which says nothing about nulls, is flexible (4).
    boolean mayBeNull = type.number(3, 0) != 0 || type.number(4, -1) >= 0;
    return new KotlinType(name < 0 ? null : strings.className(name), mayBeNull, arguments);
  }

  public boolean isData() {
    return isData;
  }

  /** Whether it is an {@code object}, of which there is one instance. */
  public boolean isObject() {
    return isObject;
  }

  /** The names of the primary constructor's parameters; null if there is none. */
  public List<String> parameters() {
    return parameters;
  }

  /** The type of a property; null if the source has none of this name. */
  public KotlinType property(String name) {
    return properties.get(name);
  }

  /** Whether a type is a value class, so that a field may have the value inside. */
  public static boolean isValueClass(KotlinType type, Class<?> user) {
    try {
      return type.name != null
          && isValueClass(Class.forName(type.name, false, user.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      // A class of Kotlin's, such as kotlin.String, that is one of Java's.
      return false;
    }
  }

  /** Whether a class is a value class, so that its objects hold the value inside. */
  public static boolean isValueClass(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(method -> method.getName().equals("unbox-impl"));
  }
}
