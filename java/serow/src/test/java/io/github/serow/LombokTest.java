package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lombok.AllArgsConstructor;
import lombok.Builder;
import lombok.Data;
import lombok.EqualsAndHashCode;
import lombok.Getter;
import lombok.NonNull;
import lombok.Singular;
import lombok.Value;
import lombok.experimental.Accessors;
import lombok.experimental.SuperBuilder;
import org.junit.jupiter.api.Test;

/** Classes whose constructors, setters and builders Lombok writes. */
class LombokTest {
  @Value
  static class Part {
    long key;
    @NonNull String name;
    List<String> tags;
  }

  @Data
  static class Bean {
    private String name;
    private boolean open;
    private int[] sizes;
  }

  @Data
  @AllArgsConstructor
  static class AllArguments {
    private String name;
    private int size;
  }

  @Data
  @Accessors(chain = true)
  static class Chained {
    private String name;
    private int size;
  }

  @Getter
  @EqualsAndHashCode
  @Builder
  static class Built {
    private final String name;
    private final int size;
  }

  @Value
  @Builder
  static class WithList {
    String name;
    @Singular List<String> tags;
  }

  @Getter
  @EqualsAndHashCode
  @SuperBuilder
  static class Tagged {
    @Singular private final List<String> tags;
  }

  @Getter
  @EqualsAndHashCode(callSuper = true)
  @SuperBuilder
  @SuppressWarnings("cast") // In the builder.
  static class Sized extends Tagged {
    @Singular private final Map<String, Integer> sizes;
    @Singular private final Set<String> marks;
    private final String name;
  }

  private static <T> void comesBack(Class<T> type, T object, String schema) {
    assertEquals(schema, Schema.of(type).toString());
    for (Wire wire : Wire.values()) {
      Codec<T> codec = Codec.of(type).withWire(wire);
      List<T> rows = Collections.nCopies(3000, object);
      assertEquals(rows, codec.decodeAll(codec.encodeAll(rows)));
      assertEquals(object, codec.decode(codec.encode(object)));
    }
  }

  @Test
  void classesComeBack() {
    comesBack(
        Part.class, new Part(1, "a", List.of("x")), "Part{key: i64, name: str?, tags: [str]?}");
    Bean bean = new Bean();
    bean.setName("a");
    bean.setOpen(true);
    bean.setSizes(new int[] {1, 2});
    comesBack(Bean.class, bean, "Bean{name: str?, open: bool, sizes: [i64]?}");
    comesBack(AllArguments.class, new AllArguments("a", 3), "AllArguments{name: str?, size: i64}");
    comesBack(
        Chained.class, new Chained().setName("a").setSize(3), "Chained{name: str?, size: i64}");
    comesBack(
        Built.class, Built.builder().name("a").size(3).build(), "Built{name: str?, size: i64}");
    comesBack(
        WithList.class,
        WithList.builder().name("a").tag("x").tag("y").build(),
        "WithList{name: str?, tags: [str]?}");
    for (List<String> tags : List.of(List.<String>of(), List.of("x"), List.of("x", "y", "x"))) {
      comesBack(
          Sized.class,
          Sized.builder().tags(tags).size("b", 2).size("a", 1).mark("m").name("n").build(),
          "Sized{marks: {str}?, name: str?, sizes: {str: i64}?, tags: [str]?}");
    }
  }
}
