package io.github.serow.mapping;

import io.github.serow.mapping.FollowedValue.Kind;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known at one place of the code: of its local variables, its stack, and the fields of the
 * object. A long or a double takes two places, as in the JVM; the second has no meaning.
 */
final class FollowedState {
  final Map<Integer, FollowedValue> locals = new HashMap<>();
  final List<FollowedValue> stack = new ArrayList<>();
  final Map<Field, FollowedValue> fields;

  /** The arguments that are null here, because the code has compared them. */
  final Set<Integer> nulls;

  /** What a field has that is not in {@link #fields}. */
  private final FollowedValue unset;

  /** {@code unset}: what fields have before the code begins. */
  FollowedState(FollowedValue unset) {
    this(unset, Map.of(), Set.of());
  }

  private FollowedState(FollowedValue unset, Map<Field, FollowedValue> fields, Set<Integer> nulls) {
    this.unset = unset;
    this.fields = new LinkedHashMap<>(fields);
    this.nulls = new HashSet<>(nulls);
  }

  FollowedState copy() {
    FollowedState copy = ofCall();
    copy.locals.putAll(locals);
    copy.stack.addAll(stack);
    return copy;
  }

  /** The state at the begin of a method that is called here. */
  FollowedState ofCall() {
    return new FollowedState(unset, fields, nulls);
  }

  /** Takes the fields as they are after a call. */
  void returnFrom(FollowedState called) {
    fields.clear();
    fields.putAll(called.fields);
    nulls.retainAll(called.nulls);
  }

  FollowedValue field(Field field) {
    return fields.getOrDefault(field, unset);
  }

  /** Pushes a value; nothing if its size is 0. */
  void push(FollowedValue value, int size) {
    if (size > 0) {
      stack.add(value);
    }
    if (size == 2) {
      stack.add(FollowedValue.OTHER);
    }
  }

  /** Pops a value; null if its size is 0. */
  FollowedValue pop(int size) {
    FollowedValue value = null;
    for (int i = 0; i < size; i++) {
      value = stack.remove(stack.size() - 1);
    }
    return value;
  }

  /** Puts {@code made} wherever the object was before its constructor was called. */
  void replace(FollowedValue before, FollowedValue made) {
    stack.replaceAll(value -> value.equals(before) ? made : value);
    locals.replaceAll((local, value) -> value.equals(before) ? made : value);
  }

  /** Joins what is known if the code comes here from {@code other} too. */
  void join(FollowedState other) {
    locals.keySet().retainAll(other.locals.keySet());
    locals.replaceAll((local, value) -> join(value, other, other.locals.get(local)));
    for (int i = 0; i < stack.size(); i++) {
      stack.set(i, join(stack.get(i), other, other.stack.get(i)));
    }
    Set<Field> all = new LinkedHashSet<>(fields.keySet());
    all.addAll(other.fields.keySet());
    for (Field field : all) {
      fields.put(field, join(field(field), other, other.field(field)));
    }
    nulls.retainAll(other.nulls);
  }

  private FollowedValue join(FollowedValue own, FollowedState from, FollowedValue other) {
    if (own.equals(other) || isNullOf(other, from.nulls, own)) {
      return own;
    }
    return isNullOf(own, nulls, other) ? other : FollowedValue.other(own.parts() | other.parts());
  }

  /** Whether {@code value} is null where the argument is null. */
  private static boolean isNullOf(FollowedValue value, Set<Integer> nulls, FollowedValue argument) {
    return value.is(Kind.NULL) && argument.is(Kind.ARGUMENT) && nulls.contains(argument.index());
  }

  /** Whether nothing new is known here of {@code later}, which comes back to this place. */
  boolean covers(FollowedState later) {
    FollowedState joined = copy();
    joined.join(later);
    return joined.locals.equals(locals)
        && joined.stack.equals(stack)
        && joined.nulls.equals(nulls)
        && joined.fields.equals(fields);
  }
}
