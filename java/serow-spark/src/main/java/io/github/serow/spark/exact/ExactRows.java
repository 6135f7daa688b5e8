package io.github.serow.spark.exact;

import io.github.serow.DecodeException;
import io.github.serow.LimitException;
import io.github.serow.SchemaException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rows whose classes are only known at run time, written and read such that the same classes come
 * back: an {@code Integer} as an {@code Integer}, a {@code LinkedList} as a {@code LinkedList}.
 *
 * <p>The bytes of a row contain no classes. They are in its {@link ExactLayout}, which many rows
 * share. {@link RowClasses} says which classes rows may have.
 *
 * <p>An object of this class keeps the classes that it has seen, and their class loaders, reachable
 * ({@link LoaderRows}). It is safe for many threads.
 */
public final class ExactRows {
  /** Maximum number of layouts to keep. */
  private static final int KEPT = 256;

  private final ExactClasses classes;

  /** The least recently used come first. */
  private final Map<ByteBuffer, ExactLayout> layouts = new LinkedHashMap<>(16, 0.75f, true);

  /** Creates rows of these classes. */
  public ExactRows(RowClasses classes) {
    this.classes = new ExactClasses(classes);
  }

  /**
   * Whether rows contain the same objects so often that they would be much smaller if each object
   * were written once for all of them, not once for each row. True also if one is no row.
   */
  public boolean repeats(Object[] rows) {
    try {
      return Repetition.isIn(new Object[] {rows}, classes);
    } catch (MisfitException e) {
      return true;
    }
  }

  /** Whether a row that contains a mutable object twice is refused. */
  public boolean keepsSharing() {
    return classes.keepsSharing();
  }

  /**
   * The layout of a row. What a collection in it throws is passed on.
   *
   * @throws MisfitException if it has none
   */
  public ExactLayout layoutOf(Object row) throws MisfitException {
    Position root = new Position();
    new LayoutInference(classes, 0).add(root, row, 0);
    return layout(root);
  }

  /**
   * The layout of a pair that is a row.
   *
   * @throws MisfitException if it has none
   */
  public ExactLayout layoutOfPair(Object key, Object value) throws MisfitException {
    return joinPair(new Position(), new Object[] {key, value});
  }

  /**
   * The layout of the rows of {@code layout} and of {@code row}, which is a pair if they are. It is
   * {@code layout} itself if the row has this layout.
   *
   * @throws MisfitException if there is none
   */
  public ExactLayout join(ExactLayout layout, Object row) throws MisfitException {
    Position root = layout.root.copy();
    if (layout.isPair()) {
      return joinPair(root, row);
    }
    new LayoutInference(classes, root.nodes()).add(root, row, 0);
    return layout(root);
  }

  private ExactLayout joinPair(Position root, Object pair) throws MisfitException {
    new LayoutInference(classes, root.nodes()).addObject(root, pair, PairClass.PAIR, 0);
    return layout(root);
  }

  private ExactLayout layout(Position root) throws MisfitException {
    if (classes.keepsSharing()) {
      for (Position graph : root.graphs()) {
        SharedObjects.checkBuffers(graph);
      }
    }
    byte[] bytes = LayoutWriter.bytes(root, classes);
    try {
      return kept(bytes, root);
    } catch (SchemaException | LimitException e) {
      throw new MisfitException("the schema of a row is impossible: " + e.getMessage());
    }
  }

  /**
   * The layout with these bytes, which {@link ExactLayout#bytes} returned in a program with the
   * same classes.
   *
   * @throws DecodeException if they are damaged, or name a class that is missing or not permitted
   */
  public ExactLayout parse(byte[] bytes, int from, int to) {
    ExactLayout known = known(ByteBuffer.wrap(bytes, from, to - from));
    if (known != null) {
      return known;
    }
    byte[] copy = Arrays.copyOfRange(bytes, from, to);
    Position root = LayoutParser.parse(copy, classes);
    try {
      return kept(copy, root);
    } catch (SchemaException | LimitException e) {
      throw new DecodeException("the layout of a row is impossible: " + e.getMessage());
    }
  }

  private ExactLayout known(ByteBuffer bytes) {
    synchronized (layouts) {
      return layouts.get(bytes);
    }
  }

  private ExactLayout kept(byte[] bytes, Position root) {
    ByteBuffer key = ByteBuffer.wrap(bytes);
    ExactLayout known = known(key);
    if (known != null) {
      return known;
    }
    ExactLayout made = new ExactLayout(root, bytes, classes);
    synchronized (layouts) {
      ExactLayout first = layouts.putIfAbsent(key, made);
      if (layouts.size() > KEPT) {
        layouts.remove(layouts.keySet().iterator().next());
      }
      return first == null ? made : first;
    }
  }
}
