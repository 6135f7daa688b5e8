package io.github.serow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The tree that a canonical type list spells, with the column of each type's values.
 *
 * <p>It is there for the generators to walk. What types join to, and how they are spelled, is known
 * to native code alone.
 */
final class Type {
  /** The kinds of types. */
  enum Kind {
    I64,
    F64,
    STR,
    BOOL,
    NULL,
    NEVER,
    /** One part: null or that. */
    OPTIONAL,
    /** A part a field. */
    LIST,
    /** A part a field. */
    TUPLE,
    /** One part: the element. */
    LIST_SEQUENCE,
    /** One part: the element. */
    TUPLE_SEQUENCE,
    /** A part an arm. */
    UNION,
    /** A value that is made of parts, which have columns of their own. */
    LOGICAL
  }

  // The codes of docs/wire-format.md.
  private static final int LIST_BEGIN = 4;
  private static final int TUPLE_BEGIN = 5;
  private static final int LIST_END = 6;
  private static final int TUPLE_END = 7;
  private static final int UNION_BEGIN = 13;
  private static final int UNION_END = 14;

  final Kind kind;

  /** What the type is made of; see {@link Kind}. */
  final List<Type> parts;

  /**
   * The column, among those of its kind, of the value (i64, f64, str, bool), the presence
   * (optional), the length (sequence) or the arm (union), or the first of the columns of a value's
   * parts that are numbers. -1 where there is none.
   */
  final int column;

  /** What a value of {@link Kind#LOGICAL} is; or null. */
  final Logical logical;

  /** The column of the bytes among a value's parts. -1 where there is none. */
  final int bytes;

  /**
   * True if every row has just one value in {@link #column}, so that its index is the row's. False
   * under an optional, a sequence or a union, where values are counted as they come.
   */
  final boolean oneARow;

  private final int[] typeList;

  private Type(
      Kind kind,
      List<Type> parts,
      int column,
      Logical logical,
      int bytes,
      boolean oneARow,
      int[] typeList) {
    this.kind = kind;
    this.parts = parts;
    this.column = column;
    this.logical = logical;
    this.bytes = bytes;
    this.oneARow = oneARow;
    this.typeList = typeList;
  }

  /** The only part of an optional or a sequence. */
  Type part() {
    return parts.get(0);
  }

  boolean isScalar() {
    return switch (kind) {
      case I64, F64, STR, BOOL, NULL, NEVER, LOGICAL -> true;
      default -> false;
    };
  }

  boolean isList() {
    return kind == Kind.LIST || kind == Kind.LIST_SEQUENCE;
  }

  boolean isSequence() {
    return kind == Kind.LIST_SEQUENCE || kind == Kind.TUPLE_SEQUENCE;
  }

  /** True if all values of this type are tuples or null. */
  boolean isTuple() {
    return switch (kind) {
      case TUPLE, TUPLE_SEQUENCE -> true;
      case OPTIONAL, UNION -> parts.stream().allMatch(Type::isTuple);
      default -> false;
    };
  }

  /** The type of the value at {@code path}, if fields and elements alone lead there; or null. */
  Type at(int[] path) {
    Type type = this;
    for (int field : path) {
      if (type.kind == Kind.OPTIONAL) {
        type = type.part();
      }
      if (type.isSequence()) {
        type = type.part();
      } else if ((type.kind == Kind.LIST || type.kind == Kind.TUPLE) && field < type.parts.size()) {
        type = type.parts.get(field);
      } else {
        return null;
      }
    }
    return type;
  }

  /** The text of this type. */
  @Override
  public String toString() {
    return Native.schemaText(typeList);
  }

  /**
   * A whole row's type, and how many columns of each kind it has. Those of {@code strs} that are in
   * {@code bytes} hold bytes and no text.
   */
  record Root(Type type, int ints, int floats, int strs, BitSet bytes, int bits) {}

  /** Reads a canonical type list, as native code gives it. */
  static Root parse(int[] typeList) {
    Parser parser = new Parser(typeList);
    Type type = parser.type(true);
    return new Root(type, parser.ints, parser.floats, parser.strs, parser.bytes, parser.bits);
  }

  /** Hands out columns in the list's order, which is the order of the plan. */
  private static final class Parser {
    private final int[] list;
    private int at;
    private int ints;
    private int floats;
    private int strs;
    private final BitSet bytes = new BitSet();
    private int bits;

    Parser(int[] list) {
      this.list = list;
    }

    Type type(boolean oneARow) {
      int start = at;
      int code = list[at++];
      return switch (code) {
        case 1 -> make(Kind.I64, List.of(), ints++, oneARow, start);
        case 2 -> make(Kind.F64, List.of(), floats++, oneARow, start);
        case 3 -> make(Kind.STR, List.of(), strs++, oneARow, start);
        case 8 -> make(Kind.BOOL, List.of(), bits++, oneARow, start);
        case 9 -> make(Kind.NULL, List.of(), -1, oneARow, start);
        case 15 -> make(Kind.NEVER, List.of(), -1, oneARow, start);
        case 10 -> part(Kind.OPTIONAL, bits++, oneARow, start);
        case 11 -> part(Kind.LIST_SEQUENCE, ints++, oneARow, start);
        case 12 -> part(Kind.TUPLE_SEQUENCE, ints++, oneARow, start);
        case LIST_BEGIN -> make(Kind.LIST, parts(LIST_END, oneARow), -1, oneARow, start);
        case TUPLE_BEGIN -> make(Kind.TUPLE, parts(TUPLE_END, oneARow), -1, oneARow, start);
        case UNION_BEGIN -> {
          int column = ints++;
          yield make(Kind.UNION, parts(UNION_END, false), column, oneARow, start);
        }
        default -> logical(code, oneARow, start);
      };
    }

    private Type logical(int code, boolean oneARow, int start) {
      Logical logical = Logicals.ofCode(code);
      if (logical == null) {
        throw new SerowException("code " + code + " of a type list is not known here");
      }
      int column = logical.ints() > 0 ? ints : logical.floats() > 0 ? floats : -1;
      ints += logical.ints();
      floats += logical.floats();
      int text = -1;
      if (logical.hasBytes()) {
        text = strs++;
        bytes.set(text);
      }
      int[] list = Arrays.copyOfRange(this.list, start, at);
      return new Type(Kind.LOGICAL, List.of(), column, logical, text, oneARow, list);
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
      int[] own = Arrays.copyOfRange(list, start, at);
      return new Type(kind, parts, column, null, -1, oneARow, own);
    }
  }
}
