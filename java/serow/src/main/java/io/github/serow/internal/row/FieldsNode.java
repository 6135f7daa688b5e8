package io.github.serow.internal.row;

import io.github.serow.internal.schema.FieldPath;
import io.github.serow.internal.schema.Names;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.value.ValueKind;
import io.github.serow.internal.value.Values;
import io.github.serow.internal.wire.ObjectSizes;
import io.github.serow.internal.wire.RecordOut;
import io.github.serow.internal.wire.TypeMismatch;
import io.github.serow.internal.wire.ValueSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** A list or tuple of fixed shape, a dict with fixed keys, or a record. */
public class FieldsNode extends Node {
  final List<Node> parts = new ArrayList<>();

  /** The names of the fields; null for a list or tuple. */
  final Names names;

  /** With the parts that {@code part} makes for a place and its index. */
  public FieldsNode(Place place, BiFunction<Place, Integer, Node> part) {
    super(place);
    boolean isNamed = type.code() == TypeCodes.DICT_BEGIN || type.code() == TypeCodes.RECORD_BEGIN;
    names = isNamed ? new Names(type.name(), type.names(), type.maybe()) : null;
    for (int i = 0; i < type.parts().size(); i++) {
      int index = i;
      Place field = place.part(i);
      parts.add(
          isNamed && type.maybe().get(i)
              ? new OptionalNode(field, true, inside -> part.apply(inside, index))
              : part.apply(field, index));
    }
  }

  @Override
  public final List<Node> parts() {
    return parts;
  }

  protected final Node part(int i) {
    return parts.get(i);
  }

  /** The values of the fields. */
  private Object[] fields(Object value) {
    Object[] fields =
        switch (type.code()) {
          case TypeCodes.LIST_BEGIN -> Values.list(value);
          case TypeCodes.TUPLE_BEGIN -> Values.tuple(value);
          case TypeCodes.DICT_BEGIN -> Values.dict(value, names);
          default -> Values.record(value, names);
        };
    if (fields.length != parts.size()) {
      throw new TypeMismatch(value);
    }
    return fields;
  }

  @Override
  public int write(Object value, RecordOut out, int begin) {
    Object[] fields = fields(value);
    out.enter(fields.length);
    int at = begin;
    int i = 0;
    try {
      for (; i < fields.length; i++) {
        out.reserve(at);
        at = parts.get(i).write(fields[i], out, at);
      }
    } catch (RuntimeException e) {
      throw PlacedException.inWrite(e, this, i);
    }
    return at;
  }

  @Override
  public Object read(ValueSource in, int row) {
    beginRead(in);
    Object[] fields = new Object[parts.size()];
    int i = 0;
    try {
      for (; i < fields.length; i++) {
        fields[i] = parts.get(i).read(in, row);
      }
    } catch (RuntimeException e) {
      throw PlacedException.inRead(e, this, i);
    }
    return made(fields);
  }

  /** Tells the source that a value is read. */
  protected final void beginRead(ValueSource in) {
    in.enter(parts.size());
    in.take(
        switch (type.code()) {
          case TypeCodes.DICT_BEGIN -> ObjectSizes.map(parts.size());
          case TypeCodes.RECORD_BEGIN -> ObjectSizes.record(parts.size());
          default -> ObjectSizes.list(parts.size());
        });
  }

  private Object made(Object[] fields) {
    return switch (type.code()) {
      case TypeCodes.LIST_BEGIN -> Values.newList(fields);
      case TypeCodes.TUPLE_BEGIN -> fields;
      case TypeCodes.DICT_BEGIN -> Values.newDict(fields, names);
      default -> Values.newRecord(fields, names);
    };
  }

  @Override
  public boolean takes(Object value) {
    return switch (type.code()) {
      case TypeCodes.LIST_BEGIN -> ValueKind.isList(value);
      case TypeCodes.TUPLE_BEGIN ->
          value instanceof Object[] fields && fields.length == parts.size();
      case TypeCodes.DICT_BEGIN -> value instanceof Map;
      default -> ValueKind.isRecord(value, names);
    };
  }

  @Override
  public int components() {
    return parts.stream().mapToInt(Node::components).sum();
  }

  @Override
  public int leastBytes() {
    return parts.stream().mapToInt(Node::leastBytes).sum();
  }

  @Override
  public void step(FieldPath path, int place) {
    if (names == null) {
      path.item(place);
    } else {
      path.field(names.fields.get(place));
    }
  }

  @Override
  public void emitWrite(WriterEmitter to, int value, int rest) {
    to.callMethod(this, value, rest);
  }

  @Override
  public void emitWriteBody(WriterEmitter to, int rest) {
    switch (type.code()) {
      case TypeCodes.LIST_BEGIN -> to.fields("list", parts.size());
      case TypeCodes.TUPLE_BEGIN -> to.fields("tuple", parts.size());
      case TypeCodes.DICT_BEGIN -> to.fields("dict", names);
      default -> to.fields("record", names);
    }
    to.enter(parts.size());
    to.groups(
        this,
        parts.size(),
        WriterEmitter.FIELDS,
        i -> {
          to.loadElement(i);
          parts.get(i).emitWrite(to, WriterEmitter.FIELD, rest);
        });
  }

  @Override
  public void emitRead(ReaderEmitter from) {
    from.callMethod(this);
  }

  @Override
  public void emitReadInline(ReaderEmitter from) {
    emitReadBody(from);
  }

  @Override
  public void emitReadBody(ReaderEmitter from) {
    from.enter(parts.size());
    from.array(this, parts);
    switch (type.code()) {
      case TypeCodes.LIST_BEGIN ->
          from.callStatic(Values.class, "newList", "([Ljava/lang/Object;)Ljava/lang/Object;");
      case TypeCodes.TUPLE_BEGIN -> {}
      case TypeCodes.DICT_BEGIN -> from.named("newDict", names);
      default -> from.named("newRecord", names);
    }
  }
}
