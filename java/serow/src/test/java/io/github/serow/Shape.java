package io.github.serow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/**
 * A random type for property tests: its text and values of it.
 *
 * @param kind distinguishes it from other arms of a union; null if it can't be an arm
 * @param hashed whether values can be elements of sets and keys of maps
 */
record Shape(String text, String kind, Arbitrary<Object> values, boolean hashed) {
  private static final Arbitrary<Object> LONGS = Arbitraries.longs().map(v -> v);
  private static final Arbitrary<Object> DOUBLES =
      Arbitraries.oneOf(
          Arbitraries.longs().map(Double::longBitsToDouble),
          Arbitraries.integers().map(v -> v / 100.0),
          Arbitraries.of(0.0, -0.0, Double.NaN, 1.0, Double.MAX_VALUE));
  private static final Arbitrary<Object> STRINGS =
      Arbitraries.oneOf(
          Arbitraries.strings().ascii().ofMaxLength(20),
          Arbitraries.strings().withCharRange('\u0000', '\u00ff').ofMaxLength(10),
          Arbitraries.strings().withCharRange('\u0000', '\uffff').ofMaxLength(10),
          Arbitraries.of("", "almond", "\ud800", "\udc00\ud83d\ude00", "\ufffd"));
  private static final Arbitrary<Object> BOOLS = Arbitraries.of(true, false);

  private static final Arbitrary<Shape> SCALARS =
      Arbitraries.oneOf(
          Arbitraries.of(
              new Shape("i64", "i64", LONGS),
              new Shape("f64", "f64", DOUBLES),
              new Shape("str", "str", STRINGS),
              new Shape("bool", "bool", BOOLS)),
          Arbitraries.of(LogicalShapes.all()));

  /** A type whose values can be hashed. */
  Shape(String text, String kind, Arbitrary<Object> values) {
    this(text, kind, values, true);
  }

  /** Types that nest up to {@code depth} levels. */
  static Arbitrary<Shape> any(int depth) {
    if (depth == 0) {
      return SCALARS;
    }
    Arbitrary<Shape> inner = Arbitraries.lazy(() -> any(depth - 1));
    Arbitrary<List<Shape>> fields = inner.list().ofMaxSize(depth > 1 ? 5 : 40);
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(3, SCALARS),
        net.jqwik.api.Tuple.of(1, Arbitraries.of(new Shape("null", null, nulls()))),
        net.jqwik.api.Tuple.of(2, inner.map(Shape::optional)),
        net.jqwik.api.Tuple.of(2, inner.map(part -> part.sequence("[%s]", "list", false))),
        net.jqwik.api.Tuple.of(1, inner.map(part -> part.sequence("(%s, ...)", "tuple", true))),
        net.jqwik.api.Tuple.of(3, fields.map(parts -> fixed(parts, "(", ")", true))),
        net.jqwik.api.Tuple.of(2, fields.map(parts -> fixed(parts, "[", "]", false))),
        net.jqwik.api.Tuple.of(2, inner.list().ofSize(4).map(Shape::union)),
        net.jqwik.api.Tuple.of(2, StructShapes.any(inner)));
  }

  /** Any values of any types. */
  static Arbitrary<Object> mixed() {
    return any(3).flatMap(Shape::values);
  }

  private static Arbitrary<Object> nulls() {
    return Arbitraries.just(true).map(ignored -> null);
  }

  private Shape optional() {
    if (text.equals("null") || text.endsWith("?")) {
      return this;
    }
    return new Shape("(" + text + ")?", null, values.injectNull(0.3), hashed);
  }

  private Shape sequence(String format, String kind, boolean tuple) {
    return new Shape(
        String.format(format, text),
        kind,
        values.list().ofMaxSize(6).map(elements -> container(elements, tuple)),
        tuple && hashed);
  }

  private static Shape fixed(List<Shape> parts, String open, String close, boolean tuple) {
    String text =
        parts.stream().map(part -> "(" + part.text + ")").collect(Collectors.joining(", "));
    List<Arbitrary<Object>> values = parts.stream().map(Shape::values).toList();
    return new Shape(
        open + text + (parts.size() == 1 ? "," : "") + close,
        tuple ? "tuple of " + parts.size() : "list",
        Combinators.combine(values).as(elements -> container(elements, tuple)),
        tuple && parts.stream().allMatch(Shape::hashed));
  }

  /**
   * The parts that a union can distinguish. It can't distinguish a tuple of any length from one of
   * fixed length.
   */
  private static Shape union(List<Shape> parts) {
    List<Shape> arms = new ArrayList<>();
    for (Shape part : parts) {
      boolean apart =
          part.kind != null
              && arms.stream()
                  .noneMatch(
                      arm ->
                          arm.kind.equals(part.kind)
                              || arm.kind.startsWith("tuple")
                                  && part.kind.startsWith("tuple")
                                  && (arm.kind.equals("tuple") || part.kind.equals("tuple")));
      if (apart) {
        arms.add(part);
      }
    }
    if (arms.isEmpty()) {
      return parts.get(0);
    }
    Collections.shuffle(arms, new java.util.Random(arms.size()));
    return new Shape(
        arms.stream().map(arm -> "(" + arm.text + ")").collect(Collectors.joining("|")),
        arms.size() == 1 ? arms.get(0).kind : null,
        Arbitraries.oneOf(arms.stream().map(Shape::values).toList()),
        arms.stream().allMatch(Shape::hashed));
  }

  private static Object container(List<Object> elements, boolean tuple) {
    return tuple ? elements.toArray() : new ArrayList<>(elements);
  }

  @Override
  public String toString() {
    return text;
  }
}
