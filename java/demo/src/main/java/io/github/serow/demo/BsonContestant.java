package io.github.serow.demo;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBinaryReader;
import org.bson.BsonBinaryWriter;
import org.bson.BsonReader;
import org.bson.BsonType;
import org.bson.io.BasicOutputBuffer;

/**
 * BSON with the library's streaming reader and writer, its fastest way. A batch is a document, and
 * every row in it is a document.
 */
final class BsonContestant implements Contestant {

  @Override
  public List<?> decode(List<byte[]> messages) {
    List<Object[]> rows = new ArrayList<>();
    for (byte[] message : messages) {
      try (BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(message))) {
        reader.readStartDocument();
        reader.readName("rows");
        reader.readStartArray();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
          rows.add(readRow(reader));
        }
        reader.readEndArray();
        reader.readEndDocument();
      }
    }
    return rows;
  }

  private static Object[] readRow(BsonReader reader) {
    reader.readStartDocument();
    Object[] row = {
      readInteger(reader, "partkey"),
      reader.readString("name"),
      reader.readString("mfgr"),
      reader.readString("brand"),
      reader.readString("type"),
      readInteger(reader, "size"),
      reader.readString("container"),
      reader.readDouble("retailprice"),
      reader.readString("comment")
    };
    reader.readEndDocument();
    return row;
  }

  private static Long readInteger(BsonReader reader, String name) {
    reader.readName(name);
    return reader.getCurrentBsonType() == BsonType.INT32 ? reader.readInt32() : reader.readInt64();
  }

  @Override
  public List<byte[]> encode(List<?> rows) throws Exception {
    return Batches.encode(rows, BsonContestant::encodeBatch);
  }

  private static byte[] encodeBatch(List<?> batch) {
    BasicOutputBuffer buffer = new BasicOutputBuffer(256 * batch.size() + 64);
    try (BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      writer.writeStartDocument();
      writer.writeStartArray("rows");
      for (Object row : batch) {
        writeRow(writer, (Object[]) row);
      }
      writer.writeEndArray();
      writer.writeEndDocument();
    }
    return buffer.toByteArray();
  }

  @Override
  public byte[] encodeRow(Object row) {
    BasicOutputBuffer buffer = new BasicOutputBuffer(512);
    try (BsonBinaryWriter writer = new BsonBinaryWriter(buffer)) {
      writeRow(writer, (Object[]) row);
    }
    return buffer.toByteArray();
  }

  @Override
  public Object decodeRow(byte[] message) {
    try (BsonBinaryReader reader = new BsonBinaryReader(ByteBuffer.wrap(message))) {
      return readRow(reader);
    }
  }

  private static void writeRow(BsonBinaryWriter writer, Object[] row) {
    writer.writeStartDocument();
    writeInteger(writer, "partkey", (Long) row[0]);
    writer.writeString("name", (String) row[1]);
    writer.writeString("mfgr", (String) row[2]);
    writer.writeString("brand", (String) row[3]);
    writer.writeString("type", (String) row[4]);
    writeInteger(writer, "size", (Long) row[5]);
    writer.writeString("container", (String) row[6]);
    writer.writeDouble("retailprice", (Double) row[7]);
    writer.writeString("comment", (String) row[8]);
    writer.writeEndDocument();
  }

  /** Writes the 32-bit type if the value fits, like Python's side. */
  private static void writeInteger(BsonBinaryWriter writer, String name, long value) {
    if (value == (int) value) {
      writer.writeInt32(name, (int) value);
    } else {
      writer.writeInt64(name, value);
    }
  }
}
