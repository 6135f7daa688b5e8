package io.github.serow.spark.exact;

/** Finds the classes of a version of Scala, and those of the tests. */
final class BothLoaders extends ClassLoader {
  private final ClassLoader scala;

  BothLoaders(ScalaVersion version) {
    super(BothLoaders.class.getClassLoader());
    scala = version.type("ExactValues").getClassLoader();
  }

  @Override
  protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
    return name.startsWith("scala.") || name.startsWith("io.github.serow.samples.")
        ? scala.loadClass(name)
        : super.loadClass(name, isResolved);
  }
}
