package io.github.serow.demo;

import com.google.protobuf.InvalidProtocolBufferException;
import io.github.serow.demo.proto.Part;
import io.github.serow.demo.proto.Parts;
import java.util.ArrayList;
import java.util.List;

/** Protocol Buffers with the classes that protoc generates from {@code benches/demo/part.proto}. */
final class ProtobufContestant implements Contestant {

  @Override
  public List<?> decode(List<byte[]> messages) throws InvalidProtocolBufferException {
    List<Object[]> rows = new ArrayList<>();
    for (byte[] message : messages) {
      for (Part part : Parts.parseFrom(message).getRowsList()) {
        rows.add(toRow(part));
      }
    }
    return rows;
  }

  @Override
  public List<byte[]> encode(List<?> rows) throws Exception {
    return Batches.encode(rows, ProtobufContestant::encodeBatch);
  }

  private static byte[] encodeBatch(List<?> batch) {
    Parts.Builder parts = Parts.newBuilder();
    for (Object row : batch) {
      parts.addRows(toPart((Object[]) row));
    }
    return parts.build().toByteArray();
  }

  @Override
  public byte[] encodeRow(Object row) {
    return toPart((Object[]) row).build().toByteArray();
  }

  @Override
  public Object decodeRow(byte[] message) throws InvalidProtocolBufferException {
    return toRow(Part.parseFrom(message));
  }

  private static Object[] toRow(Part part) {
    return new Object[] {
      part.getPartkey(),
      part.getName(),
      part.getMfgr(),
      part.getBrand(),
      part.getType(),
      part.getSize(),
      part.getContainer(),
      part.getRetailprice(),
      part.getComment()
    };
  }

  private static Part.Builder toPart(Object[] row) {
    return Part.newBuilder()
        .setPartkey((Long) row[0])
        .setName((String) row[1])
        .setMfgr((String) row[2])
        .setBrand((String) row[3])
        .setType((String) row[4])
        .setSize((Long) row[5])
        .setContainer((String) row[6])
        .setRetailprice((Double) row[7])
        .setComment((String) row[8]);
  }
}
