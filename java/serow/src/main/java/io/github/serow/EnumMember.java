package io.github.serow;

import io.github.serow.internal.schema.Enumeration;
import io.github.serow.internal.schema.Names;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A decoded member of an enum. It is encoded like a constant of a Java enum with the same name and
 * the same constants.
 *
 * <pre>{@code
 * EnumMember red = EnumMember.of("Color", List.of("RED", "GREEN"), "RED");
 * red.name(); // "RED"
 * }</pre>
 */
@NullMarked
public final class EnumMember {
  private final Enumeration of;
  private final int index;

  EnumMember(Enumeration of, int index) {
    this.of = of;
    this.index = index;
  }

  /**
   * Creates a member of an enum.
   *
   * @param type the name of the enum
   * @param members the names of all members, in order
   * @param name the name of the new member
   * @return the member
   * @throws IllegalArgumentException if {@code members} lacks the name or contains a name twice, or
   *     if a name has a lone surrogate
   */
  public static EnumMember of(String type, List<String> members, String name) {
    return of(type, members, List.of(), name);
  }

  /**
   * Creates a member of an enum whose members have values, as those of Python's {@code IntEnum} and
   * {@code StrEnum} have.
   *
   * <pre>{@code
   * var codes = new LinkedHashMap<>(Map.of("OK", 200L));
   * EnumMember.of("Status", codes, "OK").value(); // 200L
   * }</pre>
   *
   * @param type the name of the enum
   * @param members the names and values of all members, in order; the values are all {@link Long}
   *     or all {@link String}
   * @param name the name of the new member
   * @return the member
   * @throws IllegalArgumentException if {@code members} lacks the name, if the values have another
   *     class or several, or if a name or value has a lone surrogate
   */
  public static EnumMember of(String type, Map<String, ?> members, String name) {
    List<?> values = List.copyOf(members.values());
    for (Object value : values) {
      boolean isValue = value instanceof Long || value instanceof String text && Names.isName(text);
      if (!isValue || value.getClass() != values.get(0).getClass()) {
        throw new IllegalArgumentException(
            "the values of the members of "
                + type
                + " must be all Long, or all String without "
                + "lone surrogates, but one is "
                + value);
      }
    }
    return of(type, List.copyOf(members.keySet()), values, name);
  }

  private static EnumMember of(String type, List<String> members, List<?> values, String name) {
    Names.checked(List.of(type), "the name of an enum");
    int index = Names.checked(members, "the name of a member").indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException("" + type + " has no member " + name);
    }
    return new Enumeration(type, members, values).members.get(index);
  }

  /**
   * The name of the enum.
   *
   * @return the simple name of a Java enum
   */
  public String type() {
    return of.name;
  }

  /**
   * The names of all members of the enum.
   *
   * @return the unmodifiable names, in order
   */
  public List<String> members() {
    return of.names;
  }

  /**
   * The values of all members of the enum.
   *
   * @return the unmodifiable values, in the order of the names, all {@link Long} or all {@link
   *     String}; empty if the members have names only
   */
  public List<?> values() {
    return of.values;
  }

  /**
   * The index of the member in the enum.
   *
   * @return 0 for the first member
   */
  public int index() {
    return index;
  }

  /**
   * The name of the member.
   *
   * @return the name of a Java enum's constant
   */
  public String name() {
    return of.names.get(index);
  }

  /**
   * The value of the member.
   *
   * @return a {@link Long} or a {@link String}; null if the members of the enum have names only
   */
  public @Nullable Object value() {
    return of.values.isEmpty() ? null : of.values.get(index);
  }

  /**
   * The constant of a Java enum with the member's name.
   *
   * @param <E> the enum
   * @param type the enum's class
   * @return the constant
   * @throws IllegalArgumentException if the enum has no constant with that name
   */
  public <E extends Enum<E>> E as(Class<E> type) {
    return Enum.valueOf(type, name());
  }

  Enumeration enumeration() {
    return of;
  }

  /**
   * Members are equal if their enums have equal names, members and values, and their indices are
   * equal.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof EnumMember member && index == member.index && of.equals(member.of);
  }

  @Override
  public int hashCode() {
    return 31 * of.hashCode() + index;
  }

  /** The names of the enum and the member, for example {@code Color.RED}. */
  @Override
  public String toString() {
    return of.name + "." + name();
  }
}
