package io.github.serow.internal.evolution;

import io.github.serow.LimitException;
import io.github.serow.SchemaException;
import io.github.serow.internal.evolution.EntriesConversion.Entry;
import io.github.serow.internal.evolution.FieldsConversion.Step;
import io.github.serow.internal.logical.CompositeTypes;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.schema.Former;
import io.github.serow.internal.types.NumberTypes;
import io.github.serow.internal.types.Type;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.types.TypeForms;
import io.github.serow.internal.wire.Limits;
import io.github.serow.internal.wire.RecordOut;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/**
 * Walks a writer's and a reader's type at once: which types can be read as which, and what a field
 * gets that the writer lacks. {@code crates/core/src/plan/rules.rs} has the same rules, and {@code
 * docs/evolution.md} explains them.
 */
public final class Evolution {
  private static final String LACKS = "the writer's schema lacks it";

  /** The steps from the rows to the current part, outermost first, as errors have them. */
  private final Deque<String> path = new ArrayDeque<>();

  private int steps;

  /** The length of the path at the union whose arm is walked. */
  private int armDepth = -1;

  private Evolution() {}

  /** An arm of the writer's union can't be read, whatever is inside. */
  private static final class OtherArmException extends SchemaException {
    private static final long serialVersionUID = 1L;

    OtherArmException() {
      super("an arm can't be read");
    }

    @Override
    public Throwable fillInStackTrace() {
      // A message may have very many arms.
      return this;
    }
  }

  /**
   * The conversion of records of {@code writer}'s schema to those of {@code reader}'s.
   *
   * @param writer the node of plain rows of the writer's schema
   * @param reader the node of the reader's rows, which knows defaults and former names
   * @throws SchemaException if there is none; it says why, but not for which schemas
   * @throws LimitException if it takes too many steps
   */
  public static Conversion of(Node writer, Node reader) {
    // The type of rows may have any name.
    return new Evolution().value(Part.of(writer), Part.of(reader), false);
  }

  private void step() {
    if (++steps > Limits.MAX_RESOLVED) {
      throw new LimitException(
          "reading rows of one schema as rows of the other takes more than "
              + Limits.MAX_RESOLVED
              + " steps");
    }
  }

  private SchemaException refused(String why) {
    if (path.size() == armDepth) {
      return new OtherArmException();
    }
    return new SchemaException(
        (path.isEmpty() ? "a row" : "field " + String.join(".", path)) + ": " + why);
  }

  /** A value of a part that is one step further in. */
  private Conversion inside(String step, Part w, Part r) {
    path.addLast(step);
    Conversion conversion = value(w, r, true);
    path.removeLast();
    return conversion;
  }

  /** {@code isNamed} says whether the names of records and enums must agree. */
  private Conversion value(Part w, Part r, boolean isNamed) {
    step();
    int from = w.type().code();
    int to = r.type().code();
    if (w.type().equals(r.type())) {
      return new CopyConversion(w.type());
    }
    if (from == TypeCodes.NEVER) {
      return Conversions.NEVER;
    }
    if (from == TypeCodes.NULL && to == TypeCodes.OPTIONAL) {
      return Conversions.ABSENT;
    }
    if (from == TypeCodes.OPTIONAL && to == TypeCodes.OPTIONAL) {
      return Conversions.optional(value(w.required(), r.required(), isNamed));
    }
    if (from == TypeCodes.NULL || from == TypeCodes.OPTIONAL) {
      throw refused("it may be null, but " + r.type() + " may not be null");
    }
    if (to == TypeCodes.OPTIONAL) {
      return Conversions.present(value(w, r.required(), isNamed));
    }
    if (from == TypeCodes.UNION_BEGIN) {
      return ofUnion(w, r);
    }
    if (to == TypeCodes.UNION_BEGIN) {
      int arm = arm(w.type(), r);
      return Conversions.toArm(arm, value(w, r.part(arm), true));
    }
    return single(w, r, isNamed);
  }

  /** A value that is neither null nor one of a union. */
  private Conversion single(Part w, Part r, boolean isNamed) {
    Type from = w.type();
    Type to = r.type();
    if (from.isEnum() && to.isEnum()) {
      checkName(isNamed, "enum", w, r);
      Former former = r.node() == null ? Former.NONE : r.node().former();
      return Conversions.member(from, NameMatch.members(from, to, former));
    }
    if (isFixed(from) && isFixed(to)) {
      return fixed(w, r);
    }
    if (isFixed(from) && isSequence(to)) {
      return elementsOfFields(w, r);
    }
    if (isSequence(from) && isSequence(to)
        || from.code() == TypeCodes.MAP && to.code() == TypeCodes.MAP) {
      return elements(w, r);
    }
    if ((from.code() == TypeCodes.LIST || from.code() == TypeCodes.TUPLE) && isFixed(to)) {
      return fieldsOfElements(w, r);
    }
    if (isStruct(from) && isStruct(to)) {
      if (from.isRecord() && to.isRecord()) {
        checkName(isNamed, "record", w, r);
      }
      return struct(w, r);
    }
    if (from.code() == TypeCodes.DICT_BEGIN && to.code() == TypeCodes.MAP) {
      return entries(w, r);
    }
    if (from.code() == CompositeTypes.NDARRAY.code() && to.code() == TypeCodes.LIST) {
      Conversion lists = ArrayConversion.of(w.node(), to);
      if (lists == null) {
        throw refused("ndarray can't be read as " + to);
      }
      return lists;
    }
    // Mutable bytes are stored like others.
    if (CompositeTypes.isBytes(from.code()) && CompositeTypes.isBytes(to.code())) {
      return new CopyConversion(from);
    }
    boolean areNumbers = NumberTypes.isNumber(from.code()) && NumberTypes.isNumber(to.code());
    if (areNumbers && (NumberTypes.isFloat(to.code()) || !NumberTypes.isFloat(from.code()))) {
      return new NumberConversion(from, to);
    }
    throw refused(kind(from) + " can't be read as " + kind(to));
  }

  private static boolean isFixed(Type type) {
    return type.code() == TypeCodes.LIST_BEGIN || type.code() == TypeCodes.TUPLE_BEGIN;
  }

  private static boolean isSequence(Type type) {
    return switch (type.code()) {
      case TypeCodes.LIST, TypeCodes.TUPLE, TypeCodes.SET, TypeCodes.FROZENSET -> true;
      default -> false;
    };
  }

  private static boolean isStruct(Type type) {
    return type.code() == TypeCodes.DICT_BEGIN || type.code() == TypeCodes.RECORD_BEGIN;
  }

  private void checkName(boolean isNamed, String what, Part w, Part r) {
    String name = w.type().name();
    if (isNamed && !name.equals(r.type().name()) && !r.was(name)) {
      String have = TypeForms.word(name);
      String want = TypeForms.word(r.type().name());
      throw refused(
          "it is %s %s, not %s; if it was renamed, give %s the former name %s"
              .formatted(what, have, want, want, have));
    }
  }

  private int arm(Type type, Part union) {
    int arm = Arms.find(type, union);
    if (arm < 0) {
      throw refused(type + " is not an arm of " + union.type());
    }
    return arm;
  }

  /**
   * A value of a union. An arm that can't be read makes only its values errors, if others can be
   * read. But a part inside an arm that can't be read is a mistake of the types, as anywhere else.
   */
  private Conversion ofUnion(Part w, Part r) {
    Conversion[] arms = new Conversion[w.size()];
    int outer = armDepth;
    armDepth = path.size();
    boolean isRead = false;
    for (int i = 0; i < arms.length; i++) {
      Part arm = w.part(i);
      try {
        arms[i] = value(arm, r, true);
        isRead = true;
      } catch (OtherArmException e) {
        arms[i] = OtherArm.conversion(arm.type(), r.type());
      }
    }
    armDepth = outer;
    if (!isRead) {
      throw refused("none of " + w.type() + " can be read as " + r.type());
    }
    return Conversions.ofArm(arms);
  }

  /** A list or tuple of fixed shape. */
  private Conversion fixed(Part w, Part r) {
    if (w.size() != r.size()) {
      throw refused("it has " + w.size() + " fields without names, not " + r.size());
    }
    List<Step> fields = new ArrayList<>();
    for (int i = 0; i < w.size(); i++) {
      Conversion field = inside(String.valueOf(i), w.part(i), r.part(i));
      fields.add(step(w, i, field, r.node(), i));
    }
    return fields(w, fields);
  }

  private static Step step(Part w, int from, Conversion conversion, Node node, int place) {
    boolean isCopied = conversion instanceof CopyConversion;
    return new Step(from, isCopied ? Extent.ofPart(w.type(), from) : null, conversion, node, place);
  }

  private static Conversion fields(Part w, List<Step> steps) {
    boolean areCopied = steps.size() == w.size();
    for (int i = 0; areCopied && i < steps.size(); i++) {
      areCopied = steps.get(i).extent() != null && steps.get(i).from() == i;
    }
    return areCopied ? new CopyConversion(w.type()) : new FieldsConversion(w, steps);
  }

  /** A list or tuple of fixed shape as a sequence. */
  private Conversion elementsOfFields(Part w, Part r) {
    List<Entry> fields = new ArrayList<>();
    for (int i = 0; i < w.size(); i++) {
      fields.add(new Entry(false, null, inside(String.valueOf(i), w.part(i), r.part(0))));
    }
    return new EntriesConversion(r, fields);
  }

  /** A list or tuple of any length as one of fixed shape, if it has as many elements. */
  private Conversion fieldsOfElements(Part w, Part r) {
    List<Conversion> fields = new ArrayList<>();
    for (int i = 0; i < r.size(); i++) {
      fields.add(inside(String.valueOf(i), w.part(0), r.part(i)));
    }
    return new ElementsConversion(w, r, fields);
  }

  /** A sequence or a map. */
  private Conversion elements(Part w, Part r) {
    if (w.type().code() == TypeCodes.MAP) {
      Conversion key = inside("key", w.part(0), r.part(0));
      return new ElementsConversion(w, r, key, inside("value", w.part(1), r.part(1)));
    }
    Conversion element = inside("[]", w.part(0), r.part(0));
    // All kinds of sequences have the same bytes.
    return element instanceof CopyConversion
        ? new CopyConversion(w.type())
        : new ElementsConversion(w, r, element);
  }

  /** The fields of a dict or record, matched by their present and former names. */
  private Conversion struct(Part w, Part r) {
    int[] places = places(w, r);
    BitSet lacking = new BitSet();
    lacking.set(0, r.size());
    Arrays.stream(places).filter(place -> place >= 0).forEach(lacking::clear);
    boolean mayLack = !lacking.isEmpty() || !w.type().maybe().isEmpty();
    for (int from = 0; !mayLack && from < places.length; from++) {
      mayLack = places[from] >= 0 && losesNull(w, from, r, places[from]);
    }
    // They may run code of the caller's.
    Object[] defaults = mayLack ? r.node().defaults() : null;
    Step[] made = new Step[r.size()];
    int next = 0;
    // The order decides which field an error names, if several can't be read.
    for (int from = 0; from < places.length; from++) {
      int to = places[from];
      if (to >= 0) {
        for (; next < to && lacking.get(next) && made[next] == null; next++) {
          made[next] = lackingField(r, next, defaults);
        }
        made[to] = field(w, from, r, to, defaults);
        next = to + 1;
      }
    }
    for (int i = 0; i < made.length; i++) {
      made[i] = made[i] == null ? lackingField(r, i, defaults) : made[i];
    }
    return fields(w, withDropped(w, places, made));
  }

  /**
   * The steps that make the reader's fields, with those that drop others of the writer. These are
   * where the writer has them, or before the rest if the two have other orders.
   */
  private static List<Step> withDropped(Part w, int[] places, Step[] made) {
    int[] kept = Arrays.stream(places).filter(place -> place >= 0).toArray();
    int[] sorted = kept.clone();
    Arrays.sort(sorted);
    boolean isOrdered = Arrays.equals(kept, sorted);
    List<Step> steps = new ArrayList<>();
    int next = 0;
    for (int from = 0; from < places.length; from++) {
      if (places[from] < 0) {
        Conversion dropped = Conversions.dropped(w.part(from).type(), w.isMaybe(from));
        steps.add(new Step(from, null, dropped, w.node(), from));
      }
      while (isOrdered && next <= places[from]) {
        steps.add(made[next++]);
      }
    }
    steps.addAll(Arrays.asList(made).subList(next, made.length));
    return steps;
  }

  private int[] places(Part w, Part r) {
    try {
      return NameMatch.fields(w.type(), r.type(), r.node().former());
    } catch (NameMatch.UnclearException e) {
      path.addLast(TypeForms.word(r.type().names().get(e.field)));
      String other = TypeForms.word(e.other);
      throw refused(
          "a row may have it as "
              + TypeForms.word(e.first)
              + " or as "
              + other
              + ", and a reader takes it from one of them; read the rows as dicts, or leave "
              + other
              + " out of the former names");
    }
  }

  /** Field {@code from} of the writer's struct as field {@code to} of the reader's. */
  private Step field(Part w, int from, Part r, int to, Object[] defaults) {
    String name = TypeForms.word(r.type().names().get(to));
    Conversion value =
        losesNull(w, from, r, to)
            ? orDefault(name, w.part(from), r, to, defaults)
            : inside(name, w.part(from), r.part(to));
    if (w.isMaybe(from) == r.isMaybe(to)) {
      boolean isConverted = w.isMaybe(from) && !(value instanceof CopyConversion);
      return step(w, from, isConverted ? Conversions.optional(value) : value, r.node(), to);
    }
    if (r.isMaybe(to)) {
      return new Step(from, null, Conversions.present(value), r.node(), to);
    }
    path.addLast(name);
    Conversion otherwise = lacking(r, to, defaults, "it may be missing");
    path.removeLast();
    return new Step(from, null, Conversions.orElse(value, otherwise), r.node(), to);
  }

  /** Whether a field always has a value for the reader, and may be null for the writer. */
  private static boolean losesNull(Part w, int from, Part r, int to) {
    return !r.isMaybe(to) && isNullable(w.part(from).type()) && !isNullable(r.part(to).type());
  }

  private static boolean isNullable(Type type) {
    return type.code() == TypeCodes.NULL || type.code() == TypeCodes.OPTIONAL;
  }

  /** A field whose null becomes the reader's default. */
  private Conversion orDefault(String name, Part read, Part r, int to, Object[] defaults) {
    path.addLast(name);
    Part made = r.part(to);
    byte[] record = defaultRecord(r, to, defaults);
    if (record == null) {
      throw refused(
          "it may be null, but "
              + made.type()
              + " may not be null; make the field optional, or give it a default");
    }
    Conversion otherwise = Conversions.constant(record);
    Conversion value =
        read.type().code() == TypeCodes.NULL
            ? Conversions.ofNull(otherwise)
            : Conversions.orElse(value(read.required(), made, true), otherwise);
    path.removeLast();
    return value;
  }

  private Step lackingField(Part r, int field, Object[] defaults) {
    path.addLast(TypeForms.word(r.type().names().get(field)));
    Conversion lacking = lacking(r, field, defaults, LACKS);
    path.removeLast();
    return new Step(-1, null, lacking, r.node(), field);
  }

  /** What a field gets that rows lack. */
  private Conversion lacking(Part r, int field, Object[] defaults, String why) {
    step();
    Type type = r.type().parts().get(field);
    byte[] absent = {0};
    if (r.isMaybe(field)) {
      return Conversions.constant(absent);
    }
    byte[] record = defaultRecord(r, field, defaults);
    if (record != null) {
      return Conversions.constant(record);
    }
    return switch (type.code()) {
      case TypeCodes.NULL -> Conversions.constant(new byte[0]);
      case TypeCodes.OPTIONAL -> Conversions.constant(absent);
      default ->
          throw refused(
              why
                  + ", and "
                  + type
                  + " has no default; make the field optional, or give it a default");
    };
  }

  /** The bytes of a field's default; null if it has none. */
  private static byte[] defaultRecord(Part r, int field, Object[] defaults) {
    Object value = defaults[field];
    return value == null ? null : DefaultValue.record(r.node().parts().get(field), value);
  }

  /** A dict with fixed keys as a map. */
  private Conversion entries(Part w, Part r) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < w.size(); i++) {
      String name = w.type().names().get(i);
      path.addLast("key");
      RecordOut key = new RecordOut();
      int end = text(name, r.part(0), key, 0);
      path.removeLast();
      Conversion value = inside(TypeForms.word(name), w.part(i), r.part(1));
      entries.add(new Entry(w.isMaybe(i), Conversions.constant(key.copy(end)), value));
    }
    return new EntriesConversion(r, entries);
  }

  /** Writes a text as a value of the reader's type. */
  private int text(String text, Part r, RecordOut out, int at) {
    step();
    out.reserve(at);
    return switch (r.type().code()) {
      case TypeCodes.OPTIONAL -> text(text, r.required(), out, out.bit(1, at));
      case TypeCodes.UNION_BEGIN -> {
        int arm = arm(Type.plain(TypeCodes.STR), r);
        yield text(text, r.part(arm), out, out.arm(arm, at));
      }
      case TypeCodes.STR -> out.text(text, at, RecordOut.MOST_COMPONENTS);
      default -> throw refused("str can't be read as " + kind(r.type()));
    };
  }

  /** The name of a type's kind for a message. */
  private static String kind(Type type) {
    return switch (type.code()) {
      case TypeCodes.TUPLE_BEGIN -> "a tuple of " + type.parts().size() + " fields";
      case TypeCodes.LIST_BEGIN -> "a list of " + type.parts().size() + " fields";
      case TypeCodes.TUPLE -> "a tuple of any length";
      case TypeCodes.SET -> "a set";
      case TypeCodes.FROZENSET -> "a frozenset";
      case TypeCodes.LIST -> "a list of any length";
      case TypeCodes.MAP -> "a map";
      case TypeCodes.DICT_BEGIN -> "a dict with fixed keys";
      case TypeCodes.RECORD_BEGIN -> "record " + TypeForms.word(type.name());
      case TypeCodes.ENUM, TypeCodes.INT_ENUM, TypeCodes.STR_ENUM ->
          "enum " + TypeForms.word(type.name());
      default -> type.toString();
    };
  }
}
