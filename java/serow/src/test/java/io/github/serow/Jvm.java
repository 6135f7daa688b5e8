package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Starts a new JVM with a test program, for effects that happen only once per process. */
public record Jvm(List<String> options, Map<String, String> environment) {
  /** The output of a program in lines, and its exit code. */
  public record Result(int exitCode, List<String> lines) {}

  public Result run(Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    return runOn(System.getProperty("java.class.path"), program, arguments);
  }

  /** Runs the program on another class path. What a failed one wrote to its errors is shown. */
  public Result runOn(String classPath, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, program.getName()));
    command.addAll(List.of(arguments));
    Path errors = Files.createTempFile("serow", ".err");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      List<String> lines = new String(process.getInputStream().readAllBytes()).lines().toList();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
      if (process.exitValue() != 0 && Files.size(errors) != 0) {
        System.err.println(program.getName() + ": " + Files.readString(errors));
      }
      return new Result(process.exitValue(), lines);
    } finally {
      Files.delete(errors);
    }
  }
}
