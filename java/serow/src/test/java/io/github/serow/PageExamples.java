package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jshell.Diag;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;

/** Runs the examples of a page in {@code docs}, and checks the values in their comments. */
final class PageExamples {
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** A line with an expression and its value: {@code codec.schema(); // "i64"}. */
  private static final Pattern VALUE =
      Pattern.compile("^(\\S.*?);\\s+// (true|false|-?\\d+|\".*\")$", Pattern.MULTILINE);

  private PageExamples() {}

  /** The blocks of examples in a text. */
  static List<String> in(String text) {
    return BLOCK.matcher(text).results().map(block -> block.group(1)).toList();
  }

  /** Runs the blocks one after another. Returns the number of values in comments. */
  static int run(List<String> blocks) {
    int values = 0;
    try (JShell shell = JShell.builder().executionEngine("local").build()) {
      for (String block : blocks) {
        Matcher lines = VALUE.matcher(block);
        int from = 0;
        while (lines.find()) {
          run(shell, block.substring(from, lines.start()));
          List<SnippetEvent> events = run(shell, lines.group(1) + ";\n");
          assertEquals(lines.group(2), events.get(0).value(), lines.group(1));
          from = lines.end();
          values++;
        }
        run(shell, block.substring(from));
      }
    }
    return values;
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
