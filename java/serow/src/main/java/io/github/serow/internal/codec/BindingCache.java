package io.github.serow.internal.codec;

import io.github.serow.Schema;
import io.github.serow.internal.schema.SharedSecrets;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The bindings of schemas.
 *
 * <p>There is one binding for a schema at a time, as long as anybody uses it. So the generated
 * classes that the JVM has compiled stay in use, whoever asks for the schema again.
 *
 * <p>A binding that is found takes no lock.
 */
final class BindingCache {
  /** Maximum number of bindings of schemas that are kept although nobody uses them. */
  private static final int KEPT = 256;

  /** Maximum total of type codes of these, unless a single schema exceeds it. */
  private static final long KEPT_CODES = 1 << 20;

  private static final ConcurrentHashMap<Schema, OfSchema> BY_SCHEMA = new ConcurrentHashMap<>();

  private static final ReferenceQueue<Binding> UNREACHABLE = new ReferenceQueue<>();

  /** The bindings that are kept. */
  private static final List<Binding> ALL_KEPT = new ArrayList<>();

  /** The total of type codes in {@link #ALL_KEPT}. */
  private static long codes;

  /** The time for {@link Binding#used}: the number of bindings that were added so far. */
  private static volatile int time;

  /** Refers to the binding of a schema while somebody uses it. */
  private static final class OfSchema extends WeakReference<Binding> {
    private final Schema schema;

    OfSchema(Binding binding) {
      super(binding, UNREACHABLE);
      schema = binding.schema();
    }
  }

  private BindingCache() {}

  static Binding of(Schema schema) {
    OfSchema known = BY_SCHEMA.get(schema);
    Binding binding = known == null ? null : known.get();
    if (binding == null || !binding.isKept) {
      return keep(schema);
    }
    int now = time;
    if (binding.used != now) {
      binding.used = now;
    }
    return binding;
  }

  private static synchronized Binding keep(Schema schema) {
    while (UNREACHABLE.poll() instanceof OfSchema unreachable) {
      BY_SCHEMA.remove(unreachable.schema, unreachable);
    }
    OfSchema known = BY_SCHEMA.get(schema);
    Binding binding = known == null ? null : known.get();
    if (binding == null) {
      binding = new Binding(schema, null);
      BY_SCHEMA.put(schema, new OfSchema(binding));
    }
    if (!binding.isKept) {
      time++;
      binding.isKept = true;
      binding.used = time;
      ALL_KEPT.add(binding);
      codes += SharedSecrets.typeList(schema).length;
      evict();
    }
    return binding;
  }

  /**
   * Limits the memory of the cache: messages may have any number of schemas with any number of
   * names.
   */
  private static void evict() {
    while (ALL_KEPT.size() > KEPT || codes > KEPT_CODES && ALL_KEPT.size() > 1) {
      Binding oldest = ALL_KEPT.stream().min(Comparator.comparingInt(Binding::used)).orElseThrow();
      ALL_KEPT.remove(oldest);
      oldest.isKept = false;
      codes -= SharedSecrets.typeList(oldest.schema()).length;
    }
  }
}
