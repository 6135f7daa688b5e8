package io.github.serow;

/** A map of any number of keys of one Java type, and values of another. */
final class MappedMap extends Mapped {
  private final Mapped key;
  private final Mapped value;

  MappedMap(Mapped key, Mapped value) {
    this.key = key;
    this.value = value;
  }

  @Override
  void describe(TypeList list) {
    list.add(TypeList.MAP);
    key.describe(list);
    value.describe(list);
  }

  @Override
  void bind(Type type) {
    super.bind(type);
    key.bind(type.parts.get(0));
    value.bind(type.parts.get(1));
  }

  @Override
  boolean isFixed() {
    return false;
  }
}
