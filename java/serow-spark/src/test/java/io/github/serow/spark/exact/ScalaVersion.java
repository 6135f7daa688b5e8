package io.github.serow.spark.exact;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** The samples in Scala of the module serow, loaded with one version of Scala's library. */
enum ScalaVersion {
  SCALA_2_12("2.12", "scala-library.jar"),
  SCALA_2_13("2.13", "scala-library.jar"),
  SCALA_3("3", "scala-library.jar", "scala3-library.jar");

  private final ClassLoader loader;

  ScalaVersion(String version, String... jars) {
    Path folder = Path.of(System.getProperty("serow.scala.dir"), version);
    URL[] places = new URL[1 + jars.length];
    places[0] = url(folder.resolve("classes"));
    for (int i = 0; i < jars.length; i++) {
      places[1 + i] = url(folder.resolve(jars[i]));
    }
    loader = new URLClassLoader(places, ClassLoader.getPlatformClassLoader());
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }

  /** The class with this name in the package of the samples. */
  Class<?> type(String name) {
    return load("io.github.serow.samples." + name);
  }

  Class<?> load(String name) {
    try {
      return Class.forName(name, true, loader);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
