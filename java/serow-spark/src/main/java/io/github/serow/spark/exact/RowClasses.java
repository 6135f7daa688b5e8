package io.github.serow.spark.exact;

import java.util.function.Supplier;

/**
 * What the caller of {@link ExactRows} decides about classes: which of them rows may contain, how
 * layouts name them, and how empty objects are made. It is called from several threads.
 */
public interface RowClasses {
  /** How serow keeps the objects of a class. */
  enum Way {
    /** A class of the JDK or of Scala's library that serow knows, such as a list or a tuple. */
    LIBRARY,

    /** A text that {@link #texts} makes of each object. */
    TEXT,

    /**
     * All fields that are neither static nor transient, also those of superclasses. The caller must
     * know that they are the whole value.
     */
    FIELDS,

    /** The constants of a Java enum. */
    ENUM,

    /** A Scala {@code object}. To read it initializes its class. */
    SINGLETON,

    /** An array of objects. */
    ARRAY
  }

  /** Makes texts of the objects of an immutable class, and equal objects of the texts. */
  interface Texts {
    /** The text of an object; null if the object can't be kept. */
    String text(Object object);

    /**
     * The object of a text, which may be of damaged bytes.
     *
     * @throws IllegalArgumentException if {@link #text} makes no such text
     */
    Object object(String text);
  }

  /**
   * Null if rows may contain objects of {@code type}, kept in this way. Otherwise why they may not,
   * for a message that names the class: "a row has an object of class X, " and this. Nothing
   * happens to a class before this method permits it. The answer for a class is always the same.
   */
  String refusal(Class<?> type, Way way);

  /** The texts of a class whose objects are kept as texts; null for other classes. */
  default Texts texts(Class<?> type) {
    return null;
  }

  /**
   * Makes objects of {@code type} whose fields are set afterwards. Returns null if there is no way
   * to make them; such a class needs a constructor that sets each field to a parameter.
   */
  Supplier<?> maker(Class<?> type);

  /** The number that stands for a class in all programs that read the rows; -1 if there is none. */
  int idOf(Class<?> type);

  /** The class with this number; null if there is none. */
  Class<?> ofId(int id);

  /** The class with this name, which must not be initialized. */
  Class<?> ofName(String name) throws ClassNotFoundException;

  /**
   * Whether a row that contains a mutable object twice must be refused. Otherwise two objects come
   * back.
   */
  default boolean keepsSharing() {
    return true;
  }
}
