package io.github.serow;

import io.github.serow.internal.schema.Names;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Answers the requests of {@code tests/cross/README.md} with serow for the JVM. */
public final class Conformance {
  private static final HexFormat HEX = HexFormat.of();

  private Conformance() {}

  /** Answers until the end of the input. */
  public static void main(String[] args) throws IOException {
    DataInputStream requests = new DataInputStream(new BufferedInputStream(System.in));
    DataOutputStream answers = new DataOutputStream(new BufferedOutputStream(System.out));
    for (int asked = requests.read(); asked >= 0; asked = requests.read()) {
      byte[] message = requests.readNBytes(Integer.reverseBytes(requests.readInt()));
      int status;
      byte[] content;
      try {
        content = answer(asked, message);
        status = 0;
      } catch (SerowException e) {
        content = (kind(e) + ": " + e.getMessage()).getBytes(StandardCharsets.UTF_8);
        status = 1;
      } catch (RuntimeException | Error e) {
        content = e.toString().getBytes(StandardCharsets.UTF_8);
        status = 2;
      }
      answers.writeByte(status);
      answers.writeInt(Integer.reverseBytes(content.length));
      answers.write(content);
      answers.flush();
    }
  }

  private static byte[] answer(int asked, byte[] message) {
    List<Object> rows = Serow.loads(message);
    if (asked < 2) {
      return Serow.dumps(rows, asked == 1 ? Wire.FRAME : Wire.ROW);
    }
    if (asked == 3) {
      return Serow.dumps(rows);
    }
    StringBuilder text = new StringBuilder();
    for (Object row : rows) {
      write(row, text);
      text.setCharAt(text.length() - 1, '\n');
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static String kind(SerowException e) {
    String name = e.getClass().getSimpleName();
    return name.substring(0, name.indexOf("Exception")).toLowerCase(Locale.ROOT);
  }

  /** The text of a value and a space. */
  private static void write(Object value, StringBuilder text) {
    if (value == null) {
      text.append("n ");
    } else if (value instanceof Boolean bit) {
      text.append(bit ? "b1 " : "b0 ");
    } else if (value instanceof Long number) {
      text.append('i').append(number).append(' ');
    } else if (value instanceof Double number) {
      text.append('f').append(HEX.toHexDigits(Double.doubleToRawLongBits(number))).append(' ');
    } else if (value instanceof String string) {
      text.append('s');
      string.codePoints().forEach(c -> hex(c, text));
      text.append(' ');
    } else if (value instanceof Object[] fields) {
      text.append('t').append(fields.length).append(' ');
      Arrays.asList(fields).forEach(field -> write(field, text));
    } else if (value instanceof List<?> elements) {
      text.append('l').append(elements.size()).append(' ');
      elements.forEach(element -> write(element, text));
    } else if (value instanceof Set<?> elements) {
      text.append(elements instanceof FrozenSet ? 'F' : 'S').append(elements.size()).append(' ');
      elements.stream().map(Conformance::write).sorted().forEach(text::append);
    } else if (value instanceof Map<?, ?> map) {
      writeMap(map, text);
    } else if (value instanceof Row row) {
      text.append('r').append(row.size()).append(' ');
      write(row.name(), text);
      for (int i = 0; i < row.size(); i++) {
        write(row.fields().get(i), text);
        write(row.get(i), text);
      }
    } else if (value instanceof EnumMember member) {
      text.append(member.value() == null ? 'e' : 'E').append(member.index()).append(' ');
      write(member.type(), text);
      text.append(member.members().size()).append(' ');
      for (int i = 0; i < member.members().size(); i++) {
        write(member.members().get(i), text);
        if (member.value() != null) {
          write(member.values().get(i), text);
        }
      }
    } else {
      text.append(PartsText.write(value)).append(' ');
    }
  }

  private static String write(Object value) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return text.toString();
  }

  /** A map whose keys are all names is a dict with fixed keys. */
  private static void writeMap(Map<?, ?> map, StringBuilder text) {
    boolean isDict =
        map.keySet().stream().allMatch(key -> key instanceof String name && Names.isName(name));
    text.append(isDict ? 'd' : 'm').append(map.size()).append(' ');
    map.forEach(
        (key, value) -> {
          write(key, text);
          write(value, text);
        });
  }

  /** The generalised UTF-8 of a code point, which may be a surrogate. */
  private static void hex(int c, StringBuilder text) {
    int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    int first = more == 0 ? c : 0xFF00 >> more + 1 | c >> 6 * more;
    text.append(HEX.toHexDigits((byte) first));
    for (int i = more - 1; i >= 0; i--) {
      text.append(HEX.toHexDigits((byte) (0x80 | c >> 6 * i & 0x3F)));
    }
  }
}
