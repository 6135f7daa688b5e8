package io.github.serow.bench;

import io.github.serow.demo.Batches;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.fory.Fory;
import org.apache.fory.memory.MemoryBuffer;

/**
 * Apache Fory in its Java format, with generated code and registered classes, without references
 * and without schema evolution. A batch is an {@link ArrayList}.
 */
final class ForyEntrant extends RowsEntrant {
  private final Fory fory =
      Fory.builder()
          .withXlang(false)
          .withRefTracking(false)
          .withCompatible(false)
          .withCodegen(true)
          .withAsyncCompilation(false)
          .requireClassRegistration(true)
          .build();
  private final MemoryBuffer buffer = MemoryBuffer.newHeapBuffer(1 << 16);

  ForyEntrant(RowRepresentation representation) {
    super(representation);
    // Fory registers the JDK's classes itself.
    Stream.concat(Stream.of(representation.rowClass()), representation.held().stream())
        .filter(each -> each.getPackage() == Part.class.getPackage())
        .forEach(fory::register);
  }

  @Override
  public List<byte[]> encode(List<?> rows) throws Exception {
    return Batches.encode(rows, batch -> fory.serialize(new ArrayList<>(batch)));
  }

  @Override
  public long encodeRetained(List<?> rows) {
    long bytes = 0;
    for (int begin = 0; begin < rows.size(); begin += Batches.SIZE) {
      List<?> batch = rows.subList(begin, Math.min(begin + Batches.SIZE, rows.size()));
      buffer.writerIndex(0);
      fory.serialize(buffer, new ArrayList<>(batch));
      bytes += buffer.writerIndex();
    }
    return bytes;
  }

  @Override
  public List<?> decode(List<byte[]> messages) {
    List<Object> rows = new ArrayList<>();
    for (byte[] message : messages) {
      rows.addAll((List<?>) fory.deserialize(message));
    }
    return rows;
  }

  @Override
  public byte[] encodeRow(Object row) {
    return fory.serialize(row);
  }

  @Override
  public Object decodeRow(byte[] message) {
    return fory.deserialize(message);
  }
}
