package io.github.serow.internal.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.LimitException;
import io.github.serow.Serow;
import io.github.serow.Wire;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class LimitsTest {
  private static final Path NATIVE =
      Path.of(System.getProperty("serow.golden.dir")).resolve("../../crates/core/src/limits.rs");

  private static final Pattern CONSTANT =
      Pattern.compile("const (\\w+): \\w+ =\\s+([^;]+);", Pattern.DOTALL);

  private final Map<String, String> texts = new HashMap<>();

  /** Evaluates a constant of Rust. */
  private long value(String text) {
    String sum = text.strip();
    if (sum.startsWith("sized(")) {
      return value(sum.substring("sized(".length(), sum.indexOf(',')));
    }
    for (String operator : new String[] {" << ", " - ", " / ", " * "}) {
      int at = sum.lastIndexOf(operator);
      if (at >= 0) {
        long left = value(sum.substring(0, at));
        long right = value(sum.substring(at + operator.length()));
        return switch (operator.strip()) {
          case "<<" -> left << right;
          case "-" -> left - right;
          case "/" -> left / right;
          default -> left * right;
        };
      }
    }
    String known = texts.get(sum);
    return known != null ? value(known) : Long.parseLong(sum.replace("_", ""));
  }

  @Test
  void allLimitsAreThoseOfNativeCode() throws Exception {
    Matcher constants = CONSTANT.matcher(Files.readString(NATIVE));
    while (constants.find()) {
      texts.put(constants.group(1), constants.group(2));
    }
    int compared = 0;
    for (Field field : Limits.class.getFields()) {
      if (field.getType() == int.class) {
        String name = field.getName();
        assertTrue(texts.containsKey(name), () -> name + " is no limit of " + NATIVE);
        assertEquals(value(texts.get(name)), field.getInt(null), name);
        compared++;
      }
    }
    assertTrue(compared >= 16, "compared " + compared);
  }

  @Test
  void theBytesOfAnIntegerAreThoseOfItsDigits() throws Exception {
    allLimitsAreThoseOfNativeCode();
    int bits = (int) Math.ceil(value("MAX_DIGITS") * Math.log(10) / Math.log(2));
    assertEquals(Limits.MAX_INTEGER_BYTES, bits / Byte.SIZE + 1);
  }

  @Test
  void elementsOfARecordAreCounted() {
    // Lists of as many nulls as a frame may have.
    int most = Limits.MAX_ROW_ELEMENTS / Limits.MAX_ZERO_SIZED;
    ByteBuffer lengths = ByteBuffer.allocate(4 * most).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < most; i++) {
      lengths.putInt(Limits.MAX_ZERO_SIZED << 4 | 1 << 3);
    }
    RecordIn in = new RecordIn(lengths.array(), 0, lengths.capacity());
    for (int i = 1; i < most; i++) {
      assertEquals(Limits.MAX_ZERO_SIZED, in.count(0));
    }
    String message = assertThrows(LimitException.class, () -> in.count(0)).getMessage();
    assertEquals(Limits.TOO_MANY_ELEMENTS, message);
    // The next record of a frame begins anew.
    in.begin(0, 4);
    assertEquals(Limits.MAX_ZERO_SIZED, in.count(0));
  }

  @Test
  void integersOfTooManyDigitsAreNotWritten() {
    BigInteger most =
        BigInteger.ONE.shiftLeft(8 * Limits.MAX_INTEGER_BYTES - 1).subtract(BigInteger.ONE);
    for (BigInteger number :
        new BigInteger[] {most.add(BigInteger.ONE), most.shiftLeft(8).negate()}) {
      List<Object> rows = List.of(number);
      assertThrows(LimitException.class, () -> Serow.dumps(rows, Wire.ROW));
      List<Object> decimals = List.of(new BigDecimal(number, 3));
      assertThrows(LimitException.class, () -> Serow.dumps(decimals, Wire.ROW));
    }
    assertEquals(List.of(most), Serow.loads(Serow.dumps(List.of(most), Wire.ROW)));
  }
}
