package io.github.serow.internal.codec;

import io.github.serow.Schema;
import io.github.serow.internal.row.Node;
import io.github.serow.internal.row.OptionalNode;
import io.github.serow.internal.schema.Former;
import io.github.serow.internal.types.TypeCodes;
import io.github.serow.internal.wire.RecordOut;
import java.util.ArrayList;
import java.util.List;

/** Collects the former names of all classes in a type, for a native plan. */
final class FormerNames {
  /** The former names of each struct and of each enum: of itself, and of its parts. */
  private static final String TYPE = "([([str], [[str]])], [([str], [[str]])])";

  private final List<Object[]> structs = new ArrayList<>();
  private final List<Object[]> enums = new ArrayList<>();
  private boolean isEmpty = true;

  private FormerNames() {}

  /** The record with the former names; null if there are none. */
  static byte[] record(Node root) {
    FormerNames found = new FormerNames();
    found.find(root);
    if (found.isEmpty) {
      return null;
    }
    Object[] row = {found.structs, found.enums};
    RecordOut out = new RecordOut();
    int end = Binding.of(Schema.parse(TYPE)).recordWriter(1).write(row, out, 0);
    return out.copy(out.end(0, end));
  }

  private void find(Node node) {
    Former former = node.former();
    Object[] names = {former.own(), former.parts()};
    if (!(node instanceof OptionalNode)) {
      switch (node.type.code()) {
        case TypeCodes.DICT_BEGIN, TypeCodes.RECORD_BEGIN -> structs.add(names);
        case TypeCodes.ENUM, TypeCodes.INT_ENUM, TypeCodes.STR_ENUM -> enums.add(names);
        default -> {}
      }
      isEmpty &= former.isEmpty();
    }
    node.parts().forEach(this::find);
  }
}
