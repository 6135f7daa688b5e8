package io.github.serow.internal.wire;

import java.time.LocalDate;
import java.util.Arrays;
import java.util.function.Function;

/**
 * The value of a record of the row wire, or the values of a frame's records, one after another.
 * Nothing has checked its bytes, so each method checks what it reads.
 */
public final class RecordIn extends RecordBudget {
  /** The number of bytes of a record's length, before its value in a frame. */
  public static final int LENGTH = 4;

  /** More integers than this are checked before there is an array for them. */
  private static final int MANY = 1 << 16;

  private byte[] bytes;
  private int end;
  private int at;

  /** The begin of the record of the frame, where its length is, and the end of the frame. */
  private int record;

  private int frameEnd;

  /** The position of the last byte component. */
  private int component;

  /**
   * A record whose value is between these positions of {@code bytes}. Its limits are those of a
   * frame with this record alone.
   */
  public RecordIn(byte[] bytes, int begin, int end) {
    this.bytes = bytes;
    this.end = end;
    at = begin;
    restart();
  }

  /** Gives the values from the position on the limits of a frame with one record. */
  public void restart() {
    allot((long) end - at + LENGTH);
  }

  /**
   * The records of the frame whose body is between these positions of {@code bytes}. They share the
   * limits of the frame.
   */
  public static RecordIn ofFrame(byte[] bytes, int begin, int end) {
    RecordIn in = new RecordIn(bytes, begin + LENGTH, end);
    in.record = begin;
    in.end = begin;
    in.frameEnd = end;
    return in;
  }

  /** Goes on to the next record of the frame, which has its length before it. */
  public void next() {
    int begin = end + LENGTH;
    record = end;
    if (begin > frameEnd) {
      throw new DamagedRecordException("a frame has fewer records than rows");
    }
    int length = intAt(bytes, record);
    if (Integer.compareUnsigned(length, frameEnd - begin) > 0) {
      throw new DamagedRecordException("a record is longer than its frame");
    }
    beginRow();
    at = begin;
    end = begin + length;
  }

  /** The begin of the record of the frame, where its length is. */
  public int record() {
    return record;
  }

  /** The number of bytes of the frame after the record. */
  public int frameLeft() {
    return frameEnd - end;
  }

  /** Goes on to a record of the frame, whose value is between these positions. */
  public void begin(int begin, int end) {
    beginRow();
    at = begin;
    this.end = end;
  }

  /**
   * Goes on to a record that was made of one of the frame, and has its value between these
   * positions of {@code bytes}.
   */
  public void begin(byte[] bytes, int begin, int end) {
    this.bytes = bytes;
    begin(begin, end);
  }

  /** Reads a fixed-size number before a record. */
  public static long longAt(byte[] bytes, int at) {
    return (long) Varint.LONG.get(bytes, at);
  }

  public static int intAt(byte[] bytes, int at) {
    return (int) Varint.INT.get(bytes, at);
  }

  /** The position of the next value. */
  public int position() {
    return at;
  }

  /** Reads a number below {@code limit}. */
  public int number(int limit) {
    long number = varint();
    if (number < 0 || number >= limit) {
      throw new DamagedRecordException(
          "the number " + Long.toUnsignedString(number) + " is not below its limit " + limit);
    }
    return (int) number;
  }

  /** Goes to a position of the record that was read before. */
  public void moveTo(int position) {
    at = position;
  }

  /** Skips numbers of any length, then this many bytes, and a text or bytes with their length. */
  public void skip(int numbers, int fixed, boolean hasText) {
    int at = this.at;
    for (int i = 0; i < numbers; i++) {
      if (at >= end) {
        throw tooShort();
      }
      at += Integer.numberOfTrailingZeros(bytes[at] | 0x100) + 1;
    }
    if (fixed > end - at) {
      throw tooShort();
    }
    this.at = at + fixed;
    if (hasText) {
      skipBytes();
    }
  }

  /** Skips this many bytes. */
  public void skip(long count) {
    if (count > end - at) {
      throw tooShort();
    }
    at += (int) count;
  }

  /**
   * Copies the bytes from {@code begin} on to {@code to}. Returns the position after them there.
   */
  public int copyFrom(int begin, RecordOut out, int to) {
    int length = at - begin;
    if (length > 0) {
      out.ensure(to, length);
      System.arraycopy(bytes, begin, out.bytes, to, length);
    }
    return to + length;
  }

  /** The number of bytes of the record that were not read yet. */
  public int left() {
    return end - at;
  }

  /** Throws unless the whole record has been read. */
  public void end() {
    if (at != end) {
      throw new DamagedRecordException("a record is longer than its values");
    }
  }

  private static DamagedRecordException tooShort() {
    return new DamagedRecordException("a record is shorter than its values");
  }

  /** Reads a number of 64 bits without a sign. */
  public long varint() {
    int at = this.at;
    if (at >= end) {
      throw tooShort();
    }
    byte first = bytes[at];
    if ((first & 1) != 0) {
      this.at = at + 1;
      return (first & 0xff) >>> 1;
    }
    return longVarint(at);
  }

  private long longVarint(int at) {
    long word = word(at);
    int length = Long.numberOfTrailingZeros(word | 0x100) + 1;
    if (end - at < length) {
      throw tooShort();
    }
    this.at = at + length;
    if (length == Varint.MOST) {
      return (long) Varint.LONG.get(bytes, at + 1);
    }
    return word << -8 * length >>> -7 * length;
  }

  /** The eight bytes at {@code at}; zeros follow the last byte of the array. */
  private long word(int at) {
    int beyond = at + 8 - bytes.length;
    if (beyond <= 0) {
      return (long) Varint.LONG.get(bytes, at);
    }
    if (bytes.length >= 8) {
      return (long) Varint.LONG.get(bytes, bytes.length - 8) >>> 8 * beyond;
    }
    long word = 0;
    for (int i = bytes.length - 1; i >= at; i--) {
      word = word << 8 | bytes[i] & 0xff;
    }
    return word;
  }

  public long i64() {
    return Varint.unzigzag(varint());
  }

  public double f64() {
    int at = this.at;
    if (end - at < 8) {
      throw tooShort();
    }
    this.at = at + 8;
    return Double.longBitsToDouble((long) Varint.LONG.get(bytes, at));
  }

  /** Reads a bool, or whether a value is present. */
  public boolean bit() {
    int at = this.at;
    if (at >= end) {
      throw tooShort();
    }
    byte bit = bytes[at];
    if ((bit & -2) != 0) {
      throw new DamagedRecordException("a record has a boolean that is neither 0 nor 1");
    }
    this.at = at + 1;
    return bit != 0;
  }

  /** Reads a length and skips that many bytes, which end at {@link #at}. */
  private int skipBytes() {
    long length = varint();
    if (length < 0 || length > end - at) {
      throw tooShort();
    }
    at += (int) length;
    return (int) length;
  }

  public String str() {
    int length = skipBytes();
    if (isLimited) {
      take(ObjectSizes.text(bytes, at - length, at));
    }
    return GeneralizedUtf8.decode(bytes, at - length, length);
  }

  /** See {@link ValueSource#count}. */
  public int count(int least) {
    long count = varint();
    claim(count, least);
    if (count * least > end - at) {
      throw tooShort();
    }
    return (int) count;
  }

  /** See {@link ValueSource#distinct}. */
  public int distinct(int least) {
    int count = count(least);
    if (least == 0 && count > 1) {
      throw new DamagedRecordException("a set or a map holds an element or a key twice");
    }
    if (leastOfDistinct(count) > end - at) {
      throw tooShort();
    }
    return count;
  }

  /** See {@link ValueSource#entries}. */
  public int entries(int least) {
    int count = distinct(least);
    // No key contains a map, so the keys of all maps are different bytes.
    if (!claimKeys(leastOfDistinct(count))) {
      throw tooShort();
    }
    return count;
  }

  /**
   * The smallest number of bytes of this number of different values. At most 257 values take less
   * than two bytes.
   */
  private static long leastOfDistinct(int count) {
    return Math.max(0, 2L * (count - 257));
  }

  public int arm(int arms) {
    long arm = varint();
    if (arm < 0 || arm >= arms) {
      throw new DamagedRecordException("a union has an arm that its schema lacks");
    }
    return (int) arm;
  }

  public int member(int members) {
    long member = i64();
    if (member < 0 || member >= members) {
      throw new DamagedRecordException("a value is not a member of its enum");
    }
    return (int) member;
  }

  @Override
  public long i64(int column, int row) {
    return i64();
  }

  @Override
  public double f64(int column, int row) {
    return f64();
  }

  @Override
  public long[] longs(int column, int length) {
    if (length > MANY) {
      // The array takes eight times the bytes of the numbers, so these are checked before.
      int begin = at;
      for (int i = 0; i < length; i++) {
        varint();
      }
      at = begin;
    }
    return super.longs(column, length);
  }

  @Override
  public long sized(IntSize size, int column, int row) {
    long number =
        switch (size) {
          case I8 -> oneByte();
          case U8 -> oneByte() & 0xff;
          case I16, I32 -> i64();
          case U16, U32, U64 -> varint();
        };
    if (!size.holds(number)) {
      throw new DamagedRecordException("an integer is beyond the range of its type");
    }
    return number;
  }

  private byte oneByte() {
    if (at >= end) {
      throw tooShort();
    }
    return bytes[at++];
  }

  @Override
  public double f32(int column, int row) {
    int at = this.at;
    if (end - at < Float.BYTES) {
      throw tooShort();
    }
    this.at = at + Float.BYTES;
    return Double.longBitsToDouble(Singles.widened(intAt(bytes, at)));
  }

  @Override
  public String str(int column, int row) {
    return str();
  }

  @Override
  public boolean bit(int column, int row) {
    return bit();
  }

  @Override
  public int count(int column, int row, int least) {
    return count(least);
  }

  @Override
  public int distinct(int column, int row, int least) {
    return distinct(least);
  }

  @Override
  public int entries(int column, int row, int least) {
    return entries(least);
  }

  @Override
  public int arm(int column, int row, int arms) {
    return arm(arms);
  }

  @Override
  public int member(int column, int row, int members) {
    return member(members);
  }

  @Override
  public int bytes(int column, int row) {
    int length = skipBytes();
    if (isLimited) {
      take(length);
    }
    component = at - length;
    return length;
  }

  @Override
  public int length(int column, int entry) {
    return entry;
  }

  @Override
  public byte[] get(int column, int entry) {
    return Arrays.copyOfRange(bytes, component, component + entry);
  }

  @Override
  public <T> Object share(int column, int entry, Function<byte[], T> make) {
    return make.apply(get(column, entry));
  }

  @Override
  public LocalDate date(long day) {
    return LocalDate.ofEpochDay(day);
  }

  @Override
  public boolean isChecked() {
    return false;
  }

  @Override
  public Object never() {
    throw new DamagedRecordException("a value is of type never");
  }
}
