package io.github.serow.internal.jni;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StringBytesTest {
  @Test
  void theBytesOfLatin1AreThoseInTheString() {
    assertTrue(NativeLibrary.isLoaded());
    for (String text : new String[] {"", "a", "almond \u00e9\u00ff\u0000"}) {
      assertArrayEquals(text.getBytes(StandardCharsets.ISO_8859_1), StringBytes.latin1(text));
    }
  }

  @Test
  void otherStringsHaveNone() {
    assertTrue(NativeLibrary.isLoaded());
    assertNull(StringBytes.latin1("\u0100"));
    assertNull(StringBytes.latin1("a\ud83d\ude00"));
  }
}
