package io.github.serow.internal.jni;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The declarations of native methods are those of the native library. */
class NativeTest {
  private static final Path TABLE =
      Path.of(System.getProperty("serow.golden.dir"), "../../crates/jvm/src/natives.rs");

  private static Stream<Method> natives() {
    return Arrays.stream(Native.class.getDeclaredMethods())
        .filter(method -> Modifier.isNative(method.getModifiers()));
  }

  @Test
  void theLibraryHasTheSameMethods() throws IOException {
    String table = Files.readString(TABLE);
    table = table.substring(table.indexOf("natives! {"));
    Set<String> implemented = new TreeSet<>();
    Pattern.compile("([\\w\\[\\]]+) (\\w+)\\(([^)]*)\\) = ")
        .matcher(table)
        .results()
        .map(
            line ->
                Stream.of(line.group(3).split(","))
                    .map(parameter -> parameter.strip().split(" ")[0])
                    .collect(
                        Collectors.joining(" ", line.group(1) + " " + line.group(2) + " ", "")))
        .map(String::strip)
        .forEach(implemented::add);
    assertEquals(
        natives().map(method -> String.join(" ", words(method))).collect(Collectors.toSet()),
        implemented);
  }

  @Test
  void theVersionIsTheHashOfTheMethods() {
    int sum = Native.REVISION + natives().mapToInt(method -> hash(words(method))).sum();
    assertEquals(sum, Native.ABI, "the number to set in Native.ABI");
    assertEquals(sum, Native.abi(), "the number of the native library");
  }

  /** The types and the name of a method, as in the table: {@code [byte]} for {@code byte[]}. */
  private static String[] words(Method method) {
    return Stream.concat(
            Stream.of(type(method.getReturnType()), method.getName()),
            Arrays.stream(method.getParameterTypes()).map(NativeTest::type))
        .toArray(String[]::new);
  }

  private static String type(Class<?> type) {
    return type.isArray() ? "[" + type.componentType() + "]" : type.getSimpleName();
  }

  /** FNV-1a of the words, each followed by a space. */
  private static int hash(String[] words) {
    int hash = 0x811c9dc5;
    for (char c : (String.join(" ", words) + " ").toCharArray()) {
      hash = (hash ^ c) * 0x01000193;
    }
    return hash;
  }
}
