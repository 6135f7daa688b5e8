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
  /** Maximum number of shapes to keep. */
  private static final int KEPT = 256;

  private final ExactClasses classes;

  /** The least recently used come first. */
  private final Map<ByteBuffer, ExactLayout> shapes = new LinkedHashMap<>(16, 0.75f, true);

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
   * The shape of a row. What a collection in it throws is passed on.
   *
   * @throws MisfitException if it has none
   */
  public ExactLayout shapeOf(Object row) throws MisfitException {
    Position root = new Position();
    new LayoutInference(classes, 0).add(root, row, 0);
    return shape(root);
  }

  /**
   * The shape of a pair that is a row.
   *
   * @throws MisfitException if it has none
   */
  public ExactLayout shapeOfPair(Object key, Object value) throws MisfitException {
    return joinPair(new Position(), new Object[] {key, value});
  }

  /**
   * The shape of the rows of {@code shape} and of {@code row}, which is a pair if they are. It is
   * {@code shape} itself if the row has this shape.
   *
   * @throws MisfitException if there is none
   */
  public ExactLayout join(ExactLayout shape, Object row) throws MisfitException {
    Position root = shape.root.copy();
    if (shape.isPair()) {
      return joinPair(root, row);
    }
    new LayoutInference(classes, root.nodes()).add(root, row, 0);
    return shape(root);
  }

  private ExactLayout joinPair(Position root, Object pair) throws MisfitException {
    new LayoutInference(classes, root.nodes()).addObject(root, pair, PairClass.PAIR, 0);
    return shape(root);
  }

  private ExactLayout shape(Position root) throws MisfitException {
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
   * The shape with these bytes, which {@link ExactLayout#bytes} returned in a program with the same
   * classes.
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
      throw new DecodeException("the shape of a row is impossible: " + e.getMessage());
    }
  }

  private ExactLayout known(ByteBuffer bytes) {
    synchronized (shapes) {
      return shapes.get(bytes);
    }
  }

  private ExactLayout kept(byte[] bytes, Position root) {
    ByteBuffer key = ByteBuffer.wrap(bytes);
    ExactLayout known = known(key);
    if (known != null) {
      return known;
    }
    ExactLayout made = new ExactLayout(root, bytes, classes);
    synchronized (shapes) {
      ExactLayout first = shapes.putIfAbsent(key, made);
      if (shapes.size() > KEPT) {
        shapes.remove(shapes.keySet().iterator().next());
      }
      return first == null ? made : first;
    }
  }
}
