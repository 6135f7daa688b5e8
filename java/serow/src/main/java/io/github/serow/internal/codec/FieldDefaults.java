package io.github.serow.internal.codec;

import io.github.serow.Schema;
import io.github.serow.internal.evolution.DefaultValue;
import io.github.serow.internal.jni.Native;
import io.github.serow.internal.jni.NativeHandle;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.OptionalNode;
import io.github.serow.internal.schema.SharedSecrets;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.types.TypeForms;
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
   * @param field the node of the field
   */
  private record Default(String path, Node field, Object value) {}

  private final List<Default> defaults = new ArrayList<>();

  private FieldDefaults() {}

  /** The plan of {@code schema} with the defaults and former names of {@code root}, its node. */
  static NativeHandle plan(Schema schema, Node root) {
    FieldDefaults found = new FieldDefaults();
    found.find(root, "");
    NativeHandle plan = new NativeHandle(Native.planOpen(SharedSecrets.typeList(schema)));
    for (Default each : found.defaults) {
      byte[] record = DefaultValue.record(each.field, each.value);
      if (record == null) {
        continue;
      }
      NativeHandle before = plan;
      plan =
          new NativeHandle(
              Native.planWithDefault(
                  before.address(),
                  each.path.getBytes(StandardCharsets.UTF_8),
                  TypeForms.ofTree(each.field.type),
                  record));
      before.close();
    }
    byte[] formerNames = FormerNames.record(root);
    if (formerNames != null) {
      NativeHandle before = plan;
      plan = new NativeHandle(Native.planWithFormerNames(before.address(), formerNames));
      before.close();
    }
    return plan;
  }

  private void find(Node node, String path) {
    if (node instanceof OptionalNode) {
      find(node.parts().get(0), path);
      return;
    }
    Object[] values = node.defaults();
    String before = path.isEmpty() ? "" : path + ".";
    List<Node> parts = node.parts();
    for (int i = 0; i < parts.size(); i++) {
      Node part = parts.get(i);
      switch (node.type.code()) {
        case TypeCodes.DICT_BEGIN, TypeCodes.RECORD_BEGIN -> {
          String field = before + TypeForms.word(node.type.names().get(i));
          if (values[i] != null) {
            defaults.add(new Default(field, part, values[i]));
          }
          find(part, field);
        }
        case TypeCodes.LIST_BEGIN, TypeCodes.TUPLE_BEGIN -> find(part, before + i);
        case TypeCodes.LIST, TypeCodes.TUPLE, TypeCodes.SET, TypeCodes.FROZENSET ->
            find(part, before + "[]");
        case TypeCodes.MAP -> find(part, before + (i == 0 ? "key" : "value"));
        default -> find(part, path);
      }
    }
  }
}
