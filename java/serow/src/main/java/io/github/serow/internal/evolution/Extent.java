package io.github.serow.internal.evolution;

import io.github.serow.internal.logical.CompositeType;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.RecordIn;
import java.util.ArrayList;
import java.util.List;

/** The bytes of a value of some type. It finds their end, and checks nothing else. */
final class Extent {
  private enum Kind {
    /** Numbers of any length, then a fixed number of bytes, and a text or bytes. */
    COMPONENTS,
    FIELDS,
    SEQUENCE,
    UNION
  }

  private static final Extent[] NONE = {};

  private final Kind kind;

  /** Whether a bit comes first, and nothing else if it is 0. */
  private final boolean isOptional;

  /** The number of numbers of any length. */
  private final int numbers;

  /** The fixed number of bytes. */
  private final int bytes;

  private final boolean hasText;
  private final Extent[] parts;

  private Extent(
      Kind kind, boolean isOptional, int numbers, int bytes, boolean hasText, Extent... parts) {
    this.kind = kind;
    this.isOptional = isOptional;
    this.numbers = numbers;
    this.bytes = bytes;
    this.hasText = hasText;
    this.parts = parts;
  }

  private static Extent of(Kind kind, Extent... parts) {
    return new Extent(kind, false, 0, 0, false, parts);
  }

  private static Extent components(int numbers, int bytes, boolean hasText) {
    return new Extent(Kind.COMPONENTS, false, numbers, bytes, hasText);
  }

  private Extent optional() {
    return isOptional
        ? new Extent(Kind.FIELDS, true, 0, 0, false, this)
        : new Extent(kind, true, numbers, bytes, hasText, parts);
  }

  static Extent of(Type type) {
    return switch (type.code()) {
      case TypeCodes.I64, TypeCodes.ENUM, TypeCodes.INT_ENUM, TypeCodes.STR_ENUM ->
          components(1, 0, false);
      case TypeCodes.F64 -> components(0, Double.BYTES, false);
      case TypeCodes.BOOL -> components(0, 1, false);
      case TypeCodes.NULL, TypeCodes.NEVER -> components(0, 0, false);
      case TypeCodes.STR -> components(0, 0, true);
      case TypeCodes.OPTIONAL -> of(type.required()).optional();
      case TypeCodes.LIST, TypeCodes.TUPLE, TypeCodes.SET, TypeCodes.FROZENSET, TypeCodes.MAP ->
          of(Kind.SEQUENCE, fields(parts(type)));
      case TypeCodes.UNION_BEGIN -> of(Kind.UNION, parts(type));
      case TypeCodes.LIST_BEGIN,
          TypeCodes.TUPLE_BEGIN,
          TypeCodes.DICT_BEGIN,
          TypeCodes.RECORD_BEGIN ->
          fields(parts(type));
      default -> of(CompositeTypes.ofCode(type.code()));
    };
  }

  private static Extent of(CompositeType type) {
    if (type == CompositeTypes.I8 || type == CompositeTypes.U8) {
      return components(0, 1, false);
    }
    if (type == CompositeTypes.F32) {
      return components(0, Float.BYTES, false);
    }
    return components(type.ints(), type.floats() * Double.BYTES, type.hasBytes());
  }

  private static Extent[] parts(Type type) {
    List<Extent> parts = new ArrayList<>();
    for (int i = 0; i < type.parts().size(); i++) {
      parts.add(ofPart(type, i));
    }
    return parts.toArray(NONE);
  }

  /** The bytes of part {@code i} of a type, with that which says whether it is missing. */
  static Extent ofPart(Type type, int i) {
    Extent part = of(type.parts().get(i));
    return type.maybe().get(i) ? part.optional() : part;
  }

  private static Extent fields(Extent[] parts) {
    if (parts.length == 1) {
      return parts[0];
    }
    int all = 0;
    for (Extent part : parts) {
      if (!part.isFixed()) {
        return of(Kind.FIELDS, parts);
      }
      all += part.bytes;
    }
    return components(0, all, false);
  }

  /** Whether all values have the same number of bytes. */
  private boolean isFixed() {
    return kind == Kind.COMPONENTS && !isOptional && numbers == 0 && !hasText;
  }

  /** Goes on to the end of a value. */
  void skip(RecordIn in) {
    if (isOptional && !in.bit()) {
      return;
    }
    if (kind == Kind.COMPONENTS) {
      in.skip(numbers, bytes, hasText);
    } else {
      skipParts(in);
    }
  }

  private void skipParts(RecordIn in) {
    switch (kind) {
      case FIELDS -> {
        for (Extent part : parts) {
          part.skip(in);
        }
      }
      case SEQUENCE -> skipElements(in);
      default -> parts[in.arm(parts.length)].skip(in);
    }
  }

  private void skipElements(RecordIn in) {
    int count = in.number(Integer.MAX_VALUE);
    Extent element = parts[0];
    if (element.isFixed()) {
      in.skip((long) count * element.bytes);
      return;
    }
    // Each has at least a byte, so the loop ends with the record.
    for (int i = 0; i < count; i++) {
      element.skip(in);
    }
  }
}
