package io.github.serow.spark.rdd;

import io.github.serow.spark.exact.RowClasses;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * The names of the classes of class tags. Spark's collection of a group, {@code CompactBuffer}, has
 * a class tag.
 */
final class ClassTagTexts implements RowClasses.Texts {
  /** The tags of most classes. */
  static final String CLASS = "scala.reflect.ClassTag$GenericClassTag";

  /** The tag that Spark's Java API has for all classes. */
  static final String ANY = "scala.reflect.ManifestFactory$AnyManifest";

  /** The only object of its class. */
  static final RowClasses.Texts OF_ANY =
      new RowClasses.Texts() {
        @Override
        public String text(Object object) {
          return "";
        }

        @Override
        public Object object(String text) {
          return ClassTag$.MODULE$.Any();
        }
      };

  private final KryoRowClasses classes;
  private final Map<String, ClassTag<?>> tags = new ConcurrentHashMap<>();

  ClassTagTexts(KryoRowClasses classes) {
    this.classes = classes;
  }

  @Override
  public String text(Object object) {
    String name = ((ClassTag<?>) object).runtimeClass().getName();
    try {
      return tag(name).equals(object) ? name : null;
    } catch (IllegalArgumentException other) {
      return null;
    }
  }

  @Override
  public Object object(String text) {
    return tag(text);
  }

  private ClassTag<?> tag(String name) {
    ClassTag<?> tag = tags.get(name);
    if (tag == null) {
      tag = make(name);
      tags.put(name, tag);
    }
    return tag;
  }

  private ClassTag<?> make(String name) {
    Class<?> type;
    try {
      type = classes.ofName(name);
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalArgumentException("a class tag has the class " + name, e);
    }
    ClassTag<?> tag = ClassTag$.MODULE$.apply(type);
    if (!classes.isKnown(type) || !tag.getClass().getName().equals(CLASS)) {
      throw new IllegalArgumentException("a class tag has the class " + name);
    }
    return tag;
  }
}
