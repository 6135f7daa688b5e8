package io.github.serow.spark.exact;

import io.github.serow.internal.schema.Names;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Finds for each class how its objects are kept, if they can be kept and the caller permits it. */
final class ExactClasses {
  /** The result for a class: how it is kept, or why it is not. */
  private record Found(ExactClass exact, String refusal, Throwable cause) {}

  final RowClasses permitted;
  private final Map<Class<?>, Found> found = new ConcurrentHashMap<>();

  ExactClasses(RowClasses permitted) {
    this.permitted = permitted;
  }

  boolean keepsSharing() {
    return permitted.keepsSharing();
  }

  /**
   * How the objects of a class are kept.
   *
   * @throws MisfitException if they are not
   */
  ExactClass of(Class<?> type) throws MisfitException {
    Found known = found.get(type);
    if (known == null) {
      // Without a lock, because it may initialize a class. The first result is the one of all.
      Found made = find(type);
      Found first = found.putIfAbsent(type, made);
      known = first == null ? made : first;
    }
    if (known.exact == null) {
      throw new MisfitException(
          "a row has an object of class " + type.getName() + ", " + known.refusal, known.cause);
    }
    return known.exact;
  }

  private Found find(Class<?> type) {
    try {
      return new Found(make(type), null, null);
    } catch (MisfitException e) {
      return new Found(null, e.getMessage(), e.getCause());
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return new Found(null, "which can't be examined: " + e, e);
    }
  }

  private ExactClass make(Class<?> type) throws MisfitException, ReflectiveOperationException {
    if (!Names.isName(type.getName())) {
      throw new MisfitException("whose name is no text");
    }
    KnownClasses.Entry known = KnownClasses.of(type);
    if (known != null) {
      Class<?> named = known.named(type);
      if (named != type) {
        return of(named);
      }
      permit(type, RowClasses.Way.LIBRARY);
      return known.maker().make(type, permitted);
    }
    if (type.isArray()) {
      permit(type, RowClasses.Way.ARRAY);
      return new ObjectArray(type);
    }
    if (type.isInterface() || type.isPrimitive()) {
      throw new MisfitException("which has no objects");
    }
    if (Enum.class.isAssignableFrom(type)) {
      Class<?> declaring = type.isEnum() ? type : type.getSuperclass();
      if (declaring != type) {
        return of(declaring);
      }
      permit(type, RowClasses.Way.ENUM);
      return new EnumConstants(type);
    }
    if (Modifier.isAbstract(type.getModifiers())) {
      throw new MisfitException("which has no objects");
    }
    if (SingletonObject.isOne(type)) {
      permit(type, RowClasses.Way.SINGLETON);
      return SingletonObject.ofModule(type);
    }
    RowClasses.Texts texts = permitted.texts(type);
    if (texts != null) {
      permit(type, RowClasses.Way.TEXT);
      return Scalars.text(type, texts);
    }
    permit(type, RowClasses.Way.FIELDS);
    return FieldsClass.of(type, permitted);
  }

  private void permit(Class<?> type, RowClasses.Way way) throws MisfitException {
    String refusal = permitted.refusal(type, way);
    if (refusal != null) {
      throw new MisfitException(refusal);
    }
  }
}
