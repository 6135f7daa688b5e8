package io.github.serow.internal.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.github.serow.internal.codec.Binding;
import io.github.serow.internal.mapping.Mapper;
import io.github.serow.internal.mapping.MapperOptions;
import io.github.serow.internal.mapping.Mapping;
import io.github.serow.internal.wire.RecordIn;
import io.github.serow.internal.wire.RecordOut;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberCallTest {
  private record Inner(byte small, Integer boxed) {}

  /** All kinds of members, most of them private. */
  private record Outer(
      int number, float real, char letter, long[] many, Inner inner, List<Inner> more) {}

  private static class Above {
    private short above = 3;
    protected Boolean isKnown = true;
  }

  private static final class Bean extends Above {
    private char letter = 'x';
    private String[] names = {"a", "b"};
    private final transient int ignored = 1;

    private Bean() {}

    @Override
    public boolean equals(Object other) {
      return other instanceof Bean bean
          && bean.letter == letter
          && bean.ignored == ignored
          && Arrays.equals(bean.names, names)
          && ((Above) bean).above == ((Above) this).above
          && isKnown.equals(bean.isKnown);
    }

    @Override
    public int hashCode() {
      return letter;
    }
  }

  /** The parameters have another order than the properties, which are sorted. */
  private static final class Sorted {
    private final String last;
    private final int first;

    private Sorted(String last, Integer... first) {
      this(last, (int) first[0]);
    }

    @java.beans.ConstructorProperties({"last", "first"})
    private Sorted(String last, int first) {
      this.last = last;
      this.first = first;
    }
  }

  private static Binding binding(Class<?> type) {
    Mapping mapping = Mapper.of(type, MapperOptions.NONE);
    return new Binding(mapping.schema(), mapping, true);
  }

  private static Object back(Binding binding, Object row) {
    RecordOut out = new RecordOut();
    int end = binding.recordWriter(1).write(row, out, 0);
    return binding.recordReader(1, false).read(new RecordIn(out.bytes, 0, end));
  }

  private static Class<?> nest(Binding binding) {
    assertEquals(
        binding.recordReader(1, false).getClass().getNestHost(),
        binding.recordWriter(1).getClass().getNestHost());
    return binding.recordWriter(1).getClass().getNestHost();
  }

  @Test
  void generatedCodeIsANestmate() {
    Outer outer =
        new Outer(-1, 0.5f, '\u00e9', new long[] {1}, new Inner((byte) 2, null), List.of());
    Binding binding = binding(Outer.class);
    assertEquals(MemberCallTest.class, nest(binding));
    Outer back = (Outer) back(binding, outer);
    assertEquals(
        List.of(outer.number, outer.real, outer.letter, outer.many[0], outer.inner, outer.more),
        List.of(back.number, back.real, back.letter, back.many[0], back.inner, back.more));
    Bean bean = new Bean();
    bean.letter = 'y';
    assertEquals(MemberCallTest.class, nest(binding(Bean.class)));
    assertEquals(bean, back(binding(Bean.class), bean));
  }

  @Test
  void argumentsHaveTheOrderOfTheConstructor() {
    Sorted back = (Sorted) back(binding(Sorted.class), new Sorted("z", 7));
    assertEquals("z", back.last);
    assertEquals(7, back.first);
  }

  @Test
  void privateMembersOfAnotherNestAreUsedByHandles() {
    Far far = new Far();
    far.near = new Near("text");
    Binding binding = binding(Far.class);
    assertEquals(Far.class, nest(binding));
    assertEquals(far.near.toString(), ((Far) back(binding, far)).near.toString());
  }

  @Test
  void aClassOfAnotherLoaderIsUsedByHandles() throws Exception {
    ClassLoader own =
        new ClassLoader(getClass().getClassLoader()) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Near.class.getName())) {
              return super.loadClass(name, resolve);
            }
            try (InputStream file = Near.class.getResourceAsStream("Near.class")) {
              byte[] bytes = file.readAllBytes();
              return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
              throw new ClassNotFoundException(name, e);
            }
          }
        };
    Class<?> near = own.loadClass(Near.class.getName());
    assertNotEquals(Near.class, near);
    var constructor = near.getDeclaredConstructor(String.class);
    constructor.setAccessible(true);
    Object one = constructor.newInstance("text");
    Binding binding = binding(near);
    assertNotEquals(near, nest(binding));
    assertEquals(one.toString(), back(binding, one).toString());
  }
}

final class Far {
  Near near;
}

final class Near {
  private String text;

  private Near() {}

  Near(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
