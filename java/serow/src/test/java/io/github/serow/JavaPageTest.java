package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the examples of pages in {@code docs}. */
@EnabledForJreRange(min = JRE.JAVA_21) // It takes seconds, and one JDK of those tested is enough.
@Tag("once")
class JavaPageTest {
  private static final Path PAGES = Path.of("..", "..", "docs");

  @ParameterizedTest
  @CsvSource({"java.md, 15", "java-classes.md, 1", "streams.md, 5"})
  void theExamplesGiveTheValuesInTheirComments(String name, int least) throws IOException {
    Path page = PAGES.resolve(name);
    String text = Files.readString(page);
    int values = PageExamples.run(PageExamples.in(text));
    assertTrue(values >= least, "only " + values + " values were found in " + page);
  }
}
