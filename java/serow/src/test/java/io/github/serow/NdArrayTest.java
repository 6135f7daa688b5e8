package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.NdArray.ElementType;
import io.github.serow.internal.row.TieredCode;
import io.github.serow.internal.wire.Varint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays of any number of dimensions: the class, the wires, and lists that are made of them. */
class NdArrayTest {
  private static final NdArray MATRIX = NdArray.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3);

  /** An array of the bytes 0, 1, 0, 1 and so on, which are elements of any type. */
  private static NdArray array(ElementType type, long... shape) {
    byte[] bytes = new byte[type.size() * (int) Arrays.stream(shape).reduce(1, (a, b) -> a * b)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (type == ElementType.BOOL ? i % 2 : 3 * i + 1);
    }
    return NdArray.of(type, ByteBuffer.wrap(bytes), shape);
  }

  private static List<NdArray> arrays(ElementType type) {
    return List.of(
        array(type),
        array(type, 1),
        array(type, 2, 3),
        array(type, 0, 3),
        array(type, 1L << 40, 0),
        array(type, 2, 1, 2, 1, 2),
        array(type, 300),
        array(type, Collections.nCopies(64, 1L).stream().mapToLong(i -> i).toArray()),
        array(type, 2, 3).withBigEndian(true));
  }

  record Holder(long key, NdArray array) {}

  /** A class of properties. */
  public static final class Bean {
    private NdArray array;

    public NdArray getArray() {
      return array;
    }

    public void setArray(NdArray array) {
      this.array = array;
    }
  }

  @ParameterizedTest
  @EnumSource(ElementType.class)
  void comesBackEqual(ElementType type) throws IOException {
    List<NdArray> arrays = arrays(type);
    List<NdArray> many = new ArrayList<>();
    while (many.size() < 3 * TieredCode.WORTH_IT) {
      many.addAll(arrays);
    }
    for (Wire wire : Wire.values()) {
      assertEquals(arrays, Serow.loads(Serow.dumps(arrays, wire)));
      assertEquals(many, Serow.loads(Serow.dumps(many, wire)));
      byte[] packed =
          Serow.options().withWire(wire).withCompression(Compression.zstd()).dumps(many);
      assertEquals(many, Serow.loads(packed));
      ByteArrayOutputStream stream = new ByteArrayOutputStream();
      try (StreamWriter<Object> writer = StreamWriter.ofAny().withWire(wire).to(stream)) {
        for (NdArray array : many) {
          writer.write(array);
        }
        writer.finish();
      }
      assertEquals(many, StreamsTest.read(StreamReader.ofAny(), stream.toByteArray()));
    }
    Codec<Object> codec = Codec.ofAny(Schema.parse("ndarray|str"));
    for (NdArray array : arrays) {
      assertEquals(array, codec.decode(codec.encode(array)));
    }
  }

  @ParameterizedTest
  @EnumSource(Wire.class)
  void fieldsOfClasses(Wire wire) {
    assertEquals("Holder{key: i64, array: ndarray?}", Schema.of(Holder.class).toString());
    List<Holder> rows = new ArrayList<>();
    for (int i = 0; i < 3 * TieredCode.WORTH_IT; i++) {
      rows.add(new Holder(i, i % 3 == 0 ? null : NdArray.of(new double[i], 1, i)));
    }
    Codec<Holder> codec = Codec.of(Holder.class).withWire(wire);
    assertEquals(rows, codec.decodeAll(codec.encodeAll(rows)));
    assertEquals(rows.subList(0, 5), codec.decodeAll(codec.encodeAll(rows.subList(0, 5))));
    assertEquals(rows.get(1), codec.decode(codec.encode(rows.get(1))));

    Bean bean = new Bean();
    bean.setArray(MATRIX);
    Codec<Bean> beans = Codec.of(Bean.class).withWire(wire);
    assertEquals(MATRIX, beans.decodeAll(beans.encodeAll(List.of(bean))).get(0).getArray());
  }

  @Test
  void itsParts() {
    assertEquals(ElementType.FLOAT32, MATRIX.elementType());
    assertArrayEquals(new long[] {2, 3}, MATRIX.shape());
    assertEquals(6, MATRIX.size());
    assertEquals("NdArray(float32, [2, 3])", MATRIX.toString());
    assertEquals("NdArray(bool, [])", NdArray.of(new boolean[] {true}).toString());
    MATRIX.shape()[0] = 7;
    MATRIX.toFloatArray()[0] = 7;
    assertArrayEquals(new float[] {1, 2, 3, 4, 5, 6}, MATRIX.toFloatArray());
    ByteBuffer elements = MATRIX.elements();
    assertEquals(ByteOrder.LITTLE_ENDIAN, elements.order());
    assertEquals(24, elements.remaining());
    assertEquals(3f, elements.getFloat(8));
    assertThrows(ReadOnlyBufferException.class, () -> elements.put(0, (byte) 1));
    assertEquals(0, elements.position());
    assertEquals(0, NdArray.of(new int[0], 1L << 50, 0).size());
    NdArray big = MATRIX.withBigEndian(true);
    assertTrue(big.isBigEndian());
    assertEquals("NdArray(float32, [2, 3], big-endian)", big.toString());
    assertArrayEquals(MATRIX.toFloatArray(), big.toFloatArray());
    NdArray bytes = NdArray.of(new byte[] {1}, 1);
    assertSame(bytes, bytes.withBigEndian(true));
    assertEquals("complex128", ElementType.COMPLEX128.numpyName());
  }

  @Test
  void sourcesAreCopied() {
    int[] source = {1, 2};
    ByteBuffer bytes = ByteBuffer.allocateDirect(10).position(1).limit(9);
    bytes.put(1, (byte) 5);
    NdArray ofInts = NdArray.of(source, 2);
    NdArray ofBytes = NdArray.of(ElementType.INT32, bytes, 2);
    source[0] = 9;
    bytes.put(1, (byte) 9);
    assertArrayEquals(new int[] {1, 2}, ofInts.toIntArray());
    assertArrayEquals(new int[] {5, 0}, ofBytes.toIntArray());
    assertEquals(8, bytes.remaining());
  }

  @Test
  void equality() {
    assertEquals(MATRIX, NdArray.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3));
    assertEquals(MATRIX.hashCode(), NdArray.of(MATRIX.toFloatArray(), 2, 3).hashCode());
    List<Object> others =
        List.of(
            NdArray.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2),
            NdArray.of(new float[] {1, 2, 3, 4, 5, 6}, 6),
            NdArray.of(new float[] {1, 2, 3, 4, 5, 7}, 2, 3),
            NdArray.of(ElementType.INT32, MATRIX.elements(), 2, 3),
            MATRIX.withBigEndian(true),
            "a");
    others.forEach(other -> assertNotEquals(MATRIX, other));
    // Floats are compared by their bits.
    float[] nan = {Float.intBitsToFloat(0x7fc0_0001)};
    assertEquals(NdArray.of(nan), NdArray.of(nan));
    assertNotEquals(NdArray.of(nan), NdArray.of(new float[] {Float.NaN}));
    assertNotEquals(NdArray.of(new float[] {0f}), NdArray.of(new float[] {-0f}));
    assertEquals(MATRIX.withBigEndian(true), MATRIX.withBigEndian(true));
    assertEquals(MATRIX, MATRIX.withBigEndian(true).withBigEndian(false));
  }

  private static NdArray of(ElementType type, int... bytes) {
    byte[] all = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      all[i] = (byte) bytes[i];
    }
    return NdArray.of(type, ByteBuffer.wrap(all), all.length / type.size());
  }

  @Test
  void elementsOfSmallerTypesAreWidened() {
    NdArray bytes = NdArray.of(new byte[] {-1, 2}, 2);
    assertArrayEquals(new byte[] {-1, 2}, bytes.toByteArray());
    assertArrayEquals(new short[] {-1, 2}, bytes.toShortArray());
    assertArrayEquals(new int[] {-1, 2}, bytes.toIntArray());
    assertArrayEquals(new long[] {-1, 2}, bytes.toLongArray());
    assertArrayEquals(new float[] {-1, 2}, bytes.toFloatArray());
    assertArrayEquals(new double[] {-1, 2}, bytes.toDoubleArray());
    assertArrayEquals(new short[] {255, 2}, of(ElementType.UINT8, 255, 2).toShortArray());
    assertArrayEquals(new float[] {255, 2}, of(ElementType.UINT8, 255, 2).toFloatArray());
    assertArrayEquals(new int[] {65535}, of(ElementType.UINT16, 255, 255).toIntArray());
    assertArrayEquals(new int[] {-2}, NdArray.of(new short[] {-2}, 1).toIntArray());
    assertArrayEquals(new short[] {-2}, NdArray.of(new short[] {-2}, 1).toShortArray());
    NdArray unsigned = of(ElementType.UINT32, 255, 255, 255, 255);
    assertArrayEquals(new long[] {0xffff_ffffL}, unsigned.toLongArray());
    assertArrayEquals(new double[] {0xffff_ffffL}, unsigned.toDoubleArray());
    NdArray ints = NdArray.of(new int[] {-5}, 1);
    assertArrayEquals(new long[] {-5}, ints.toLongArray());
    assertArrayEquals(new double[] {-5}, ints.toDoubleArray());
    assertArrayEquals(new long[] {1L << 60}, NdArray.of(new long[] {1L << 60}, 1).toLongArray());
    assertArrayEquals(new double[] {0.1f}, NdArray.of(new float[] {0.1f}, 1).toDoubleArray());
    assertArrayEquals(new double[] {0.1}, NdArray.of(new double[] {0.1}, 1).toDoubleArray());
    boolean[] bits = {true, false};
    assertArrayEquals(bits, NdArray.of(bits, 2).toBooleanArray());
  }

  @Test
  void floatsOf16Bits() {
    // 1, -2, the smallest and the largest number, infinity, -0, the largest subnormal number.
    NdArray halves =
        of(ElementType.FLOAT16, 0, 0x3c, 0, 0xc0, 1, 0, 0xff, 0x7b, 0, 0x7c, 0, 0x80, 0xff, 3);
    float[] floats = {1, -2, 0x1p-24f, 65504, Float.POSITIVE_INFINITY, -0f, 0x1p-14f - 0x1p-24f};
    assertArrayEquals(floats, halves.toFloatArray());
    assertEquals(0x1p-24, halves.toDoubleArray()[2]);
    float nan = of(ElementType.FLOAT16, 1, 0xfe).toFloatArray()[0];
    assertEquals(0xffc0_2000, Float.floatToRawIntBits(nan));
  }

  private static void assertNo(String message, Runnable call) {
    var e = assertThrows(UnsupportedOperationException.class, call::run);
    assertEquals(message, e.getMessage());
  }

  @Test
  void otherTypesAreRefused() {
    NdArray doubles = NdArray.of(new double[0], 0);
    String call = "[] can't hold all elements of type float64; call toDoubleArray()";
    assertNo("float" + call, doubles::toFloatArray);
    assertNo("long" + call, doubles::toLongArray);
    assertNo("boolean" + call, doubles::toBooleanArray);
    assertNo("byte" + call, doubles::toByteArray);
    assertNo(
        "float[] can't hold all elements of type int32; call toIntArray()",
        () -> NdArray.of(new int[1]).toFloatArray());
    assertNo(
        "long[] can't hold all elements of type uint64; call elements()",
        () -> array(ElementType.UINT64, 2).toLongArray());
    // What the error names does not fail.
    for (ElementType type : ElementType.values()) {
      List<Runnable> all = all(array(type, 2));
      int worked = 0;
      for (Runnable one : all) {
        try {
          one.run();
          worked++;
        } catch (UnsupportedOperationException e) {
          String method = e.getMessage().replaceFirst(".* call (\\w+)\\(\\)", "$1");
          int named = METHODS.indexOf(method);
          if (named >= 0) {
            all.get(named).run();
          }
          assertEquals(named < 0, method.equals("elements"), e.getMessage());
        }
      }
      boolean hasNone = type == ElementType.UINT64 || type.name().startsWith("COMPLEX");
      assertEquals(hasNone, worked == 0, type.numpyName());
    }
  }

  private static final List<String> METHODS =
      List.of(
          "toBooleanArray",
          "toByteArray",
          "toShortArray",
          "toIntArray",
          "toLongArray",
          "toFloatArray",
          "toDoubleArray");

  private static List<Runnable> all(NdArray array) {
    return List.of(
        array::toBooleanArray,
        array::toByteArray,
        array::toShortArray,
        array::toIntArray,
        array::toLongArray,
        array::toFloatArray,
        array::toDoubleArray);
  }

  private static void assertNoShape(String message, float[] elements, long... shape) {
    var e = assertThrows(IllegalArgumentException.class, () -> NdArray.of(elements, shape));
    assertEquals(message, e.getMessage());
  }

  @Test
  void shapesMustFit() {
    float[] three = new float[3];
    assertNoShape("an array of the shape [] has 1 element, and there are 3", three);
    assertNoShape("an array of the shape [2, 2] has 4 elements, and there are 3", three, 2, 2);
    assertNoShape("no array has the shape [-1, -3]", three, -1, -3);
    assertNoShape("no array has the shape [4611686018427387904, 0]", new float[0], 1L << 62, 0);
    assertNoShape(
        "an array has at most 64 dimensions, and this one would have 65",
        new float[1],
        Collections.nCopies(65, 1L).stream().mapToLong(i -> i).toArray());
    for (byte[] bytes : List.of(new byte[3], new byte[8])) {
      assertThrows(
          IllegalArgumentException.class,
          () -> NdArray.of(ElementType.FLOAT32, ByteBuffer.wrap(bytes), 1));
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> NdArray.of(ElementType.BOOL, ByteBuffer.wrap(new byte[] {2}), 1));
  }

  @Test
  void aSetHoldsNone() {
    Map<Object, Object> map = new LinkedHashMap<>();
    map.put(new Object[] {MATRIX}, 1L);
    for (Object row : List.of(Set.of(MATRIX), FrozenSet.copyOf(List.of(MATRIX)), map)) {
      EncodeException e = assertThrows(EncodeException.class, () -> Serow.dumps(List.of(row)));
      assertTrue(
          e.getMessage().contains("cannot encode io.github.serow.NdArray in a set or in a key"),
          e.getMessage());
    }
    for (String text : List.of("{ndarray}", "frozenset{(i64, ndarray?)}", "{ndarray: i64}")) {
      SchemaException e = assertThrows(SchemaException.class, () -> Schema.parse(text));
      assertTrue(e.getMessage().contains("values of type ndarray have none"), e.getMessage());
    }
    // Java's own sets may hold them.
    assertEquals(
        1, new LinkedHashSet<>(List.of(array(ElementType.INT8), array(ElementType.INT8))).size());
  }

  /** Components of no array: the code, and the bytes. */
  static Stream<ForeignPartsTest.Parts> wrong() {
    return Stream.of(
        parts(-1, 3, 3, 1),
        parts(14, 3, 3, 1),
        parts(15, 3, 3, 1),
        parts(16, 3, 3, 1),
        parts(17, 3, 3, 1),
        parts(21, 3, 3, 1),
        parts(30, 1),
        parts(33, 3, 3, 1),
        parts(Long.MIN_VALUE, 3, 3, 1),
        parts((1L << 32) + 1, 3, 3, 1),
        // A boolean that is no 0 or 1.
        parts(0, 3, 3, 2),
        parts(0, 3, 5, 1, 0x81),
        // No shape, or a shape that is cut.
        parts(1),
        parts(1, 3),
        parts(1, 5, 3),
        parts(1, 3, 0),
        parts(1, 3, 2),
        parts(1, 0),
        // Lengths, and a number of dimensions, in more bytes than they need.
        parts(1, 3, 6, 0, 1),
        parts(1, 6, 0, 3, 1),
        parts(1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1),
        // 65 dimensions.
        parts(1, Stream.concat(Stream.of(131), Collections.nCopies(66, 3).stream())),
        // Too few and too many elements.
        parts(1, 3, 3),
        parts(1, 3, 3, 1, 1),
        parts(2, 3, 3, 1),
        parts(1, 1),
        parts(1, 5, 5, 1, 7),
        // A length of 2^63, and lengths whose product is 2^64 and 0 in 64 bits.
        parts(1, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0x80),
        parts(1, 5, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80),
        parts(1, 5, 0x20, 0, 0, 0, 2, 0x20, 0, 0, 0, 2),
        parts(1, 7, 0x20, 0, 0, 0, 4, 0x20, 0, 0, 0, 4, 1));
  }

  private static ForeignPartsTest.Parts parts(long code, Integer... bytes) {
    return parts(code, Stream.of(bytes));
  }

  private static ForeignPartsTest.Parts parts(long code, Stream<Integer> bytes) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    bytes.forEach(all::write);
    String text = all.toString(StandardCharsets.ISO_8859_1);
    return ForeignPartsTest.Parts.of("ndarray", code).with(text);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void componentsOfNoArrayAreErrors(ForeignPartsTest.Parts parts) {
    String message = "an array has no such shape, or other elements than its shape";
    for (Wire wire : Wire.values()) {
      byte[] bytes = parts.message(wire);
      DecodeException e = assertThrows(DecodeException.class, () -> Serow.loads(bytes));
      assertEquals(
          "frame 0, row 0, (ndarray): its components are not a valid value: " + message,
          e.getMessage());
    }
    byte[] record = new byte[200];
    long code = parts.numbers()[0];
    int at = Varint.put(record, 0, code << 1 ^ code >> 63);
    byte[] bytes = parts.bytes().getBytes(StandardCharsets.ISO_8859_1);
    at = Varint.put(record, at, bytes.length);
    System.arraycopy(bytes, 0, record, at, bytes.length);
    ByteBuffer one = ByteBuffer.wrap(record, 0, at + bytes.length);
    Codec<Object> codec = Codec.ofAny(Schema.parse("ndarray")).withoutFingerprint();
    DecodeException e = assertThrows(DecodeException.class, () -> codec.decode(one));
    assertTrue(e.getMessage().endsWith(message), e.getMessage());
  }

  @Test
  void componentsOfArraysOfOneForm() {
    assertEquals(
        List.of(NdArray.of(new byte[] {7}, 1)), Serow.loads(parts(1, 3, 3, 7).message(Wire.ROW)));
    NdArray big = NdArray.of(new short[] {0x0201}, 1).withBigEndian(true);
    assertEquals(List.of(big), Serow.loads(parts(18, 3, 3, 1, 2).message(Wire.ROW)));
    assertEquals(List.of(big), Serow.loads(parts(18, 3, 3, 1, 2).message(Wire.FRAME)));
  }

  /** A class that wants lists where the messages have arrays. */
  @Name("Sample")
  record Vectors(float[] a, double[] b, long[] c, int[] d, boolean[] e) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Vectors it && Arrays.deepEquals(all(), it.all());
    }

    private Object[] all() {
      return new Object[] {a, b, c, d, e};
    }

    @Override
    public int hashCode() {
      return Arrays.deepHashCode(all());
    }
  }

  @Name("Sample")
  record Matrices(double[][] a, List<List<Double>> b, List<Long> c, int[][] d, Boolean[][][] e) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Matrices it
          && Arrays.deepEquals(new Object[] {a, d, e}, new Object[] {it.a, it.d, it.e})
          && Objects.equals(b, it.b)
          && Objects.equals(c, it.c);
    }

    @Override
    public int hashCode() {
      return Objects.hash(b, c);
    }
  }

  @Name("Sample")
  record Arrays5(NdArray a, NdArray b, NdArray c, NdArray d, NdArray e) {}

  private static <T> void assertRead(Class<T> type, T expected, Arrays5 written) {
    for (Wire wire : Wire.values()) {
      Codec<Arrays5> from = Codec.of(Arrays5.class).withWire(wire);
      Codec<T> to = Codec.of(type).withWire(wire);
      for (int rows : new int[] {1, 5, 5000}) {
        byte[] message = from.encodeAll(Collections.nCopies(rows, written));
        assertEquals(Collections.nCopies(rows, expected), to.decodeAll(message));
      }
      SchemaSet schemas = new SchemaSet();
      schemas.add(from.schema());
      T back = to.withSchemas(schemas).decode(from.encode(written));
      assertEquals(expected, back);
    }
  }

  @Test
  void arraysAreReadAsLists() {
    boolean[] bits = {true, false};
    assertRead(
        Vectors.class,
        new Vectors(new float[] {1, 2}, new double[] {3}, new long[] {4, 5}, new int[] {-6}, bits),
        new Arrays5(
            NdArray.of(new float[] {1, 2}, 2),
            NdArray.of(new short[] {3}, 1).withBigEndian(true),
            NdArray.of(ElementType.UINT64, NdArray.of(new long[] {4, 5}, 2).elements(), 2),
            NdArray.of(new byte[] {-6}, 1),
            NdArray.of(bits, 2)));
    assertRead(
        Matrices.class,
        new Matrices(
            new double[][] {{1, 2, 3}, {4, 5, 6}},
            List.of(List.of(1.5), List.of(2.5)),
            List.of(7L, 8L),
            new int[0][],
            new Boolean[][][] {{{true, false}}}),
        new Arrays5(
            MATRIX,
            NdArray.of(new double[] {1.5, 2.5}, 2, 1),
            NdArray.of(new int[] {7, 8}, 2),
            NdArray.of(new short[0], 0, 3),
            NdArray.of(bits, 1, 1, 2)));
    assertRead(
        Vectors.class,
        new Vectors(null, new double[0], null, new int[] {1}, null),
        new Arrays5(null, NdArray.of(new float[0], 0), null, NdArray.of(new int[] {1}, 1), null));
  }

  @Test
  void arraysOfOtherDimensionsAreErrors() {
    Arrays5 written = new Arrays5(MATRIX, null, null, null, null);
    Codec<Arrays5> from = Codec.of(Arrays5.class);
    Codec<Vectors> to = Codec.of(Vectors.class);
    byte[] message = from.encodeAll(List.of(written));
    SerowException e = assertThrows(SerowException.class, () -> to.decodeAll(message));
    assertTrue(e.getMessage().contains("an array of float32 with 2 dimensions"), e.getMessage());
    byte[] wide = from.encodeAll(List.of(new Arrays5(null, null, null, null, MATRIX)));
    assertThrows(SerowException.class, () -> to.decodeAll(wide));
    byte[] large =
        from.encodeAll(
            List.of(new Arrays5(null, null, null, NdArray.of(new long[] {1L << 40}, 1), null)));
    DecodeException narrow = assertThrows(DecodeException.class, () -> to.decodeAll(large));
    assertTrue(narrow.getMessage().contains("1099511627776"), narrow.getMessage());
  }

  @Test
  void listsOfArraysCountAsMemory() {
    byte[] message = Serow.dumps(List.of(NdArray.of(new byte[100_000], 100_000)));
    Schema lists = Schema.parse("[i64]");
    Codec<Object> codec = Codec.ofAny(lists);
    assertThrows(LimitException.class, () -> codec.withMaxMemory(1_000_000).decodeAll(message));
    assertEquals(1, codec.withMaxMemory(10_000_000).decodeAll(message).size());

    assertEquals(1, Serow.options().withMaxMemory(400_000).loads(message).size());
    assertThrows(LimitException.class, () -> Serow.options().withMaxMemory(99_000).loads(message));
  }
}
