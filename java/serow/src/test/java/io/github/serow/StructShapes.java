package io.github.serow;

import io.github.serow.internal.value.ValueEquality;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Sets, maps, dicts, records and enums, for property tests. */
final class StructShapes {
  private static final List<String> NAMES = List.of("a", "b", "key", "羚羊", "two words", "", "\"");
  private static final Object MISSING = new Object();

  /** Both constants and members. */
  private static final Shape ENUM =
      new Shape(
          "enum Color{RED, GREEN}",
          "enum Color",
          Arbitraries.of(
              Color.RED, Color.GREEN, EnumMember.of("Color", List.of("RED", "GREEN"), "GREEN")));

  private static final Shape RECORD =
      new Shape(
          "Point{x: i64, label: str?}",
          "Point",
          Combinators.combine(Arbitraries.longs(), Arbitraries.of("here", "", null, "there"))
              .as((x, label) -> (Object) new Point(x, label)));

  enum Color {
    RED,
    GREEN
  }

  record Point(long x, String label) {}

  private StructShapes() {}

  static Arbitrary<Shape> any(Arbitrary<Shape> inner) {
    Arbitrary<Shape> hashed = inner.map(shape -> shape.hashed() ? shape : ENUM);
    Arbitrary<List<String>> names =
        Arbitraries.of(NAMES).list().uniqueElements().ofMaxSize(NAMES.size());
    Arbitrary<List<Shape>> parts = inner.list().ofSize(NAMES.size());
    return Arbitraries.frequencyOf(
        Tuple.of(1, Arbitraries.of(ENUM, RECORD)),
        Tuple.of(2, hashed.map(StructShapes::set)),
        Tuple.of(1, hashed.map(StructShapes::frozenSet)),
        Tuple.of(2, Combinators.combine(hashed, inner).as(StructShapes::map)),
        Tuple.of(2, Combinators.combine(names, parts).as(StructShapes::record)),
        Tuple.of(
            2,
            Combinators.combine(names, parts, Arbitraries.integers().between(0, 127))
                .as(StructShapes::dict)));
  }

  private static Shape set(Shape element) {
    return new Shape("{" + element.text() + "}", "set", elements(element).map(v -> v), false);
  }

  private static Shape frozenSet(Shape element) {
    return new Shape(
        "frozenset{" + element.text() + "}", "frozenset", elements(element).map(FrozenSet::copyOf));
  }

  private static Arbitrary<LinkedHashSet<Object>> elements(Shape element) {
    return element
        .values()
        .list()
        .ofMaxSize(6)
        .map(
            elements -> {
              LinkedHashSet<Object> set = new LinkedHashSet<>(elements);
              return ValueEquality.differ(set.toArray(), 1) ? set : new LinkedHashSet<>();
            });
  }

  /** Not all keys are names, because otherwise it would be a dict with fixed keys. */
  private static Shape map(Shape key, Shape value) {
    return new Shape(
        "{(" + key.text() + "): " + value.text() + "}",
        "dict",
        Combinators.combine(elements(key), value.values().list().ofSize(6))
            .as(
                (keys, values) -> {
                  Map<Object, Object> map = new LinkedHashMap<>();
                  keys.forEach(each -> map.put(each, values.get(map.size())));
                  return map;
                }),
        false);
  }

  private static Shape record(List<String> names, List<Shape> shapes) {
    List<Shape> parts = shapes.subList(0, names.size());
    String fields =
        fields(names, parts, 0).stream().collect(Collectors.joining(", ", "\"a record\"{", "}"));
    return new Shape(
        fields,
        "a record" + names,
        Combinators.combine(values(parts))
            .as(values -> Row.of("a record", names, values.toArray())),
        parts.stream().allMatch(Shape::hashed));
  }

  /** {@code maybe} has a bit for each key that may be missing. */
  private static Shape dict(List<String> names, List<Shape> shapes, int maybe) {
    List<Shape> parts = shapes.subList(0, names.size());
    List<Arbitrary<Object>> values = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Arbitrary<Object> part = parts.get(i).values();
      boolean mayMiss = (maybe >> i & 1) != 0;
      values.add(mayMiss ? Arbitraries.oneOf(Arbitraries.just(MISSING), part) : part);
    }
    String fields =
        fields(names, parts, maybe).stream().collect(Collectors.joining(", ", "{", "}"));
    return new Shape(
        fields,
        "dict",
        Combinators.combine(values)
            .as(
                fieldValues -> {
                  Map<String, Object> dict = new LinkedHashMap<>();
                  for (int i = 0; i < names.size(); i++) {
                    if (fieldValues.get(i) != MISSING) {
                      dict.put(names.get(i), fieldValues.get(i));
                    }
                  }
                  return dict;
                }),
        false);
  }

  private static List<Arbitrary<Object>> values(List<Shape> parts) {
    return parts.stream().map(Shape::values).toList();
  }

  private static List<String> fields(List<String> names, List<Shape> parts, int maybe) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String name = "\"" + names.get(i).replace("\"", "\\\"") + "\"";
      fields.add(name + ((maybe >> i & 1) != 0 ? "?: " : ": ") + parts.get(i).text());
    }
    return fields;
  }
}
