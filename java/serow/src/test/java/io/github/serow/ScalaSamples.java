package io.github.serow;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Values and classes of {@code src/test/scala}, loaded with one version of Scala's library. */
public enum ScalaSamples {
  SCALA_2_12("2.12"),
  SCALA_2_13("2.13"),
  SCALA_3("3");

  private static final String PACKAGE = "io.github.serow.samples.";

  private final ClassLoader loader;

  ScalaSamples(String version) {
    Path folder = Path.of(System.getProperty("serow.scala.dir"), version);
    try {
      List<URL> places = new ArrayList<>();
      places.add(folder.resolve("classes").toUri().toURL());
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.jar")) {
        for (Path jar : jars) {
          places.add(jar.toUri().toURL());
        }
      }
      loader = new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The class with this name in the package of the samples. */
  public Class<?> type(String name) {
    return load(PACKAGE + name);
  }

  public Class<?> load(String name) {
    try {
      return Class.forName(name, true, loader);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** The value with this name. */
  public Object value(String name) {
    return call(type("Values"), null, name);
  }

  public Object some(Object value) {
    try {
      return type("Values").getMethod("some", Object.class).invoke(null, value);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** The result of a method without arguments. */
  public static Object call(Object value, String method) {
    return call(value.getClass(), value, method);
  }

  private static Object call(Class<?> type, Object value, String method) {
    try {
      return type.getMethod(method).invoke(value);
    } catch (InvocationTargetException e) {
      throw new AssertionError(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
