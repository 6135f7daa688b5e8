package io.github.serow.internal.types;

/**
 * The codes of type lists, as in {@code docs/wire-format.md}. The codes from 16 to 27, and from 41
 * to 49, belong to {@link io.github.serow.internal.logical.CompositeTypes}.
 */
public final class TypeCodes {
  public static final int I64 = 1;
  public static final int F64 = 2;
  public static final int STR = 3;
  public static final int LIST_BEGIN = 4;
  public static final int TUPLE_BEGIN = 5;
  public static final int LIST_END = 6;
  public static final int TUPLE_END = 7;
  public static final int BOOL = 8;
  public static final int NULL = 9;
  public static final int OPTIONAL = 10;
  public static final int LIST = 11;
  public static final int TUPLE = 12;
  public static final int UNION_BEGIN = 13;
  public static final int UNION_END = 14;
  public static final int NEVER = 15;
  public static final int SET = 28;
  public static final int FROZENSET = 29;
  public static final int MAP = 30;
  public static final int DICT_BEGIN = 31;
  public static final int RECORD_BEGIN = 32;
  public static final int STRUCT_END = 33;
  public static final int FIELD = 34;
  public static final int MAYBE_FIELD = 35;
  public static final int ENUM = 36;
  public static final int INT_ENUM = 37;
  public static final int STR_ENUM = 38;

  private TypeCodes() {}
}
