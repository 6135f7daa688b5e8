package io.github.serow.codec;

import io.github.serow.EncodeException;
import io.github.serow.LimitException;
import io.github.serow.Schema;
import io.github.serow.SchemaSet;
import io.github.serow.jni.Native;
import io.github.serow.jni.NativeHandle;
import io.github.serow.mapping.ObjectMapping;
import io.github.serow.schema.PublicTypes;
import io.github.serow.schema.Type;
import io.github.serow.types.TypeForms;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Gives a native plan what a class says of rows of other schemas: defaults and former names. */
final class FieldDefaults {
  /**
   * A default.
   *
   * @param path the path of its field: names of fields, {@code []} for elements, {@code key} and
   *     {@code value} for those of maps
   * @param field the type of the field
   * @param value its value, an object of the class
   */
  private record Default(String path, Type field, Object value) {}

  private final List<Default> defaults = new ArrayList<>();

  private FieldDefaults() {}

  /**
   * The plan of {@code schema} with the defaults and former names of {@code root}, the same type.
   */
  static NativeHandle plan(Schema schema, Type root) {
    FieldDefaults found = new FieldDefaults();
    found.find(root, "");
    NativeHandle plan = handle(Native.planOpen(PublicTypes.typeList(schema)));
    for (Default each : found.defaults) {
      byte[] record = record(each);
      if (record == null) {
        continue;
      }
      NativeHandle before = plan;
      plan =
          handle(
              Native.planWithDefault(
                  before.address(),
                  each.path.getBytes(StandardCharsets.UTF_8),
                  each.field.typeList(),
                  record));
      before.close();
    }
    byte[] formerNames = FormerNames.record(root);
    if (formerNames != null) {
      NativeHandle before = plan;
      plan = handle(Native.planWithFormerNames(before.address(), formerNames));
      before.close();
    }
    return plan;
  }

  private static NativeHandle handle(long plan) {
    return new NativeHandle(plan);
  }

  /** The default as a record; null if it does not fit its type, as a new object's value may not. */
  private static byte[] record(Default of) {
    Type field = of.field;
    Binding binding = new Binding(PublicTypes.schema(field.typeList()), field.mapping);
    try {
      return new SingleRecords(binding, new SchemaSet(), false).encode(of.value);
    } catch (EncodeException | LimitException e) {
      return null;
    }
  }

  private void find(Type type, String path) {
    // Only a new object of the class shows the values that it begins with.
    Object[] initial = type.mapping instanceof ObjectMapping object ? object.initialValues() : null;
    String before = path.isEmpty() ? "" : path + ".";
    for (int i = 0; i < type.parts.size(); i++) {
      Type part = type.parts.get(i);
      switch (type.kind) {
        case DICT, RECORD -> {
          String field = before + TypeForms.word(type.names.fields.get(i));
          Object value = part.fallback == null && initial != null ? initial[i] : part.fallback;
          if (value != null) {
            defaults.add(new Default(field, part, value));
          }
          find(part, field);
        }
        case LIST, TUPLE -> find(part, before + i);
        case LIST_SEQUENCE, TUPLE_SEQUENCE, SET, FROZENSET -> find(part, before + "[]");
        case MAP -> find(part, before + (i == 0 ? "key" : "value"));
        default -> find(part, path);
      }
    }
  }
}
