package io.github.serow.schema;

import io.github.serow.SerowException;
import io.github.serow.logical.CompositeType;
import io.github.serow.logical.CompositeTypes;
import io.github.serow.types.TypeCodes;
import io.github.serow.types.TypeForms;
import io.github.serow.wire.ColumnLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The tree of a canonical type list, with the columns of each type's values.
 *
 * <p>Readers, writers and their generators walk it. {@link io.github.serow.types.TypeTree} joins
 * types and formats them.
 */
public final class Type {
  /** The kinds of types. */
  public enum Kind {
    I64,
    F64,
    STR,
    BOOL,
    NULL,
    NEVER,
    /** One part: the type of a value that is not null. */
    OPTIONAL,
    /** A part for each field. */
    LIST,
    /** A part for each field. */
    TUPLE,
    /** One part: the element. */
    LIST_SEQUENCE,
    /** One part: the element. */
    TUPLE_SEQUENCE,
    /** One part: the element. */
    SET,
    /** One part: the element. */
    FROZENSET,
    /** Two parts: the key and the value. */
    MAP,
    /** A dict with fixed keys: a part for each key, which may be {@link #MAYBE}. */
    DICT,
    /** A part for each field. */
    RECORD,
    /** One part: the type of a key's value if the key is not missing. */
    MAYBE,
    /** A part for each arm. */
    UNION,
    /** A member of an enum. */
    ENUM,
    /** A composite value; its components have columns of their own. */
    LOGICAL
  }

  public final Kind kind;

  /** The parts of the type; see {@link Kind}. */
  public final List<Type> parts;

  /**
   * The index, among the columns of its kind, of the column with the value (i64, f64, str, bool),
   * the presence (optional, maybe), the length (sequence, set, map), the arm (union), the index of
   * the member (enum), or the first integer or float component. -1 if there is none.
   */
  public final int column;

  /**
   * The composite type of {@link Kind#LOGICAL}; otherwise null. A mapping may replace it by the
   * type for a declared class, before this type is shared.
   */
  public CompositeType logical;

  /** The names of the parts of a dict or record; otherwise null. */
  public final Names names;

  /** The names of the members of an enum; otherwise null. */
  public final Enumeration enumeration;

  /** The column of the byte component. -1 if there is none. */
  public final int bytes;

  /**
   * True if {@link #column} has exactly one value per row, so that the row's index is the value's.
   * False under an optional, a sequence or a union; then a cursor counts the values.
   */
  public final boolean oneARow;

  /**
   * The mapping to the caller's own objects; null for plain objects. It is set once, before the
   * type is shared.
   */
  public Mapping mapping;

  /**
   * The value of this field if the rows of a message lack it, of the type of the mapping; null if
   * there is none. It is set once, together with {@link #mapping}.
   */
  public Object fallback;

  /**
   * The former names of a mapped record or enum and of its parts. They are set once, together with
   * {@link #mapping}.
   */
  public Former former = Former.NONE;

  /** Whether values are or contain arrays, which Java's sets don't compare by value. */
  public final boolean hasArrays;

  /** The smallest number of bytes of a value in the row wire. No record has one of type never. */
  public final int least;

  // The range of this type in the type list.
  private final int[] typeList;
  private final int begin;
  private final int end;

  /** Makes all times in this type portable. This happens once, before it is shared. */
  public void makePortable() {
    makePortable(false);
  }

  /** {@code differs}: whether values must differ, as elements of a set and keys of a map do. */
  private void makePortable(boolean differs) {
    if (logical != null) {
      logical = CompositeTypes.portable(logical, differs);
    }
    for (int i = 0; i < parts.size(); i++) {
      boolean isElement = kind == Kind.SET || kind == Kind.FROZENSET || kind == Kind.MAP && i == 0;
      parts.get(i).makePortable(differs || isElement);
    }
  }

  private Type(Kind kind, List<Type> parts, int column, boolean oneARow, Own own) {
    this.kind = kind;
    this.parts = parts;
    this.column = column;
    this.oneARow = oneARow;
    logical = own.logical;
    bytes = own.bytes;
    names = own.names;
    enumeration = own.enumeration;
    typeList = own.typeList;
    begin = own.begin;
    end = own.end;
    least =
        switch (kind) {
          case NULL -> 0;
          case F64 -> Double.BYTES;
          case LIST, TUPLE, DICT, RECORD -> parts.stream().mapToInt(part -> part.least).sum();
          case LOGICAL -> logical.leastBytes();
          default -> 1;
        };
    hasArrays =
        switch (kind) {
          case TUPLE, TUPLE_SEQUENCE -> true;
          case LOGICAL -> logical == CompositeTypes.BYTES;
          default -> parts.stream().anyMatch(part -> part.hasArrays);
        };
  }

  /** The properties that only some kinds of types have. */
  private record Own(
      int[] typeList,
      int begin,
      int end,
      CompositeType logical,
      int bytes,
      Names names,
      Enumeration enumeration) {}

  /** The smallest number of bytes of an element or entry of this sequence, set or map. */
  public int leastOfElement() {
    return parts.stream().mapToInt(part -> part.least).sum();
  }

  public Type part() {
    return parts.get(0);
  }

  public boolean isScalar() {
    return switch (kind) {
      case I64, F64, STR, BOOL, NULL, NEVER, LOGICAL, ENUM -> true;
      default -> false;
    };
  }

  public boolean isList() {
    return kind == Kind.LIST || kind == Kind.LIST_SEQUENCE;
  }

  /** Whether a value has any number of elements or entries. */
  public boolean isSequence() {
    return switch (kind) {
      case LIST_SEQUENCE, TUPLE_SEQUENCE, SET, FROZENSET, MAP -> true;
      default -> false;
    };
  }

  /** Whether a value has a fixed number of fields. */
  public boolean isFields() {
    return switch (kind) {
      case LIST, TUPLE, DICT, RECORD -> true;
      default -> false;
    };
  }

  /** Whether all values of this type are tuples or null. */
  public boolean isTuple() {
    return switch (kind) {
      case TUPLE, TUPLE_SEQUENCE -> true;
      case OPTIONAL, UNION -> parts.stream().allMatch(Type::isTuple);
      default -> false;
    };
  }

  /** The type list of this type. */
  public int[] typeList() {
    return Arrays.copyOfRange(typeList, begin, end);
  }

  @Override
  public String toString() {
    return TypeForms.text(typeList());
  }

  /** The type of a row, and the columns of its frames. */
  public record Root(Type type, ColumnLayout columns) {}

  /** Parses a canonical type list. */
  public static Root parse(int[] typeList) {
    Parser parser = new Parser(typeList);
    Type type = parser.type(true);
    return new Root(type, parser.columns.build());
  }

  /** Assigns columns in the order of the list, which is the order in the plan. */
  private static final class Parser {
    private final int[] list;
    private int at;
    private final ColumnLayout.Builder columns = new ColumnLayout.Builder();

    Parser(int[] list) {
      this.list = list;
    }

    Type type(boolean oneARow) {
      int start = at;
      int code = list[at++];
      return switch (code) {
        case TypeCodes.I64 -> make(Kind.I64, List.of(), columns.addInt(oneARow), oneARow, start);
        case TypeCodes.F64 -> make(Kind.F64, List.of(), columns.addFloat(oneARow), oneARow, start);
        case TypeCodes.STR -> make(Kind.STR, List.of(), columns.addStr(oneARow), oneARow, start);
        case TypeCodes.BOOL -> make(Kind.BOOL, List.of(), columns.addBit(oneARow), oneARow, start);
        case TypeCodes.NULL -> make(Kind.NULL, List.of(), -1, oneARow, start);
        case TypeCodes.NEVER -> make(Kind.NEVER, List.of(), -1, oneARow, start);
        case TypeCodes.OPTIONAL -> part(Kind.OPTIONAL, columns.addBit(oneARow), oneARow, start);
        case TypeCodes.LIST -> part(Kind.LIST_SEQUENCE, columns.addInt(oneARow), oneARow, start);
        case TypeCodes.TUPLE -> part(Kind.TUPLE_SEQUENCE, columns.addInt(oneARow), oneARow, start);
        case TypeCodes.SET -> part(Kind.SET, columns.addInt(oneARow), oneARow, start);
        case TypeCodes.FROZENSET -> part(Kind.FROZENSET, columns.addInt(oneARow), oneARow, start);
        case TypeCodes.MAP -> {
          int column = columns.addInt(oneARow);
          yield make(Kind.MAP, List.of(type(false), type(false)), column, oneARow, start);
        }
        case TypeCodes.DICT_BEGIN -> fields(Kind.DICT, null, oneARow, start);
        case TypeCodes.RECORD_BEGIN -> fields(Kind.RECORD, name(), oneARow, start);
        case TypeCodes.ENUM, TypeCodes.INT_ENUM, TypeCodes.STR_ENUM ->
            enumeration(code, oneARow, start);
        case TypeCodes.LIST_BEGIN ->
            make(Kind.LIST, parts(TypeCodes.LIST_END, oneARow), -1, oneARow, start);
        case TypeCodes.TUPLE_BEGIN ->
            make(Kind.TUPLE, parts(TypeCodes.TUPLE_END, oneARow), -1, oneARow, start);
        case TypeCodes.UNION_BEGIN -> {
          int column = columns.addInt(oneARow);
          yield make(Kind.UNION, parts(TypeCodes.UNION_END, false), column, oneARow, start);
        }
        default -> logical(code, oneARow, start);
      };
    }

    private Type logical(int code, boolean oneARow, int start) {
      CompositeType logical = CompositeTypes.ofCode(code);
      if (logical == null) {
        throw new SerowException("code " + code + " of a type list is unknown");
      }
      int ints = columns.addIntParts(logical.ints(), oneARow);
      int floats = columns.addFloatParts(logical.floats(), oneARow);
      int column = logical.ints() > 0 ? ints : logical.floats() > 0 ? floats : -1;
      int text = logical.hasBytes() ? columns.addBytes() : -1;
      Own own = new Own(list, start, at, logical, text, null, null);
      return new Type(Kind.LOGICAL, List.of(), column, oneARow, own);
    }

    /** Parses the parts of a dict or record after its name. */
    private Type fields(Kind kind, String name, boolean oneARow, int start) {
      List<String> names = new ArrayList<>();
      List<Type> parts = new ArrayList<>();
      BitSet maybe = new BitSet();
      for (int code; (code = list[at++]) != TypeCodes.STRUCT_END; ) {
        names.add(name());
        int begin = at;
        if (code == TypeCodes.MAYBE_FIELD) {
          maybe.set(parts.size());
          parts.add(part(Kind.MAYBE, columns.addBit(oneARow), oneARow, begin));
        } else {
          parts.add(type(oneARow));
        }
      }
      Own own = new Own(list, start, at, null, -1, new Names(name, names, maybe), null);
      return new Type(kind, List.copyOf(parts), -1, oneARow, own);
    }

    private Type enumeration(int code, boolean oneARow, int start) {
      String name = name();
      List<String> members = new ArrayList<>();
      List<Object> values = new ArrayList<>();
      for (int count = list[at++]; count > 0; count--) {
        members.add(name());
        if (code == TypeCodes.INT_ENUM) {
          values.add(TypeForms.integer(list[at], list[at + 1]));
          at += 2;
        } else if (code == TypeCodes.STR_ENUM) {
          values.add(name());
        }
      }
      Own own = new Own(list, start, at, null, -1, null, new Enumeration(name, members, values));
      return new Type(Kind.ENUM, List.of(), columns.addInt(oneARow), oneARow, own);
    }

    private String name() {
      int length = list[at++];
      at += length;
      return new String(list, at - length, length);
    }

    private Type part(Kind kind, int column, boolean oneARow, int start) {
      return make(kind, List.of(type(false)), column, oneARow, start);
    }

    private List<Type> parts(int end, boolean oneARow) {
      List<Type> parts = new ArrayList<>();
      while (list[at] != end) {
        parts.add(type(oneARow));
      }
      at++;
      return List.copyOf(parts);
    }

    private Type make(Kind kind, List<Type> parts, int column, boolean oneARow, int start) {
      Own own = new Own(list, start, at, null, -1, null, null);
      return new Type(kind, parts, column, oneARow, own);
    }
  }
}
