package io.github.serow.spark.rdd;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.io.UnsafeInput;
import com.esotericsoftware.kryo.io.UnsafeOutput;
import java.io.OutputStream;
import org.apache.spark.serializer.KryoSerializer;
import scala.Option;

/**
 * The {@link Kryo} of one {@link SerowInstance}. A call takes it and gives it back, so all streams
 * of an instance share one, also if they are used in turns. Spark's own streams have one each.
 *
 * <p>Making a {@code Kryo} takes milliseconds. Therefore they come from the serializer's pool and
 * return to it when the last open stream is closed. Spark does not close every stream; the {@code
 * Kryo} of such a stream is garbage, as in Spark's own.
 */
final class Kryos {
  private final KryoSerializer serializer;
  private final RowSettings settings;
  private final boolean unsafe;
  private final boolean pooled;

  /** The loader of all classes; {@code null} for the serializer's own. */
  private final ClassLoader loader;

  /** The one that stays while streams are open, or {@code null}. */
  private Kryo own;

  /** Whether a call has taken {@link #own}. */
  private boolean busy;

  /** How many streams are open. */
  private int open;

  /** Whether a {@code Kryo} stays here between calls. */
  private boolean keeps;

  /** Whether a registrator has switched off that a {@code Kryo} forgets the objects of a call. */
  private boolean remembers;

  Kryos(KryoSerializer serializer, RowSettings settings, boolean unsafe, boolean pooled) {
    this(serializer, settings, unsafe, pooled, null);
  }

  private Kryos(
      KryoSerializer serializer,
      RowSettings settings,
      boolean unsafe,
      boolean pooled,
      ClassLoader loader) {
    this.serializer = serializer;
    this.settings = settings;
    this.unsafe = unsafe;
    this.pooled = pooled;
    this.loader = loader;
    this.keeps = !pooled;
  }

  /** Those with the classes of a loader, for one call. */
  Kryos ofLoader(ClassLoader loader) {
    return new Kryos(serializer, settings, unsafe, pooled, loader);
  }

  /** Takes one. A call inside of another, by an object's own code, gets another one. */
  Kryo take() {
    if (busy || own == null) {
      return takeNew();
    }
    busy = true;
    return own;
  }

  private Kryo takeNew() {
    Kryo kryo = borrow();
    if (keeps && own == null) {
      own = kryo;
      busy = true;
    }
    return kryo;
  }

  private Kryo borrow() {
    remembers = !serializer.supportsRelocationOfSerializedObjects();
    if (pooled) {
      Kryo kryo = serializer.pool().borrow();
      if (loader == null || kryo.getClassLoader() == loader) {
        kryo.reset();
        settings.prepare(kryo);
        return kryo;
      }
      serializer.pool().release(kryo);
    }
    Kryo made = serializer.newKryo();
    if (loader != null) {
      // A Kryo remembers classes by their names. So this one is not for others.
      made.setClassLoader(loader);
    }
    settings.prepare(made);
    return made;
  }

  /** Gives one back, for any stream. So it may not remember objects, whatever its settings. */
  void give(Kryo kryo) {
    if (remembers) {
      kryo.reset();
    }
    if (kryo == own) {
      busy = false;
    } else {
      release(kryo);
    }
  }

  /** Drops one that knows the classes of another loader than the pool's. */
  private void release(Kryo kryo) {
    Option<ClassLoader> usual = serializer.defaultClassLoader();
    boolean isUsual = usual.isDefined() ? usual.get() == kryo.getClassLoader() : loader == null;
    if (pooled && isUsual) {
      serializer.pool().release(kryo);
    }
  }

  void streamOpened() {
    open++;
    keeps = true;
  }

  void streamClosed() {
    open--;
    keeps = open > 0 || !pooled;
    Kryo kryo = own;
    if (keeps || kryo == null) {
      return;
    }
    own = null;
    if (!busy) {
      release(kryo);
    }
    busy = false;
  }

  /** Creates an output of the kind that Spark's settings demand. */
  Output output(OutputStream target) {
    return unsafe ? new UnsafeOutput(target) : new Output(target);
  }

  /** Creates an input for what {@link #output} wrote. */
  Input input() {
    return unsafe ? new UnsafeInput() : new Input();
  }
}
