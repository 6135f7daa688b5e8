package io.github.serow;

import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Names;
import java.util.List;

/**
 * A decoded member of an enum. It is encoded like a constant of a Java enum with the same name and
 * the same constants.
 *
 * <pre>{@code
 * EnumMember red = EnumMember.of("Color", List.of("RED", "GREEN"), "RED");
 * red.name(); // "RED"
 * }</pre>
 */
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
    Names.checked(List.of(type), "the name of an enum");
    int index = Names.checked(members, "the name of a member").indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException("" + type + " has no member " + name);
    }
    return new Enumeration(type, members).members.get(index);
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

  /** Members are equal if their enums have equal names and members, and their indices are equal. */
  @Override
  public boolean equals(Object other) {
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
