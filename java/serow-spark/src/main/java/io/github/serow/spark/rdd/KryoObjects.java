package io.github.serow.spark.rdd;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import io.github.serow.spark.Unchecked;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * Reads the objects of a block that {@link KryoBlock} wrote.
 *
 * <p>Kryo reads a small block in the source's own buffer. It reads others through a stream that
 * ends with the block, or goes on with the next one if the object does.
 */
final class KryoObjects {
  private static final int WINDOW = 4096;

  private final BlockSource source;
  private final Kryos kryos;

  /** {@code null} until there is a block. */
  private Input input;

  /** For blocks that Kryo reads as a stream. */
  private byte[] window;

  /** How many objects begin in the rest of the block. */
  private long count;

  /** How many bytes of the body the source still has. */
  private int left;

  private boolean goesOn;

  /** What the source threw while Kryo was reading. */
  private IOException sourceError;

  /** Why the position in the block is unknown. */
  private Throwable broken;

  KryoObjects(BlockSource source, Kryos kryos) {
    this.source = source;
    this.kryos = kryos;
  }

  boolean isEmpty() {
    return count == 0;
  }

  /** Opens the block whose header the source has read. */
  void open() throws IOException {
    if (source.has(BlockHeader.INSIDE)) {
      throw source.damaged(
          "it continues an object, but the block with the object's begin is missing");
    }
    if (source.count() == 0) {
      throw source.damaged("no object begins in it");
    }
    if (input == null) {
      input = kryos.input();
    }
    enter();
    if (!goesOn && source.holdsBody()) {
      input.setBuffer(source.buffer(), source.takeBody(), left);
      left = 0;
    } else {
      if (window == null) {
        window = new byte[WINDOW];
      }
      input.setBuffer(window);
      input.setInputStream(new Body());
    }
  }

  private void enter() {
    count += source.count();
    left = source.length();
    goesOn = source.has(BlockHeader.GOES_ON);
  }

  /** Enters the block that continues an object of this one. */
  private void enterNext() throws IOException {
    if (!source.nextHeader()) {
      throw source.cut();
    }
    if (!source.has(BlockHeader.INSIDE)) {
      throw source.damaged("it should continue an object of the block before, but it does not");
    }
    enter();
  }

  /** Reads the next object of a block that is not empty. */
  Object next(Kryo kryo) throws IOException {
    if (broken != null) {
      throw new IOException(
          "serow can't read on in this stream: an earlier object could not be read", broken);
    }
    try {
      Object object = kryo.readClassAndObject(input);
      if (--count == 0) {
        checkEnd();
      }
      return object;
    } catch (Throwable error) {
      kryo.reset();
      broken = error;
      throw Unchecked.unchanged(meaning(error));
    }
  }

  /** Checks that the block ends with its last object, and so do blocks that continue it. */
  private void checkEnd() throws IOException {
    while (true) {
      long rest = (long) left + input.limit() - input.position();
      if (rest != 0) {
        throw source.damaged("it has " + rest + " bytes more than its objects");
      }
      if (!goesOn) {
        return;
      }
      enterNext();
      if (count != 0) {
        return;
      }
    }
  }

  /** What an error of Kryo means for the caller, for whom an {@link EOFException} is the end. */
  private Throwable meaning(Throwable error) {
    if (sourceError != null) {
      return sourceError;
    }
    boolean tooShort = error instanceof KryoException && isUnderflow(error.getMessage());
    if (tooShort || error instanceof EOFException) {
      IOException damage = source.damaged("an object needs more bytes than it has");
      damage.initCause(error);
      return damage;
    }
    return error;
  }

  private static boolean isUnderflow(String message) {
    return message != null && message.toLowerCase(Locale.ROOT).contains("buffer underflow");
  }

  /** The body of the block and of those that continue it. */
  private final class Body extends InputStream {
    @Override
    public int read(byte[] bytes, int offset, int most) throws IOException {
      if (most == 0) {
        return 0;
      }
      try {
        while (left == 0) {
          if (!goesOn) {
            return -1;
          }
          enterNext();
        }
        int read = source.read(bytes, offset, Math.min(most, left));
        left -= read;
        return read;
      } catch (IOException error) {
        sourceError = error;
        throw error;
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }
  }
}
