package io.github.serow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes of a named module whose packages are closed. */
class ClosedModuleTest {
  @TempDir private static Path folder;

  private static Path write(String name, String code) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, code);
  }

  /** Compiles a module of which only {@code model.api} is exported, and loads it. */
  private static ClassLoader load() throws IOException {
    Path out = folder.resolve("out");
    List<Path> sources =
        List.of(
            write("module-info.java", "module model { exports model.api; }"),
            write(
                "model/data/Part.java",
                "package model.data; record Part(long key, String name) {"
                    + " static Object one() { return new Part(7, \"bolt\"); } }"),
            write(
                "model/data/Bean.java",
                "package model.data; public class Bean { private int size; }"),
            write(
                "model/data/Parts.java",
                "package model.data; public class Parts {"
                    + " public static Object one() { return Part.one(); } }"),
            write(
                "model/api/Access.java",
                "package model.api; import java.lang.invoke.MethodHandles;"
                    + " public class Access implements java.util.function.Supplier<Object> {"
                    + " public static MethodHandles.Lookup lookup() { return MethodHandles.lookup(); }"
                    + " public Object get() { return model.data.Parts.one(); } }"));
    List<String> arguments =
        Stream.concat(Stream.of("-d", out.toString()), sources.stream().map(Path::toString))
            .toList();
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertEquals(0, result);
    Configuration configuration =
        ModuleLayer.boot()
            .configuration()
            .resolve(ModuleFinder.of(out), ModuleFinder.of(), Set.of("model"));
    return ModuleLayer.boot()
        .defineModulesWithOneLoader(configuration, ClassLoader.getSystemClassLoader())
        .findLoader("model");
  }

  @Test
  void aLookupOpensItsModule() throws Exception {
    ClassLoader loader = load();
    Class<?> access = loader.loadClass("model.api.Access");
    Class<?> part = loader.loadClass("model.data.Part");
    SchemaException closed = assertThrows(SchemaException.class, () -> Codec.of(part));
    assertTrue(
        closed.getMessage().contains("Mappings.standard().withLookup(MethodHandles.lookup())"),
        closed.getMessage());

    MethodHandles.Lookup lookup = (MethodHandles.Lookup) access.getMethod("lookup").invoke(null);
    Mappings mappings = Mappings.standard().withLookup(lookup);
    Object one = ((Supplier<?>) access.getConstructor().newInstance()).get();
    comesBack(part, one, mappings);
    assertEquals("Part{key: i64, name: str?}", Schema.of(part, mappings).toString());
    Class<?> bean = loader.loadClass("model.data.Bean");
    assertEquals("Bean{size: i64}", Schema.of(bean, mappings).toString());
  }

  private static <T> void comesBack(Class<T> type, Object object, Mappings mappings) {
    Codec<T> codec = Codec.of(type, mappings).withWire(Wire.FRAME);
    List<T> rows = List.of(type.cast(object), type.cast(object));
    assertEquals(rows, codec.decodeAll(codec.encodeAll(rows)));
  }

  @Test
  void aLookupWithoutPrivateAccessIsRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Mappings.standard().withLookup(MethodHandles.publicLookup()));
  }

  @Test
  void aPrimitiveClassIsNotConverted() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Mappings.standard()
                .withConverter(int.class, String.class, String::valueOf, Integer::valueOf));
  }
}
