package io.github.serow.internal.mapping;

import java.io.IOException;
import java.io.InputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;

/** Reads class files. Only the rows of exact classes need them. */
public final class AssignedFields {
  private AssignedFields() {}

  /** Reads the class file, if it can be found and has a known version. */
  public static void read(Class<?> type, ClassVisitor visitor) {
    String name = type.getName();
    String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
    try (InputStream bytes = type.getResourceAsStream(file)) {
      if (bytes != null) {
        new ClassReader(bytes).accept(visitor, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      }
    } catch (IOException | IllegalArgumentException e) {
      // Its code is unknown.
    }
  }
}
