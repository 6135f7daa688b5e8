package io.github.serow.mapping;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The names of the fields that a setter assigns, also by other methods of its class and the
 * superclasses. A setter often has another name than its field.
 */
public final class AssignedFields {
  private final Set<String> fields = new HashSet<>();
  private final Set<String> visited = new HashSet<>();

  private AssignedFields() {}

  static Set<String> of(Method setter) {
    AssignedFields found = new AssignedFields();
    found.follow(setter.getDeclaringClass(), setter.getName(), Type.getMethodDescriptor(setter));
    return found.fields;
  }

  /** Reads a method of {@code type} or of the nearest superclass that has it. */
  private void follow(Class<?> type, String name, String descriptor) {
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      if (!visited.add(at.getName() + "." + name + descriptor)) {
        return;
      }
      Code code = new Code(at, name, descriptor);
      read(at, code);
      if (code.isFound) {
        return;
      }
    }
  }

  /** Reads the class file, if it can be found and has a known version. */
  public static void read(Class<?> type, ClassVisitor visitor) {
    ClassReader reader = reader(type);
    if (reader != null) {
      reader.accept(visitor, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }
  }

  /** The class file; null if it can't be found or has an unknown version. */
  static ClassReader reader(Class<?> type) {
    String name = type.getName();
    String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
    try (InputStream bytes = type.getResourceAsStream(file)) {
      return bytes == null ? null : new ClassReader(bytes);
    } catch (IOException | IllegalArgumentException e) {
      return null;
    }
  }

  /** Finds a method in its class. */
  private final class Code extends ClassVisitor {
    private final Class<?> type;
    private final String name;
    private final String descriptor;
    private boolean isFound;

    Code(Class<?> type, String name, String descriptor) {
      super(Opcodes.ASM9);
      this.type = type;
      this.name = name;
      this.descriptor = descriptor;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      if (!name.equals(this.name) || !descriptor.equals(this.descriptor)) {
        return null;
      }
      isFound = true;
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String of) {
          if (opcode == Opcodes.PUTFIELD) {
            fields.add(field);
          }
        }

        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String of, boolean isInterface) {
          for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            if (owner.equals(Type.getInternalName(at))) {
              follow(at, called, of);
            }
          }
        }
      };
    }
  }
}
