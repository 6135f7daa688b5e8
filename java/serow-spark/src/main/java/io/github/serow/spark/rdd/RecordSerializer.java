package io.github.serow.spark.rdd;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;

/**
 * Lets Kryo write Java records, which it can't by itself. So a record that is no row, because of
 * what it contains or of what surrounds it, does not fail.
 */
public final class RecordSerializer extends Serializer<Record> {
  private final Field[] fields;
  private final Constructor<?> constructor;

  /** Kryo calls this for each class of records. */
  public RecordSerializer(Kryo kryo, Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    fields = new Field[components.length];
    try {
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        fields[i] = type.getDeclaredField(components[i].getName());
        fields[i].setAccessible(true);
      }
      constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
    } catch (ReflectiveOperationException error) {
      throw new KryoException("the record " + type.getName() + " can't be examined", error);
    }
    setImmutable(true);
  }

  @Override
  public void write(Kryo kryo, Output output, Record row) {
    try {
      for (Field field : fields) {
        kryo.writeClassAndObject(output, field.get(row));
      }
    } catch (IllegalAccessException error) {
      throw new KryoException("the record " + row.getClass().getName() + " can't be read", error);
    }
  }

  @Override
  public Record read(Kryo kryo, Input input, Class<Record> type) {
    Object[] values = new Object[fields.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = kryo.readClassAndObject(input);
    }
    try {
      return (Record) constructor.newInstance(values);
    } catch (InvocationTargetException error) {
      throw new KryoException(
          "the constructor of the record " + type.getName() + " failed", error.getCause());
    } catch (ReflectiveOperationException error) {
      throw new KryoException("the record " + type.getName() + " can't be made", error);
    }
  }
}
