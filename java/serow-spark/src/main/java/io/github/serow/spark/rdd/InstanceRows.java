package io.github.serow.spark.rdd;

import io.github.serow.LimitException;
import io.github.serow.internal.wire.MessageTooLong;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.spark.exact.ExactLayout;
import io.github.serow.spark.exact.ExactRows;
import io.github.serow.spark.exact.MisfitException;
import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * Makes rows of the objects that an instance writes, and remembers their layouts for all its
 * streams, which usually have rows of the same kind.
 */
final class InstanceRows {
  /** The size in bytes at which a block ends. */
  static final int MOST = 1 << 18;

  /** The least size at which a block ends because many streams are open. */
  private static final int LEAST = 1 << 14;

  /** The bytes that the open blocks of all streams may take. */
  private static final int ALL_STREAMS = 1 << 24;

  /** Kryo writes larger objects in parts, with little memory. */
  private static final int LARGEST = 1 << 22;

  /** The least length of arrays of primitives that Kryo writes, if they are not part of a row. */
  private static final int MANY_NUMBERS = 1024;

  /** The least length of arrays whose elements become rows of their own. */
  private static final int LONG = 256;

  /** How many elements of an array are searched for objects that many of them contain. */
  private static final int SAMPLE = 64;

  private final RowSettings settings;
  private final ClassLoader loader;
  private ExactRows exact;

  /** How many streams are open. */
  private int open;

  /** The row that was written last is in its first bytes. */
  private final RecordOut out = new RecordOut();

  private ExactLayout layout;
  private int length;

  private final Attempts objects = new Attempts();
  private final Attempts pairs = new Attempts();
  private final Attempts elements = new Attempts();

  /** The layout of the rows of one kind and the next attempt to make one. */
  private static final class Attempts {
    final BackOff backOff = new BackOff();
    ExactLayout layout;

    /** Why the last attempt failed, and the number of objects that it kept from being rows. */
    private String reason;

    /** After so many objects, {@link Refusals} are told of them. */
    private static final int STEP = 64;

    private long refused;

    /** Whether the next object may become a row. */
    boolean isDue() {
      boolean isDue = backOff.isDue();
      if (!isDue && ++refused == STEP) {
        count();
      }
      return isDue;
    }

    void fail(String why) {
      count();
      reason = why;
      refused = 1;
      count();
      backOff.failure();
    }

    void count() {
      if (refused > 0) {
        Refusals.count(reason, refused);
        refused = 0;
      }
    }
  }

  InstanceRows(RowSettings settings, ClassLoader loader) {
    this.settings = settings;
    this.loader = loader;
    out.limit(LARGEST);
  }

  /** Rows with the classes of another loader. */
  InstanceRows ofLoader(ClassLoader other) {
    return new InstanceRows(settings, other);
  }

  ClassLoader loader() {
    return loader;
  }

  void streamOpened() {
    open++;
  }

  void streamClosed() {
    open--;
    objects.count();
    pairs.count();
    elements.count();
  }

  /** The size in bytes at which a block ends. */
  int limit() {
    return Math.max(LEAST, Math.min(MOST, ALL_STREAMS / Math.max(1, open)));
  }

  ExactRows exact() {
    if (exact == null) {
      exact = settings.rows(loader);
    }
    return exact;
  }

  /** Whether large blocks may become frames. */
  boolean frames() {
    return settings.frames();
  }

  /** The layout of the row that was written last. */
  ExactLayout layout() {
    return layout;
  }

  /** The array whose first {@link #length} bytes are the row that was written last. */
  byte[] bytes() {
    return out.bytes;
  }

  int length() {
    return length;
  }

  /** Writes an object as a row. Returns false if it is not one, so that Kryo has to write it. */
  boolean writeObject(Object object) {
    return !isManyNumbers(object) && objects.isDue() && write(object, objects);
  }

  /**
   * Whether it is a long array of primitives, whose bytes Kryo copies once less than a row does.
   */
  private static boolean isManyNumbers(Object object) {
    Class<?> component = object == null ? null : object.getClass().getComponentType();
    return component != null && component.isPrimitive() && Array.getLength(object) >= MANY_NUMBERS;
  }

  /** Writes a key and its value as one row. Returns false if Kryo has to write them. */
  boolean writePair(Object key, Object value) {
    return pairs.isDue() && write(new Object[] {key, value}, pairs);
  }

  /**
   * Begins an array whose elements become rows of their own: writes an empty array of the same
   * class as a row. Returns false if the array is short, or if its elements can't be such rows.
   */
  boolean beginArray(Object object) {
    if (!(object instanceof Object[] array) || array.length < LONG || !writeElement(array[0])) {
      return false;
    }
    if (repeats(array, SAMPLE)) {
      return false;
    }
    try {
      Object empty = Arrays.copyOf(array, 0);
      layout = exact().layoutOf(empty);
      length = layout.write(empty, out, 0);
      return true;
    } catch (MisfitException | TypeMismatch none) {
      return false;
    }
  }

  /**
   * Writes an element as a row of its own. Returns false if it is none, or if it might contain a
   * mutable object that other elements contain too.
   */
  boolean writeElement(Object element) {
    return elements.isDue() && write(element, elements) && !(keepsSharing() && layout.isMutable());
  }

  /** Whether the elements before an index repeat objects so often that Kryo's graph is better. */
  boolean repeats(Object[] array, int index) {
    return exact().repeats(Arrays.copyOfRange(array, Math.max(0, index - SAMPLE), index));
  }

  private boolean keepsSharing() {
    return exact().keepsSharing();
  }

  private ExactLayout layoutOfPair(Object[] pair) throws MisfitException {
    return exact().layoutOfPair(pair[0], pair[1]);
  }

  private boolean write(Object row, Attempts attempts) {
    try {
      ExactLayout known = attempts.layout;
      if (known == null) {
        known = attempts == pairs ? layoutOfPair((Object[]) row) : exact().layoutOf(row);
      }
      length = write(row, known, attempts);
      attempts.backOff.row();
      return true;
    } catch (MisfitException | LimitException why) {
      attempts.fail(why.getMessage());
    } catch (TypeMismatch none) {
      attempts.fail("the classes in rows keep changing, or a row contains one object very often");
    } catch (MessageTooLong none) {
      attempts.fail("a row has more than " + LARGEST + " bytes");
    }
    out.trim();
    return false;
  }

  /** Writes a row in this layout, or in a wider one. */
  private int write(Object row, ExactLayout known, Attempts attempts)
      throws MisfitException, TypeMismatch {
    attempts.layout = known;
    layout = known;
    try {
      return known.write(row, out, 0);
    } catch (TypeMismatch misfit) {
      layout = exact().join(known, row);
      if (layout == known || !attempts.backOff.newLayout()) {
        throw misfit;
      }
      attempts.layout = layout;
      return layout.write(row, out, 0);
    }
  }

  /** Frees the memory of an unusually large row. */
  void trim() {
    out.trim();
  }
}
