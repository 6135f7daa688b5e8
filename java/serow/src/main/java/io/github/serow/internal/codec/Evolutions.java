package io.github.serow.internal.codec;

import io.github.serow.LimitException;
import io.github.serow.Schema;
import io.github.serow.SchemaException;
import io.github.serow.internal.evolution.Conversion;
import io.github.serow.internal.evolution.Evolution;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.types.TypeForms;
import java.util.Comparator;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How records of other schemas become those of a reader. The conversions of the last schemas are
 * kept. One that is found takes no lock.
 */
final class Evolutions {
  /** Maximum number of conversions that are kept. */
  private static final int KEPT = 64;

  /** Maximum bytes of a schema whose conversion is kept, because messages may have any schemas. */
  private static final int LARGEST = 4096;

  /** What an error says that gives no other advice. */
  private static final String ADVICE =
      "; declare a type that fits, or read the rows as they are, without one";

  private static final class Kept {
    private final Binding writer;
    private final Conversion conversion;

    /** When it was used last. Lost updates do no harm. */
    private int used;

    Kept(Binding writer, Conversion conversion, int now) {
      this.writer = writer;
      this.conversion = conversion;
      used = now;
    }
  }

  private final Schema reader;
  private final Node root;

  /** By the writer's fingerprint. */
  private final ConcurrentHashMap<Long, Kept> known = new ConcurrentHashMap<>();

  /** The time for {@link Kept#used}: the number of conversions that were added so far. */
  private volatile int time;

  /** {@code root} is the node of the reader's rows. */
  Evolutions(Schema reader, Node root) {
    this.reader = reader;
    this.root = root;
  }

  /**
   * The conversion of records of {@code writer}.
   *
   * @param what has rows of this schema, for an error
   * @throws SchemaException if they can't be read
   * @throws LimitException if the conversion is too large
   */
  Conversion of(Schema writer, String what) {
    Kept found = known.get(writer.fingerprint());
    if (found == null || !found.writer.schema().equals(writer)) {
      return make(writer, what);
    }
    int now = time;
    if (found.used != now) {
      found.used = now;
    }
    return found.conversion;
  }

  /** The binding of a writer whose conversion is kept; null if none with this fingerprint is. */
  Binding writer(long fingerprint) {
    Kept found = known.get(fingerprint);
    return found == null ? null : found.writer;
  }

  private Conversion make(Schema writer, String what) {
    Binding binding = Binding.of(writer);
    Conversion made;
    String place =
        what + " schema " + brief(writer) + ", but the codec is for " + brief(reader) + ": ";
    try {
      made = Evolution.of(binding.root(), root);
    } catch (SchemaException e) {
      String message = place + e.getMessage();
      throw new SchemaException(message.contains("; ") ? message : message + ADVICE);
    } catch (LimitException e) {
      throw new LimitException(place + e.getMessage());
    }
    if (SharedSecrets.bytes(writer).length <= LARGEST) {
      keep(binding, made);
    }
    return made;
  }

  private static String brief(Schema schema) {
    return TypeForms.brief(SharedSecrets.typeList(schema));
  }

  private synchronized void keep(Binding writer, Conversion made) {
    time++;
    known.put(writer.fingerprint(), new Kept(writer, made, time));
    if (known.size() > KEPT) {
      Comparator<Kept> byUse = Comparator.comparingInt(kept -> kept.used);
      Kept oldest = known.values().stream().min(byUse).orElseThrow();
      known.remove(oldest.writer.fingerprint());
    }
  }
}
