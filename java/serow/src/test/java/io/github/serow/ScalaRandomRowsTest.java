package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.serow.internal.scala.ScalaLibrary;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Tag;

/** Rows of Scala's values decode to the same as rows of equal Java values. */
@Tag("once")
class ScalaRandomRowsTest {
  private static final int MAX_TUPLE = 22;

  @Provide
  Arbitrary<List<Object>> mixedRows() {
    return Shape.mixed().list().ofMaxSize(20);
  }

  @Provide
  Arbitrary<List<Object>> rowsOfOneSchema() {
    return Shape.any(3).flatMap(shape -> shape.values().list().ofMaxSize(30));
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void mixedRowsAreThoseOfJava(
      @ForAll("mixedRows") List<Object> rows, @ForAll ScalaSamples version) {
    assertSameRows(rows, version);
  }

  @Property(shrinking = ShrinkingMode.BOUNDED)
  void rowsOfOneSchemaAreThoseOfJava(
      @ForAll("rowsOfOneSchema") List<Object> rows, @ForAll ScalaSamples version) {
    assertSameRows(rows, version);
  }

  private static void assertSameRows(List<Object> rows, ScalaSamples version) {
    Scala scala = new Scala(version);
    List<Object> foreign = new ArrayList<>();
    rows.forEach(row -> foreign.add(scala.of(row)));
    assertEquals(Schema.infer(rows), Schema.infer(foreign));
    for (Wire wire : Wire.values()) {
      Same.assertSame(rows, Serow.loads(Serow.dumps(foreign, wire)));
    }
  }

  /** Converts Java's values to Scala's, if there are equal ones. */
  private static final class Scala {
    private final ScalaSamples version;
    private final ScalaLibrary library;

    /** Every other value is an option. */
    private int values;

    Scala(ScalaSamples version) {
      this.version = version;
      library = new ScalaLibrary(version.load("scala.Option"));
    }

    Object of(Object value) {
      try {
        Object made = make(value);
        return values++ % 2 == 0 ? library.options().make(made) : made;
      } catch (ArithmeticException e) {
        // Scala's sets can't compare decimals with very large exponents.
        return value;
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }

    private Object make(Object value) throws Throwable {
      if (value instanceof Object[] fields) {
        Object[] made = Arrays.stream(fields).map(this::of).toArray();
        return made.length == 0 || made.length > MAX_TUPLE ? made : tuple(made);
      }
      if (value instanceof List<?> list) {
        return library.collections("scala.collection.immutable.Vector$").make(all(list));
      }
      if (value instanceof FrozenSet<?> set) {
        FrozenSet<Object> made = FrozenSet.copyOf(all(set));
        return made.size() == set.size() ? made : value;
      }
      if (value instanceof Set<?> set) {
        Object made = library.collections("scala.collection.immutable.ListSet$").make(all(set));
        return hasSize(made, set.size()) ? made : value;
      }
      if (value instanceof Map<?, ?> map) {
        List<Object> pairs = new ArrayList<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          pairs.add(tuple(of(entry.getKey()), of(entry.getValue())));
        }
        Object made = library.collections("scala.collection.immutable.ListMap$").make(pairs);
        return hasSize(made, map.size()) ? made : value;
      }
      if (value instanceof BigInteger) {
        return library.bigInts().make(value);
      }
      return value instanceof BigDecimal ? library.bigDecimals().make(value) : value;
    }

    private List<Object> all(Collection<?> values) {
      List<Object> made = new ArrayList<>();
      values.forEach(value -> made.add(of(value)));
      return made;
    }

    private Object tuple(Object... fields) throws Throwable {
      Class<?> type = version.load("scala.Tuple" + fields.length);
      return library.tuples(type, fields.length).make(fields);
    }

    /** In Scala, 1 and 1.0 are the same element. */
    private static boolean hasSize(Object collection, int size) {
      return ScalaSamples.call(collection, "size").equals(size);
    }
  }
}
