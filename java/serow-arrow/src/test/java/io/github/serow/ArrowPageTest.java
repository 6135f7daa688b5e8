package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Runs the examples of the section on Arrow in {@code docs/java.md}, after the first of the page.
 */
class ArrowPageTest {
  @Test
  void theExamplesGiveTheValuesInTheirComments() throws IOException {
    String page = Files.readString(Path.of("..", "..", "docs", "java.md"));
    int begin = page.indexOf("\n## Arrow\n");
    List<String> blocks = new ArrayList<>(PageExamples.in(page).subList(0, 1));
    blocks.addAll(PageExamples.in(page.substring(begin, page.indexOf("\n## ", begin + 1))));
    int values = PageExamples.run(blocks);
    assertTrue(values >= 5, "only " + values + " values were found");
  }
}
