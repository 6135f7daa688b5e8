package io.github.serow.spark.rdd;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.serializers.CollectionSerializer;
import com.esotericsoftware.kryo.serializers.FieldSerializer;
import com.esotericsoftware.kryo.serializers.MapSerializer;
import io.github.serow.spark.exact.RowClasses;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.objenesis.instantiator.ObjectInstantiator;
import scala.collection.Iterable;

/**
 * Permits rows of those classes whose objects would come back from Kryo in the same way. So a class
 * that has its own serializer, or that is missing where Kryo demands registration, stays with Kryo.
 *
 * <p>The ids of registered classes stand for their names, as in Kryo's own bytes.
 */
final class KryoRowClasses implements RowClasses {
  /** Packages whose classes may depend on more than their fields. */
  private static final List<String> LIBRARIES = List.of("java.", "javax.", "scala.");

  /** Annotations by which a field has a serializer of its own. */
  private static final List<Class<? extends Annotation>> BINDINGS =
      List.of(
          FieldSerializer.Bind.class,
          CollectionSerializer.BindCollection.class,
          MapSerializer.BindMap.class);

  private static final String IMMUTABLE = "scala.collection.immutable.";

  /** For classes that stand for several: one of these, which Kryo knows. */
  private static final Map<String, String> EXAMPLES =
      Map.of(
          IMMUTABLE + "List", IMMUTABLE + "$colon$colon",
          IMMUTABLE + "Vector", IMMUTABLE + "Vector1",
          IMMUTABLE + "Set", IMMUTABLE + "HashSet",
          IMMUTABLE + "Map", IMMUTABLE + "HashMap");

  /** Answers questions and never writes, because a question may register a class. */
  private final Kryo kryo;

  /** A Kryo without settings. */
  private final Kryo stock;

  private final ClassLoader loader;
  private final Set<String> records;
  private final boolean keepsSharing;

  /**
   * Creates an answer for one class loader.
   *
   * @param kryo a Kryo of the application, which nobody else uses
   * @param stock a Kryo of an application without settings, which nobody else uses
   * @param records the names of Java records that rows may have although Kryo demands registration
   */
  KryoRowClasses(Kryo kryo, Kryo stock, ClassLoader loader, Set<String> records) {
    this.kryo = kryo;
    this.stock = stock;
    this.loader = loader;
    this.records = records;
    keepsSharing = kryo.getReferences();
  }

  @Override
  public Texts texts(Class<?> type) {
    return switch (type.getName()) {
      case SchemaTexts.CLASS -> new SchemaTexts();
      case ClassTagTexts.CLASS -> new ClassTagTexts(this);
      case ClassTagTexts.ANY -> ClassTagTexts.OF_ANY;
      default -> null;
    };
  }

  /** Whether Kryo would write objects of this class, or rows may have them. */
  synchronized boolean isKnown(Class<?> type) {
    if (type.isRecord()) {
      return whyNotRecord(type) == null;
    }
    try {
      return kryo.getRegistration(type) != null;
    } catch (IllegalArgumentException unregistered) {
      return false;
    }
  }

  @Override
  public synchronized String refusal(Class<?> type, Way way) {
    String why = whyNot(type, way);
    return why == null ? null : "which is left to Kryo: " + why;
  }

  private String whyNot(Class<?> type, Way way) {
    if (way == Way.FIELDS && type.isRecord()) {
      return whyNotRecord(type);
    }
    Class<?> example = example(type);
    Registration registration;
    try {
      registration = kryo.getRegistration(example);
    } catch (IllegalArgumentException unregistered) {
      // Kryo gets the object and raises this error again.
      return "spark.kryo.registrationRequired is set, and the class is not registered";
    }
    Object serializer = registration.getSerializer();
    if (way == Way.FIELDS) {
      if (serializer.getClass() != FieldSerializer.class) {
        return "its serializer there is " + serializer.getClass().getName();
      }
      String noData = whyNoData(type);
      return noData == null && !keepsAllFields((FieldSerializer<?>) serializer, type)
          ? "its fields are set up in another way there"
          : noData;
    }
    return hasSettingsOf(stock.getRegistration(example).getSerializer(), serializer)
        ? null
        : "its serializer there, "
            + serializer.getClass().getName()
            + ", is not Spark's usual one, or is set up in another way";
  }

  /** Whether two serializers are of one class and are set up in the same way. */
  private static boolean hasSettingsOf(Object stock, Object serializer) {
    if (stock.getClass() != serializer.getClass()) {
      return false;
    }
    for (Class<?> at = stock.getClass(); at != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers())) {
          continue;
        }
        try {
          field.setAccessible(true);
          if (!isSame(field.getType(), field.get(stock), field.get(serializer))) {
            return false;
          }
        } catch (IllegalAccessException | RuntimeException hidden) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isSame(Class<?> type, Object stock, Object set) {
    if (stock == null || set == null || type.isPrimitive() || type == Class.class) {
      return Objects.equals(stock, set);
    }
    return stock.getClass() == set.getClass();
  }

  /** Kryo can't write records, so only a serializer that somebody has set for them counts. */
  private String whyNotRecord(Class<?> type) {
    if (kryo.getClassResolver().getRegistration(type) != null || hasDefaultSerializer(type)) {
      return "somebody has set a serializer for this record there";
    }
    return kryo.isRegistrationRequired() && !records.contains(type.getName())
        ? "spark.kryo.registrationRequired is set, and spark.serow.classes lacks this record"
        : whyNoData(type);
  }

  private boolean hasDefaultSerializer(Class<?> record) {
    try {
      return kryo.getDefaultSerializer(record).getClass() != FieldSerializer.class;
    } catch (RuntimeException impossible) {
      // FieldSerializer refuses records.
      return false;
    }
  }

  private static Class<?> example(Class<?> type) {
    String name = EXAMPLES.get(type.getName());
    if (name == null) {
      return type;
    }
    try {
      return Class.forName(name, false, type.getClassLoader());
    } catch (ClassNotFoundException otherVersion) {
      return type;
    }
  }

  /** Why the fields of a class may not be its whole value; null if they are. */
  private static String whyNoData(Class<?> type) {
    if (LIBRARIES.stream().anyMatch(type.getName()::startsWith)) {
      return "serow has no rows for this class of the JDK or of Scala";
    }
    // Sequences and maps are functions too.
    return !Iterable.class.isAssignableFrom(type) && isFunction(type) ? "it is a function" : null;
  }

  private static boolean isFunction(Class<?> type) {
    if (type == null) {
      return false;
    }
    for (Class<?> each : type.getInterfaces()) {
      if (each.getName().startsWith("scala.Function") || isFunction(each)) {
        return true;
      }
    }
    return isFunction(type.getSuperclass());
  }

  /** Whether Kryo would keep exactly the fields of rows, and all in its usual way. */
  private static boolean keepsAllFields(FieldSerializer<?> serializer, Class<?> type) {
    if (serializer.getSerializeTransient()) {
      return false;
    }
    Set<Field> kept = new HashSet<>();
    for (FieldSerializer.CachedField<?> each : serializer.getFields()) {
      // Kryo chooses serializers later, so this one was set.
      if (each.getSerializer() != null) {
        return false;
      }
      kept.add(each.getField());
    }
    int fields = 0;
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        int modifiers = field.getModifiers();
        if (Modifier.isStatic(modifiers) || Modifier.isTransient(modifiers)) {
          continue;
        }
        if (!kept.contains(field) || BINDINGS.stream().anyMatch(field::isAnnotationPresent)) {
          return false;
        }
        fields++;
      }
    }
    return fields == kept.size();
  }

  /** What makes objects for Kryo: a constructor without parameters, or else none. */
  @Override
  public synchronized Supplier<?> maker(Class<?> type) {
    Registration registration = kryo.getRegistration(type);
    if (registration.getInstantiator() == null) {
      // Kryo looks for the way to make objects when it makes the first one.
      kryo.newInstance(type);
    }
    ObjectInstantiator<?> instantiator = registration.getInstantiator();
    return instantiator::newInstance;
  }

  @Override
  public synchronized int idOf(Class<?> type) {
    Registration registration = kryo.getClassResolver().getRegistration(type);
    return registration == null ? -1 : registration.getId();
  }

  @Override
  public synchronized Class<?> ofId(int id) {
    Registration registration = kryo.getRegistration(id);
    return registration == null ? null : registration.getType();
  }

  @Override
  public Class<?> ofName(String name) throws ClassNotFoundException {
    return Class.forName(name, false, loader);
  }

  @Override
  public boolean keepsSharing() {
    return keepsSharing;
  }
}
