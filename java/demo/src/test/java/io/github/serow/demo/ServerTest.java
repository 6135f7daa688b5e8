package io.github.serow.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.serow.Compression;
import io.github.serow.demo.Framing.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The conversation, with all of Python's messages written in advance. */
class ServerTest {
  private final ByteArrayOutputStream asked = new ByteArrayOutputStream();
  private final Framing python = new Framing(new ByteArrayInputStream(new byte[0]), asked);
  private final ByteArrayOutputStream answered = new ByteArrayOutputStream();

  private void ask(Kind kind, byte[] payload) throws IOException {
    python.write(kind, payload);
    python.flush();
  }

  private void askFor(Kind kind, long... numbers) throws IOException {
    ask(kind, Framing.numbers(numbers));
  }

  private Framing serve(Contestant contestant) throws Exception {
    Framing framing = new Framing(new ByteArrayInputStream(asked.toByteArray()), answered);
    new Server(framing, contestant).serve();
    return answers();
  }

  private Framing answers() {
    return new Framing(
        new ByteArrayInputStream(answered.toByteArray()), new ByteArrayOutputStream());
  }

  @Test
  void rowsAreDecodedDigestedAndSentBack() throws Exception {
    List<Object> rows = PartRows.some(1500);
    List<byte[]> messages = new PickleContestant().encode(rows);
    askFor(Kind.MESSAGES, messages.size());
    for (byte[] message : messages) {
      ask(Kind.DATA, message);
    }
    askFor(Kind.WARM_UP, 3);
    askFor(Kind.DECODE);
    askFor(Kind.ENCODE);
    askFor(Kind.SEND);
    askFor(Kind.ABOUT);

    Framing answers = serve(new PickleContestant());

    long bytes = messages.stream().mapToLong(message -> message.length).sum();
    assertEquals(bytes, answers.read(Kind.RECEIVED).number(0));
    answers.read(Kind.WARMED_UP);
    Message decoded = answers.read(Kind.DECODED);
    assertEquals(1500, decoded.number(1));
    assertArrayEquals(Digest.of(rows), Arrays.copyOfRange(decoded.payload(), 16, 48));
    assertEquals(bytes, answers.read(Kind.ENCODED).number(1));
    assertEquals(messages.size(), answers.read(Kind.MESSAGES).number(0));
    for (byte[] message : messages) {
      assertArrayEquals(message, answers.read(Kind.DATA).payload());
    }
    String about = new String(answers.read(Kind.ABOUT).payload(), StandardCharsets.UTF_8);
    assertTrue(about.startsWith("java="), about);
    assertTrue(answers.read().isEmpty());
  }

  @Test
  void streamsAreReadDigestedAndWritten(@TempDir Path folder) throws Exception {
    List<Object> rows = PartRows.some(1500);
    Path given = folder.resolve("given file");
    Path made = folder.resolve("made");
    long plain = Streams.write(given, Compression.none(), rows);
    ask(Kind.READ_STREAM, given.toString().getBytes(StandardCharsets.UTF_8));
    ask(Kind.WRITE_STREAM, ("zstd " + made).getBytes(StandardCharsets.UTF_8));

    Framing answers = serve(new SerowContestant());

    Message decoded = answers.read(Kind.DECODED);
    assertEquals(1500, decoded.number(1));
    assertArrayEquals(Digest.of(rows), Arrays.copyOfRange(decoded.payload(), 16, 48));
    long bytes = answers.read(Kind.ENCODED).number(1);
    assertEquals(Files.size(made), bytes);
    assertTrue(bytes < plain, bytes + " < " + plain);
    assertArrayEquals(Digest.of(rows), Digest.of(Streams.read(made)));
  }

  @Test
  void exceptionsOfTheContestantAreSentToPython() throws Exception {
    askFor(Kind.MESSAGES, 1);
    ask(Kind.DATA, new byte[] {'?'});
    askFor(Kind.DECODE);

    assertThrows(Exception.class, () -> serve(new PickleContestant()));

    Framing answers = answers();
    answers.read(Kind.RECEIVED);
    String told = new String(answers.read(Kind.FAILED).payload(), StandardCharsets.UTF_8);
    assertTrue(told.contains("Exception"), told);
  }

  @Test
  void tooManyMessagesAreRefused() throws Exception {
    askFor(Kind.MESSAGES, -1);
    assertThrows(FramingException.class, () -> serve(new PickleContestant()));
  }

  @Test
  void unknownRequestsAreRefused() throws Exception {
    askFor(Kind.DECODED);
    assertThrows(FramingException.class, () -> serve(new PickleContestant()));
  }
}
