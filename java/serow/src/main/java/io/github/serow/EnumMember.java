package io.github.serow;

import io.github.serow.schema.Enumeration;
import io.github.serow.schema.Names;
import java.util.List;

/**
 * A member of an enum that came in a message. Encoding takes it as it takes the constant of a Java
 * enum of that name with those constants.
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
   * A member of an enum.
   *
   * @param type the name of the enum
   * @param members the names of all its members, in their order
   * @param name the name of this one
   * @return the member
   * @throws IllegalArgumentException if no member has the name, if a name comes twice, or if a name
   *     has a surrogate that stands alone
   */
  public static EnumMember of(String type, List<String> members, String name) {
    Names.checked(List.of(type), "the name of an enum");
    int index = Names.checked(members, "the name of a member").indexOf(name);
    if (index < 0) {
      throw new IllegalArgumentException("no member of " + type + " is called " + name);
    }
    return new Enumeration(type, members).members.get(index);
  }

  /**
   * The name of its enum.
   *
   * @return the simple name of a Java enum
   */
  public String type() {
    return of.name;
  }

  /**
   * The names of all members of its enum.
   *
   * @return the names, in their order; they can't be changed
   */
  public List<String> members() {
    return of.names;
  }

  /**
   * The place of the member among all.
   *
   * @return 0 for the first
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
   * The constant of a Java enum that has the member's name.
   *
   * @param <E> the enum
   * @param type the enum's class
   * @return the constant
   * @throws IllegalArgumentException if the enum has none of that name
   */
  public <E extends Enum<E>> E as(Class<E> type) {
    return Enum.valueOf(type, name());
  }

  Enumeration enumeration() {
    return of;
  }

  /** Members are equal if their enums have the same names and they are the same one. */
  @Override
  public boolean equals(Object other) {
    return other instanceof EnumMember member && index == member.index && of.equals(member.of);
  }

  @Override
  public int hashCode() {
    return 31 * of.hashCode() + index;
  }

  /** The enum and the member, such as {@code Color.RED}. */
  @Override
  public String toString() {
    return of.name + "." + name();
  }
}
