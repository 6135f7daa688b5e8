package io.github.serow.bench;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.github.serow.demo.Batches;
import java.util.ArrayList;
import java.util.List;

/**
 * Kryo with its fastest settings: registered classes and no references. A batch is a count and its
 * rows.
 */
final class KryoEntrant extends RowsEntrant {
  private final Kryo kryo = new Kryo();
  private final Output output = new Output(1 << 16, -1);

  KryoEntrant(RowRepresentation representation) {
    super(representation);
    kryo.setRegistrationRequired(true);
    kryo.setReferences(false);
    kryo.register(representation.rowClass());
    representation.held().forEach(kryo::register);
  }

  @Override
  public List<byte[]> encode(List<?> rows) throws Exception {
    return Batches.encode(
        rows,
        batch -> {
          write(batch);
          return output.toBytes();
        });
  }

  @Override
  public long encodeRetained(List<?> rows) {
    long bytes = 0;
    for (int begin = 0; begin < rows.size(); begin += Batches.SIZE) {
      write(rows.subList(begin, Math.min(begin + Batches.SIZE, rows.size())));
      bytes += output.position();
    }
    return bytes;
  }

  private void write(List<?> batch) {
    output.reset();
    output.writeInt(batch.size());
    for (Object row : batch) {
      kryo.writeObject(output, row);
    }
  }

  @Override
  public List<?> decode(List<byte[]> messages) {
    List<Object> rows = new ArrayList<>();
    for (byte[] message : messages) {
      Input input = new Input(message);
      for (int count = input.readInt(); count > 0; count--) {
        rows.add(kryo.readObject(input, representation.rowClass()));
      }
    }
    return rows;
  }

  @Override
  public byte[] encodeRow(Object row) {
    output.reset();
    kryo.writeObject(output, row);
    return output.toBytes();
  }

  @Override
  public Object decodeRow(byte[] message) {
    return kryo.readObject(new Input(message), representation.rowClass());
  }
}
