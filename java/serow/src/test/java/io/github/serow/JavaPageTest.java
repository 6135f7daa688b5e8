package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.Diag;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the examples of pages in {@code docs}, and checks the values in their comments. */
@EnabledForJreRange(min = JRE.JAVA_21) // It takes seconds, and one JDK of those tested is enough.
@Tag("once")
class JavaPageTest {
  private static final Path PAGES = Path.of("..", "..", "docs");

  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** A line with an expression and its value: {@code codec.schema(); // "i64"}. */
  private static final Pattern VALUE =
      Pattern.compile("^(\\S.*?);\\s+// (true|false|-?\\d+|\".*\")$", Pattern.MULTILINE);

  @ParameterizedTest
  @CsvSource({"java.md, 15", "streams.md, 5"})
  void theExamplesGiveTheValuesInTheirComments(String name, int least) throws IOException {
    Path page = PAGES.resolve(name);
    int values = 0;
    try (JShell shell = JShell.builder().executionEngine("local").build()) {
      Matcher blocks = BLOCK.matcher(Files.readString(page));
      while (blocks.find()) {
        Matcher lines = VALUE.matcher(blocks.group(1));
        int from = 0;
        while (lines.find()) {
          run(shell, blocks.group(1).substring(from, lines.start()));
          List<SnippetEvent> events = run(shell, lines.group(1) + ";\n");
          assertEquals(lines.group(2), events.get(0).value(), lines.group(1));
          from = lines.end();
          values++;
        }
        run(shell, blocks.group(1).substring(from));
      }
    }
    assertTrue(values >= least, "only " + values + " values were found in " + page);
  }

  private static List<SnippetEvent> run(JShell shell, String code) {
    List<SnippetEvent> all = new ArrayList<>();
    String rest = code;
    while (!rest.isBlank()) {
      CompletionInfo next = shell.sourceCodeAnalysis().analyzeCompletion(rest);
      assertTrue(next.completeness().isComplete(), rest);
      for (SnippetEvent event : shell.eval(next.source())) {
        String source = event.snippet().source();
        if (event.causeSnippet() == null) {
          assertEquals(Snippet.Status.VALID, event.status(), () -> problems(shell, event, source));
          assertEquals(null, event.exception(), source);
          all.add(event);
        }
      }
      rest = next.remaining();
    }
    return all;
  }

  private static String problems(JShell shell, SnippetEvent event, String source) {
    return source
        + shell
            .diagnostics(event.snippet())
            .map((Diag problem) -> "\n" + problem.getMessage(null))
            .toList();
  }
}
