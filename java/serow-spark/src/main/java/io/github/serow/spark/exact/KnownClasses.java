package io.github.serow.spark.exact;

import io.github.serow.NdArray;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The classes of the JDK, of Scala's library and of serow whose objects are kept in a way of their
 * own. Shapes name them by their indices in this table, so new ones are added at its end.
 */
final class KnownClasses {
  /** Examines a class of the table. */
  interface Maker {
    ExactClass make(Class<?> type, ExactClasses classes)
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
    ExactClass make(Class<?> type, ExactClasses classes)
        throws MisfitException, ReflectiveOperationException {
      return maker.make(type, classes);
    }

    /** The class that stands for {@code type} in shapes. */
    Class<?> named(Class<?> type) throws ReflectiveOperationException {
      return type.getName().equals(name) ? type : find(type, name);
    }

    /** The class for a shape that names it. */
    Class<?> resolve(RowClasses classes) throws ClassNotFoundException {
      return jdk != null ? jdk : classes.ofName(name);
    }
  }

  private static final String IMMUTABLE = "scala.collection.immutable.";
  private static final int LARGEST_TUPLE = 22;
  private static final String[] ARRAYS_OF = {
    "Boolean", "Byte", "Char", "Double", "Float", "Int", "Long", "Ref", "Short", "Unit"
  };

  private static final List<Entry> ALL = new ArrayList<>();

  /** By the names of classes, also of those that share an entry with others. */
  private static final Map<String, Entry> BY_NAME = new HashMap<>();

  static {
    add((type, classes) -> Scalars.of(type), Scalars.COMMON);
    add("scala.Some", KnownClasses::fields);
    add("scala.None$", (type, classes) -> SingletonObject.ofModule(type));
    for (int size = 1; size <= LARGEST_TUPLE; size++) {
      add("scala.Tuple" + size, KnownClasses::fields);
    }
    for (String name : SpecializedTuple.NAMES) {
      add(name, (type, classes) -> new SpecializedTuple(type));
    }
    add((type, classes) -> PrimitiveArrays.of(type), PrimitiveArrays.CLASSES);
    add((type, classes) -> Scalars.of(type), Scalars.OTHERS);
    add((type, classes) -> new InstantClass(), Instant.class);
    add(KnownClasses::noValue, Object.class);
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
    add((type, classes) -> JavaCollections.of(type), JavaCollections.CLASSES);
    add("scala.util.Left", KnownClasses::fields);
    add("scala.util.Right", KnownClasses::fields);
    add("scala.runtime.BoxedUnit", (type, classes) -> SingletonObject.of(type, "UNIT"));
    add((type, classes) -> HeapBuffer.BUFFER, HeapBuffer.BUFFER.type);
    for (String of : ARRAYS_OF) {
      add(IMMUTABLE + "ArraySeq$of" + of, KnownClasses::fields);
      add("scala.collection.mutable.ArraySeq$of" + of, KnownClasses::fields);
      add("scala.collection.mutable.WrappedArray$of" + of, KnownClasses::fields);
    }
    add("scala.math.BigInt", (type, classes) -> Scalars.bigInt(type));
    add("scala.math.BigDecimal", (type, classes) -> Scalars.bigDecimal(type));
    for (String name : List.of("java.util.Date", "java.sql.Date", "java.sql.Time")) {
      add(name, (type, classes) -> new DateClass(type));
    }
    add(DateClass.TIMESTAMP, (type, classes) -> new DateClass(type));
    add((type, classes) -> Scalars.of(type), NdArray.class);
  }

  private KnownClasses() {}

  private static void add(Maker maker, Class<?>... types) {
    for (Class<?> type : types) {
      add(new Entry(ALL.size(), type.getName(), type, maker));
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

  private static ExactClass fields(Class<?> type, ExactClasses classes)
      throws MisfitException, ReflectiveOperationException {
    return FieldsClass.of(type, classes.permitted);
  }

  /** Only the component of arrays. */
  private static ExactClass noValue(Class<?> type, ExactClasses classes) throws MisfitException {
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
