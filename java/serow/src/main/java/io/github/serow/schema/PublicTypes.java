package io.github.serow.schema;

import io.github.serow.EnumMember;
import io.github.serow.FrozenSet;
import io.github.serow.Row;
import io.github.serow.Schema;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashSet;

/**
 * Makes values of the public types of {@code io.github.serow} without a copy and looks into them,
 * for the other packages of this module. The public types have no public methods for this, since
 * users have no use for the classes involved.
 */
public final class PublicTypes {
  /** What the package of the public types can do, and hands over with {@link #give}. */
  public interface Access {
    Row row(Names names, Object[] values);

    Names names(Row row);

    Object[] values(Row row);

    EnumMember member(Enumeration of, int index);

    Enumeration enumeration(EnumMember member);

    <E> FrozenSet<E> frozenSet(LinkedHashSet<E> elements);

    Schema schema(int[] typeList);

    int[] typeList(Schema schema);
  }

  private static volatile Access given;

  /** The JIT compiler takes the field for a constant, and a call of it becomes the call behind. */
  private static final class Holder {
    static final Access ACCESS = load();

    private static Access load() {
      try {
        MethodHandles.lookup().ensureInitialized(Row.class);
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("Row is public", e);
      }
      return given;
    }
  }

  private PublicTypes() {}

  /** Called once, when {@link Row} is initialized. */
  public static void give(Access access) {
    given = access;
  }

  /** A row that has this array itself, which must not change. */
  public static Row row(Names names, Object[] values) {
    return Holder.ACCESS.row(names, values);
  }

  public static Names names(Row row) {
    return Holder.ACCESS.names(row);
  }

  /** The array that a row has, which must not be changed. */
  public static Object[] values(Row row) {
    return Holder.ACCESS.values(row);
  }

  public static EnumMember member(Enumeration of, int index) {
    return Holder.ACCESS.member(of, index);
  }

  public static Enumeration enumeration(EnumMember member) {
    return Holder.ACCESS.enumeration(member);
  }

  /** A set that has these elements itself, which must not change. */
  public static <E> FrozenSet<E> frozenSet(LinkedHashSet<E> elements) {
    return Holder.ACCESS.frozenSet(elements);
  }

  /** The schema of a canonical type list, which native code has made. */
  public static Schema schema(int[] typeList) {
    return Holder.ACCESS.schema(typeList);
  }

  /** The array that a schema has, which must not be changed. */
  public static int[] typeList(Schema schema) {
    return Holder.ACCESS.typeList(schema);
  }
}
