package io.github.serow.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.demo.Framing.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramingTest {
  private static final byte[] MESSAGE = {3, 0, 0, 0, 3, 'a', 'b', 'c'};

  private static Framing over(byte[] bytes) {
    return new Framing(new ByteArrayInputStream(bytes), OutputStream.nullOutputStream());
  }

  @Test
  void aMessageIsWrittenAsPythonReadsIt() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Framing framing = new Framing(new ByteArrayInputStream(new byte[0]), out);
    framing.write(Kind.DATA, new byte[] {'a', 'b', 'c'});
    framing.flush();
    assertArrayEquals(MESSAGE, out.toByteArray());
  }

  @Test
  void messagesAreReadOneByOneUntilTheEnd() throws IOException {
    byte[] stream = Arrays.copyOf(MESSAGE, 2 * MESSAGE.length);
    System.arraycopy(MESSAGE, 0, stream, MESSAGE.length, MESSAGE.length);
    Framing framing = over(stream);
    assertArrayEquals(new byte[] {'a', 'b', 'c'}, framing.read(Kind.DATA).payload());
    assertArrayEquals(new byte[] {'a', 'b', 'c'}, framing.read(Kind.DATA).payload());
    assertTrue(framing.read().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
  void aCutInsideAMessageIsAnError(int length) {
    Framing framing = over(Arrays.copyOf(MESSAGE, length));
    FramingException e = assertThrows(FramingException.class, framing::read);
    assertTrue(e.getMessage().startsWith("the stream ended"), e.getMessage());
  }

  @Test
  void anOversizedLengthIsRefused() {
    byte[] most = {3, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF};
    FramingException e = assertThrows(FramingException.class, over(most)::read);
    assertTrue(e.getMessage().contains("claims 4294967295 bytes"), e.getMessage());
    byte[] oneTooMany = {3, 0x10, 0, 0, 1};
    assertThrows(FramingException.class, over(oneTooMany)::read);
  }

  @Test
  void anUnknownKindIsAnError() {
    byte[] unknown = {99, 0, 0, 0, 0};
    assertThrows(FramingException.class, over(unknown)::read);
  }

  @Test
  void anotherKindThanExpectedIsAnError() {
    assertThrows(FramingException.class, () -> over(MESSAGE).read(Kind.MESSAGES));
    assertThrows(FramingException.class, () -> over(new byte[0]).read(Kind.MESSAGES));
  }

  @Test
  void numbersComeBack() throws IOException {
    Message message = new Message(Kind.DECODED, Framing.numbers(0, -1, Long.MAX_VALUE));
    assertEquals(0, message.number(0));
    assertEquals(-1, message.number(1));
    assertEquals(Long.MAX_VALUE, message.number(2));
    assertThrows(FramingException.class, () -> message.number(3));
  }
}
