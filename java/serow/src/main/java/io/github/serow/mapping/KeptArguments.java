package io.github.serow.mapping;

import io.github.serow.mapping.FollowedValue.Kind;
import io.github.serow.schema.Marks;
import io.github.serow.types.TypeCodes;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Proves by bytecode which fields of an object have the arguments of its constructor or setters,
 * unchanged, whenever these return. Copies of collections and arrays count as the arguments.
 *
 * <p>Calls of the object's own methods and of its superclasses' constructors are followed. Other
 * calls are not, so what they get may be changed, unless it is immutable or the method is known.
 */
final class KeptArguments {
  /** A call in the code; {@code values} begins with the receiver. */
  record Call(
      int opcode, String owner, String name, String descriptor, List<FollowedValue> values) {}

  /** Calls that are followed within each other. */
  private static final int MOST_DEPTH = 8;

  /** Methods that return their first argument. */
  private static final Set<String> SAME =
      Set.of(
          "java/util/Objects.requireNonNull",
          "com/google/common/base/Preconditions.checkNotNull",
          "java/lang/String.intern");

  /** Methods that return a copy or a view of a collection, and what they must get for that. */
  private static final Map<String, Integer> COPIES =
      Map.ofEntries(
          Map.entry("java/util/List.copyOf", TypeCodes.LIST),
          Map.entry("java/util/Set.copyOf", TypeCodes.SET),
          Map.entry("java/util/Map.copyOf", TypeCodes.MAP),
          Map.entry("java/util/EnumSet.copyOf", TypeCodes.SET),
          Map.entry("com/google/common/collect/ImmutableList.copyOf", TypeCodes.LIST),
          Map.entry("com/google/common/collect/ImmutableSet.copyOf", TypeCodes.SET),
          Map.entry("com/google/common/collect/ImmutableMap.copyOf", TypeCodes.MAP));

  /** The beginnings of the names of such methods in {@code Collections}. */
  private static final List<String> VIEWS = List.of("unmodifiable", "synchronized");

  /** Classes whose constructors copy all elements of a collection, in their order. */
  private static final Set<String> LISTS =
      Set.of(
          "java/util/ArrayList",
          "java/util/LinkedList",
          "java/util/Vector",
          "java/util/ArrayDeque",
          "java/util/PriorityQueue",
          "java/util/concurrent/CopyOnWriteArrayList",
          "java/util/concurrent/ConcurrentLinkedQueue",
          "java/util/concurrent/ConcurrentLinkedDeque");

  /** Maps that find other keys equal than {@code equals} does, or that lose some. */
  private static final Set<String> OTHER_MAPS =
      Set.of("java/util/IdentityHashMap", "java/util/WeakHashMap");

  /** What a constructor that copies gets. */
  private static final Set<String> COPIED =
      Set.of(
          "(Ljava/util/Collection;)V",
          "(Ljava/util/PriorityQueue;)V",
          "(Ljava/util/Map;)V",
          "(Ljava/util/SortedSet;)V",
          "(Ljava/util/SortedMap;)V",
          "(Ljava/util/EnumMap;)V");

  /** Classes whose methods change nothing that they get. */
  private static final Set<String> READERS =
      Set.of(
          "java/lang/StringBuilder",
          "java/util/Objects",
          "com/google/common/base/Preconditions",
          "kotlin/jvm/internal/Intrinsics");

  /** Methods of collections, maps, iterators, entries and optionals that change nothing. */
  private static final Set<String> READS =
      Set.of(
          "size",
          "isEmpty",
          "isPresent",
          "contains",
          "containsAll",
          "containsKey",
          "containsValue",
          "get",
          "getKey",
          "getValue",
          "iterator",
          "hasNext",
          "next",
          "keySet",
          "values",
          "entrySet");

  private final Class<?> type;
  private final Class<?>[] arguments;
  private final Set<Integer> neverNull = new HashSet<>();
  private final Map<Class<?>, ClassReader> readers = new HashMap<>();

  /** The methods whose code is being followed. */
  private final Set<String> within = new HashSet<>();

  private final FollowedState state;

  /** The parts that a call may have changed. */
  private long changed;

  private boolean isLost;

  private KeptArguments(Class<?> type, Class<?>[] arguments, FollowedValue unset) {
    this.type = type;
    this.arguments = arguments;
    state = new FollowedState(unset);
  }

  /** Follows a constructor. */
  static KeptArguments of(Constructor<?> constructor) {
    Class<?>[] types = constructor.getParameterTypes();
    Class<?> type = constructor.getDeclaringClass();
    KeptArguments kept = new KeptArguments(type, types, FollowedValue.NULL);
    List<FollowedValue> values = new ArrayList<>();
    values.add(FollowedValue.THIS);
    for (int i = 0; i < types.length; i++) {
      values.add(kept.argument(i));
    }
    kept.run("<init>", Type.getConstructorDescriptor(constructor), values);
    return kept;
  }

  /** Follows calls of setters, one after another; each gets one argument. */
  static KeptArguments of(Class<?> type, List<Method> setters) {
    Class<?>[] types =
        setters.stream().map(it -> it.getParameterTypes()[0]).toArray(Class<?>[]::new);
    KeptArguments kept = new KeptArguments(type, types, FollowedValue.OTHER);
    for (int i = 0; i < types.length; i++) {
      Method setter = setters.get(i);
      kept.run(
          setter.getName(),
          Type.getMethodDescriptor(setter),
          List.of(FollowedValue.THIS, kept.argument(i)));
    }
    return kept;
  }

  private FollowedValue argument(int i) {
    return FollowedValue.argument(i, ScalarMapping.isImmutable(arguments[i]));
  }

  private FollowedValue run(String name, String descriptor, List<FollowedValue> values) {
    int opcode = name.equals("<init>") ? Opcodes.INVOKESPECIAL : Opcodes.INVOKEVIRTUAL;
    Call call = new Call(opcode, Type.getInternalName(type), name, descriptor, values);
    Followed followed = follow(state, call);
    isLost |= followed == null;
    return followed == null ? null : followed.value;
  }

  /** The fields that have an argument of the constructor or the setters, in no order. */
  List<Field> fields(int argument) {
    return isLost
        ? List.of()
        : state.fields.keySet().stream()
            .filter(field -> state.field(field).isArgument(argument) && isKept(field, argument))
            .toList();
  }

  private boolean isKept(Field field, int argument) {
    boolean isImmutable = ScalarMapping.isImmutable(arguments[argument]);
    boolean isFinal = isImmutable && Modifier.isFinal(field.getModifiers());
    boolean isObjectChanged = (changed & FollowedValue.OBJECT) != 0;
    boolean isChanged = !isImmutable && (changed & FollowedValue.bit(argument)) != 0;
    return !isChanged && (!isObjectChanged || isFinal);
  }

  /** Whether getters return the arguments of the setters. */
  boolean areRead(List<Method> getters) {
    boolean areRead = true;
    for (int i = 0; i < getters.size() && areRead; i++) {
      Method getter = getters.get(i);
      FollowedValue value =
          run(getter.getName(), Type.getMethodDescriptor(getter), List.of(FollowedValue.THIS));
      areRead = value != null && value.isArgument(i);
    }
    return areRead && !isLost && changed == 0;
  }

  /** The parameters of the constructor that an annotation marks as never null. */
  Set<Integer> neverNull() {
    return neverNull;
  }

  /** Notes that parts of values may be changed. */
  void change(long parts) {
    changed |= parts;
  }

  /** Whether objects of a class are immutable, as texts and numbers are. */
  boolean isImmutable(Type of) {
    if (of.getSort() < Type.ARRAY) {
      return true;
    }
    Class<?> found = of.getSort() == Type.OBJECT ? found(of.getInternalName()) : null;
    return found != null && ScalarMapping.isImmutable(found);
  }

  /** The class of this internal name; null if it can't be found. */
  private Class<?> found(String name) {
    try {
      return Class.forName(name.replace('/', '.'), false, type.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  /** The value of a field. */
  FollowedValue field(
      FollowedState from, FollowedValue object, String owner, String name, Type of) {
    if (!object.is(Kind.THIS)) {
      return isImmutable(of) ? FollowedValue.OTHER : FollowedValue.other(object.parts());
    }
    Field field = field(owner, name);
    return field == null || (changed & FollowedValue.OBJECT) != 0
        ? FollowedValue.other(changed)
        : from.field(field);
  }

  void setField(
      FollowedState to, FollowedValue object, String owner, String name, FollowedValue value) {
    Field field = object.is(Kind.THIS) ? field(owner, name) : null;
    if (field == null) {
      change(object.parts() | value.parts());
    } else {
      to.fields.put(field, value);
    }
  }

  private Field field(String owner, String name) {
    for (Class<?> at = found(owner); at != null; at = at.getSuperclass()) {
      try {
        return at.getDeclaredField(name);
      } catch (NoSuchFieldException e) {
        // A superclass has it.
      }
    }
    return null;
  }

  /** What a call returns; null if it never does. It has no meaning for {@code void}. */
  FollowedValue call(FollowedState at, Call call) {
    if (call.values.contains(FollowedValue.THIS)) {
      Followed followed = follow(at, call);
      if (followed != null) {
        return followed.value;
      }
    }
    FollowedValue kept = kept(call);
    if (kept != null) {
      return kept;
    }
    long parts = FollowedValue.parts(call.values);
    if (parts != 0 && !isReading(call)) {
      change(parts);
    }
    boolean isConstructor = call.name.equals("<init>");
    return !isConstructor && isImmutable(Type.getReturnType(call.descriptor))
        ? FollowedValue.OTHER
        : FollowedValue.other(parts);
  }

  /** The argument that a call returns, or whose copy it returns; null if there is none. */
  private FollowedValue kept(Call call) {
    boolean isConstructor = call.name.equals("<init>");
    int first = isConstructor ? 1 : 0;
    if (call.values.size() <= first || !call.values.get(first).is(Kind.ARGUMENT)) {
      return null;
    }
    FollowedValue given = call.values.get(first);
    Class<?> of = arguments[given.index()];
    String method = call.owner + "." + call.name;
    if (of.isArray()) {
      boolean isCopy =
          call.name.equals("clone")
              || method.equals("java/util/Arrays.copyOf")
                  && call.values.get(1).equals(new FollowedValue(Kind.LENGTH, given.index(), 0));
      return isCopy || SAME.contains(method) ? given : null;
    }
    Integer copied = isConstructor ? madeBy(call) : copiedBy(method);
    boolean isCopy =
        copied != null && CollectionClasses.isOne(of) && CollectionClasses.code(of) == copied;
    return isCopy || SAME.contains(method) ? given : null;
  }

  /** The code of what a constructor copies; null if it does not copy. */
  private static Integer madeBy(Call call) {
    if (!call.owner.startsWith("java/util/") || !COPIED.contains(call.descriptor)) {
      return null;
    }
    if (LISTS.contains(call.owner)) {
      return TypeCodes.LIST;
    }
    if (call.owner.endsWith("Set")) {
      return TypeCodes.SET;
    }
    boolean isMap = call.owner.endsWith("Map") && !OTHER_MAPS.contains(call.owner);
    return isMap ? TypeCodes.MAP : null;
  }

  private static Integer copiedBy(String method) {
    String view = method.replace("java/util/Collections.", "");
    if (VIEWS.stream().noneMatch(view::startsWith)) {
      return COPIES.get(method);
    }
    return view.endsWith("Set")
        ? TypeCodes.SET
        : view.endsWith("Map") ? TypeCodes.MAP : TypeCodes.LIST;
  }

  /** Whether a method changes nothing that it gets. */
  private boolean isReading(Call call) {
    boolean isStored = call.name.equals("<init>") && madeBy(call) == null;
    if (call.owner.startsWith("java/util/") && !call.owner.equals("java/util/Objects")) {
      return !isStored && (call.name.equals("<init>") || READS.contains(call.name));
    }
    Class<?> owner = found(call.owner);
    boolean isAccessor = owner != null && owner.isRecord() && call.values.size() == 1;
    boolean isReader =
        READERS.contains(call.owner)
            || owner != null && ScalarMapping.isImmutable(owner) && !call.descriptor.contains("[");
    return isAccessor || isReader;
  }

  /** The outcome of a call that was followed; {@code value} is null if it never returns. */
  private record Followed(FollowedValue value) {}

  /** Follows a call of the object's own code; null if that is not possible. */
  private Followed follow(FollowedState from, Call call) {
    boolean isBase =
        call.name.equals("<init>")
            && (call.owner.equals("java/lang/Object") || call.owner.equals("java/lang/Record"));
    if (isBase) {
      return new Followed(FollowedValue.OTHER);
    }
    if (!call.values.get(0).is(Kind.THIS) && call.opcode != Opcodes.INVOKESTATIC) {
      return null;
    }
    Class<?> owner = found(call.owner);
    Class<?> first =
        call.opcode == Opcodes.INVOKEVIRTUAL || call.opcode == Opcodes.INVOKEINTERFACE
            ? isPrivate(owner, call) ? owner : type
            : owner;
    for (Class<?> at = first; at != null; at = at.getSuperclass()) {
      Finder finder = new Finder(from, call, at);
      ClassReader reader = readers.computeIfAbsent(at, AssignedFields::reader);
      if (reader != null) {
        reader.accept(finder, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      }
      if (finder.isFound || reader == null) {
        return finder.followed();
      }
    }
    return null;
  }

  private static boolean isPrivate(Class<?> owner, Call call) {
    if (owner == null) {
      return false;
    }
    for (Method method : owner.getDeclaredMethods()) {
      if (method.getName().equals(call.name)
          && Type.getMethodDescriptor(method).equals(call.descriptor)) {
        return Modifier.isPrivate(method.getModifiers());
      }
    }
    return false;
  }

  /** Finds a method in its class, and follows it. */
  private final class Finder extends ClassVisitor {
    private final FollowedState from;
    private final Call call;
    private final String key;
    private boolean isFound;

    /** Null if the method can't be followed. */
    private FollowedCode code;

    Finder(FollowedState from, Call call, Class<?> at) {
      super(Opcodes.ASM9);
      this.from = from;
      this.call = call;
      key = at.getName() + "." + call.name + call.descriptor;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      if (!name.equals(call.name) || !descriptor.equals(call.descriptor)) {
        return null;
      }
      isFound = true;
      boolean hasCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
      if (!hasCode || within.size() >= MOST_DEPTH || !within.add(key)) {
        return null;
      }
      FollowedState begin = from.ofCall();
      int local = 0;
      boolean isStatic = (access & Opcodes.ACC_STATIC) != 0;
      Type[] types = Type.getArgumentTypes(descriptor);
      for (int i = 0; i < call.values.size(); i++) {
        begin.locals.put(local, call.values.get(i));
        int parameter = isStatic ? i : i - 1;
        local += parameter < 0 ? 1 : types[parameter].getSize();
      }
      boolean isFirst = within.size() == 1;
      code =
          new FollowedCode(KeptArguments.this, begin) {
            @Override
            public AnnotationVisitor visitParameterAnnotation(
                int parameter, String annotation, boolean isVisible) {
              String full = Type.getType(annotation).getClassName();
              if (isFirst && Marks.isNeverNull(full.substring(full.lastIndexOf('.') + 1))) {
                neverNull.add(parameter);
              }
              return null;
            }

            @Override
            public void visitEnd() {
              within.remove(key);
            }
          };
      return code;
    }

    private Followed followed() {
      if (code == null) {
        return null;
      }
      isLost |= code.isLost;
      if (code.atReturn != null) {
        from.returnFrom(code.atReturn);
        return new Followed(code.returned == null ? FollowedValue.OTHER : code.returned);
      }
      return new Followed(code.isLost ? FollowedValue.OTHER : null);
    }
  }
}
