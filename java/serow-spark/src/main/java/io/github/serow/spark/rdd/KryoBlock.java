package io.github.serow.spark.rdd;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import io.github.serow.spark.Unchecked;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * A stream's open block of objects that Kryo writes.
 *
 * <p>Kryo writes into the buffer of an {@link Output}, behind room for the header. A small block
 * goes from there to the target in one call. If the buffer is full, or if a serializer of Kryo
 * flushes the output, as those of Scala's collections do after each element, the bytes move to a
 * second buffer. An object that fills this buffer too goes on in further blocks. So an object of
 * any size takes little memory here.
 */
final class KryoBlock {
  /**
   * A block ends with the object that reaches this size. Larger blocks would save nothing: Kryo's
   * bytes do not depend on the objects before, and a header takes some five bytes.
   */
  static final int LIMIT = 1 << 14;

  private final Kryos kryos;
  private final OutputStream target;
  private final Output output;

  /** What comes before the bytes in the output, with the room for the header. */
  private byte[] moved = {};

  private int movedSize;

  /** The number of objects that begin in this block. */
  private int count;

  /** Whether this block begins inside an object. */
  private boolean inside;

  /** Whether a part of the last object has been written. */
  private boolean partWritten;

  /** What the target threw while Kryo was writing. */
  private IOException targetError;

  /** Why the stream ends in the middle of an object. */
  private Throwable broken;

  KryoBlock(Kryos kryos, OutputStream target) {
    this.kryos = kryos;
    this.target = target;
    this.output = kryos.output(new Moving());
    output.setPosition(BlockHeader.ROOM);
  }

  /** Appends an object, and ends the block if it is large. Keeps no reference to the object. */
  void append(Object object) throws IOException {
    checkWhole();
    Kryo kryo = kryos.take();
    int begin = size();
    partWritten = false;
    count++;
    try {
      kryo.writeClassAndObject(output, object);
    } catch (Throwable error) {
      kryo.reset();
      remove(begin, error);
      throw Unchecked.unchanged(targetError != null ? targetError : error);
    } finally {
      kryos.give(kryo);
    }
    if (size() >= LIMIT) {
      end();
    }
  }

  /** Throws if the stream ends in the middle of an object, so nothing may follow. */
  void checkWhole() throws IOException {
    if (broken != null) {
      throw new IOException(
          "serow can't write to this stream: a part of an earlier object is missing", broken);
    }
  }

  /** The bytes of the block so far and the room for its header. */
  private int size() {
    return movedSize + output.position();
  }

  /** Removes the object that begins at {@code begin}, because Kryo has not written all of it. */
  private void remove(int begin, Throwable error) {
    if (partWritten) {
      broken = error;
      return;
    }
    count--;
    if (begin >= movedSize) {
      output.setPosition(begin - movedSize);
    } else {
      movedSize = begin;
      output.setPosition(0);
    }
  }

  /** Writes the block, if it has any content, to the target. Does not flush the target. */
  void end() throws IOException {
    if (broken != null || count == 0 && !inside) {
      return;
    }
    byte[] block = output.getBuffer();
    int size = output.position();
    if (movedSize != 0) {
      move(block, 0, size);
      block = moved;
      size = movedSize;
    }
    // The block is empty again, also if the target fails.
    movedSize = 0;
    output.setPosition(BlockHeader.ROOM);
    write(block, size, false);
  }

  private void write(byte[] block, int size, boolean goesOn) throws IOException {
    int flags = BlockHeader.KRYO;
    if (inside) {
      flags |= BlockHeader.INSIDE;
    }
    if (goesOn) {
      flags |= BlockHeader.GOES_ON;
    }
    int from = BlockHeader.put(block, flags, size - BlockHeader.ROOM, count);
    count = 0;
    inside = goesOn;
    target.write(block, from, size - from);
  }

  private void move(byte[] bytes, int offset, int length) {
    int size = movedSize + length;
    if (size > moved.length) {
      moved = Arrays.copyOf(moved, Math.max(size, Math.min(2 * size, LIMIT + bytes.length)));
    }
    System.arraycopy(bytes, offset, moved, movedSize, length);
    movedSize = size;
  }

  /** Takes the bytes out of the output, in the middle of an object. */
  private final class Moving extends OutputStream {
    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      move(bytes, offset, length);
      if (movedSize < LIMIT) {
        return;
      }
      partWritten = true;
      int size = movedSize;
      // The output begins at 0 again, so the room for the header is here.
      movedSize = BlockHeader.ROOM;
      try {
        KryoBlock.this.write(moved, size, true);
      } catch (IOException error) {
        targetError = error;
        throw error;
      }
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }
  }
}
