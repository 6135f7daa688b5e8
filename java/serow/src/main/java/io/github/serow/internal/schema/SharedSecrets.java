package io.github.serow.internal.schema;

import io.github.serow.EnumMember;
import io.github.serow.FrozenSet;
import io.github.serow.Row;
import io.github.serow.Schema;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeForms;
import java.lang.invoke.MethodHandles;
import java.util.LinkedHashSet;

/**
 * Access to internals of the public types of {@code io.github.serow}, without copies, for the other
 * packages of this module. The public types have no public methods for this, because users don't
 * need the classes involved.
 */
public final class SharedSecrets {
  /**
   * The operations that the package of the public types implements and registers with {@link
   * #give}.
   */
  public interface Access {
    Row row(Names names, Object[] values);

    Names names(Row row);

    Object[] values(Row row);

    EnumMember member(Enumeration of, int index);

    Enumeration enumeration(EnumMember member);

    <E> FrozenSet<E> frozenSet(LinkedHashSet<E> elements);

    Schema schema(int[] typeList);

    int[] typeList(Schema schema);

    byte[] bytes(Schema schema);
  }

  private static volatile Access given;

  /** Holder idiom: the JIT compiler treats the field as a constant and inlines calls of it. */
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

  private SharedSecrets() {}

  /** Called once, when {@link Row} is initialized. */
  public static void give(Access access) {
    given = access;
  }

  /** A row that wraps this array, which must not change. */
  public static Row row(Names names, Object[] values) {
    return Holder.ACCESS.row(names, values);
  }

  public static Names names(Row row) {
    return Holder.ACCESS.names(row);
  }

  /** The internal array of a row, which must not be modified. */
  public static Object[] values(Row row) {
    return Holder.ACCESS.values(row);
  }

  public static EnumMember member(Enumeration of, int index) {
    return Holder.ACCESS.member(of, index);
  }

  public static Enumeration enumeration(EnumMember member) {
    return Holder.ACCESS.enumeration(member);
  }

  /** A set that wraps these elements, which must not change. */
  public static <E> FrozenSet<E> frozenSet(LinkedHashSet<E> elements) {
    return Holder.ACCESS.frozenSet(elements);
  }

  /** A schema from a canonical type list. */
  public static Schema schema(int[] typeList) {
    return Holder.ACCESS.schema(typeList);
  }

  /** The internal array of a schema, which must not be modified. */
  public static int[] typeList(Schema schema) {
    return Holder.ACCESS.typeList(schema);
  }

  /** The type of a schema's rows. */
  public static Type type(Schema schema) {
    return TypeForms.tree(typeList(schema));
  }

  /** The internal bytes of a schema in messages, which must not be modified. */
  public static byte[] bytes(Schema schema) {
    return Holder.ACCESS.bytes(schema);
  }
}
