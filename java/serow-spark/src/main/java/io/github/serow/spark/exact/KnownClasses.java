package io.github.serow.spark.exact;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The classes of the JDK, of Scala's library and of serow whose objects are kept in a way of their
 * own. Layouts name them by their indices in this table, so new ones are added at its end.
 */
final class KnownClasses {
  /** Examines a class of the table. */
  interface Maker {
    ExactClass make(Class<?> type, RowClasses classes)
        throws MisfitException, ReflectiveOperationException;
  }

  /**
   * A class of the table.
   *
   * @param index its place
   * @param name its name
   * @param jdk the class, if it is one of the JDK's or of serow's; otherwise null
   */
  record Entry(int index, String name, Class<?> jdk, Maker maker) {
    /** The class that stands for {@code type} in layouts. */
    Class<?> named(Class<?> type) throws ReflectiveOperationException {
      return type.getName().equals(name) ? type : find(type, name);
    }

    /** The class for a layout that names it. */
    Class<?> resolve(RowClasses classes) throws ClassNotFoundException {
      return jdk != null ? jdk : classes.ofName(name);
    }
  }

  private static final String IMMUTABLE = "scala.collection.immutable.";
  private static final int LARGEST_TUPLE = 22;
  private static final String[] ARRAYS_OF = {
    "Boolean", "Byte", "Char", "Double", "Float", "Int", "Long", "Ref", "Short", "Unit"
  };

  /** The primitive types for which Scala's library has tuples of their own, in all versions. */
  private static final List<String> TUPLE1_OF = List.of("I", "J", "D");

  private static final List<String> TUPLE2_OF = List.of("I", "J", "D", "C", "Z");

  private static final List<Entry> ALL = new ArrayList<>();

  /** By the names of classes, also of those that share an entry with others. */
  private static final Map<String, Entry> BY_NAME = new HashMap<>();

  static {
    add(Scalars.ALL);
    add("scala.Some", FieldsClass::of);
    add("scala.None$", (type, classes) -> SingletonObject.ofModule(type));
    for (int size = 1; size <= LARGEST_TUPLE; size++) {
      add("scala.Tuple" + size, FieldsClass::of);
    }
    for (String first : TUPLE1_OF) {
      add("scala.Tuple1$mc" + first + "$sp", KnownClasses::specializedTuple);
    }
    for (String first : TUPLE2_OF) {
      for (String second : TUPLE2_OF) {
        add("scala.Tuple2$mc" + first + second + "$sp", KnownClasses::specializedTuple);
      }
    }
    add(PrimitiveArrays.ALL);
    add(new Entry(ALL.size(), Object.class.getName(), Object.class, KnownClasses::noValue));
    add(IMMUTABLE + "List", (type, classes) -> ScalaCollections.list(type));
    alias(IMMUTABLE + "List", "$colon$colon", "Nil$");
    add(IMMUTABLE + "Vector", (type, classes) -> ScalaCollections.vector(type));
    alias(IMMUTABLE + "Vector", "Vector0$", "Vector1", "Vector2", "Vector3", "Vector4");
    alias(IMMUTABLE + "Vector", "Vector5", "Vector6");
    add(IMMUTABLE + "Set", (type, classes) -> ScalaCollections.set(type));
    alias(IMMUTABLE + "Set", "Set$EmptySet$", "Set$Set1", "Set$Set2", "Set$Set3", "Set$Set4");
    alias(IMMUTABLE + "Set", "HashSet", "HashSet$HashTrieSet");
    add(IMMUTABLE + "Map", (type, classes) -> ScalaCollections.map(type));
    alias(IMMUTABLE + "Map", "Map$EmptyMap$", "Map$Map1", "Map$Map2", "Map$Map3", "Map$Map4");
    alias(IMMUTABLE + "Map", "HashMap", "HashMap$HashTrieMap");
    for (String name : ScalaCollections.MUTABLE_SEQUENCES) {
      add(name, (type, classes) -> ScalaCollections.mutableSequence(type));
    }
    add("scala.collection.mutable.HashMap", (type, classes) -> ScalaCollections.mutableMap(type));
    add(JavaCollections.ALL);
    add("scala.util.Left", FieldsClass::of);
    add("scala.util.Right", FieldsClass::of);
    add("scala.runtime.BoxedUnit", (type, classes) -> SingletonObject.of(type, "UNIT"));
    for (String of : ARRAYS_OF) {
      add(IMMUTABLE + "ArraySeq$of" + of, FieldsClass::of);
      add("scala.collection.mutable.ArraySeq$of" + of, FieldsClass::of);
      add("scala.collection.mutable.WrappedArray$of" + of, FieldsClass::of);
    }
    add("scala.math.BigInt", (type, classes) -> ScalaSteps.bigInt(type));
    add("scala.math.BigDecimal", (type, classes) -> ScalaSteps.bigDecimal(type));
  }

  private KnownClasses() {}

  /** Adds classes that are the same for all callers. */
  private static void add(List<ExactClass> classes) {
    for (ExactClass each : classes) {
      Class<?> type = each.type;
      add(new Entry(ALL.size(), type.getName(), type, (of, permitted) -> each));
    }
  }

  private static void add(String name, Maker maker) {
    add(new Entry(ALL.size(), name, null, maker));
  }

  private static void add(Entry entry) {
    ALL.add(entry);
    BY_NAME.put(entry.name, entry);
  }

  private static void alias(String name, String... others) {
    for (String other : others) {
      BY_NAME.put(IMMUTABLE + other, BY_NAME.get(name));
    }
  }

  private static ExactClass specializedTuple(Class<?> type, RowClasses classes)
      throws MisfitException, ReflectiveOperationException {
    return FieldsClass.ofSpecializedTuple(type);
  }

  /** Only the component of arrays. */
  private static ExactClass noValue(Class<?> type, RowClasses classes) throws MisfitException {
    throw new MisfitException("which has no value");
  }

  /** The entry of a class; null if it has none. */
  static Entry of(Class<?> type) {
    Entry entry = BY_NAME.get(type.getName());
    return entry == null || entry.jdk != null && entry.jdk != type ? null : entry;
  }

  /** The number of entries. */
  static int size() {
    return ALL.size();
  }

  static Entry at(int index) {
    return ALL.get(index);
  }

  /** A class of the same version of the library as {@code type}. */
  static Class<?> find(Class<?> type, String name) throws ClassNotFoundException {
    return Class.forName(name, false, type.getClassLoader());
  }
}
