package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs Java's examples in {@code docs/arrow.md}, after the first in {@code docs/java.md}. */
class ArrowPageTest {
  @Test
  void theExamplesGiveTheValuesInTheirComments() throws IOException {
    List<String> blocks = new ArrayList<>(PageExamples.in(page("java.md")).subList(0, 1));
    blocks.addAll(PageExamples.in(page("arrow.md")));
    int values = PageExamples.run(blocks);
    assertTrue(values >= 5, "only " + values + " values were found");
  }

  private static String page(String name) throws IOException {
    return Files.readString(Path.of("..", "..", "docs", name));
  }
}
