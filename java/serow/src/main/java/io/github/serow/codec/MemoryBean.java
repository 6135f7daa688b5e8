package io.github.serow.codec;

import io.github.serow.jni.Native;
import io.github.serow.jni.NativeHandle;
import io.github.serow.jni.NativeLibrary;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.ImmutableDescriptor;
import javax.management.MBeanException;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.ReflectionException;
import javax.management.openmbean.OpenMBeanAttributeInfo;
import javax.management.openmbean.OpenMBeanAttributeInfoSupport;
import javax.management.openmbean.OpenMBeanConstructorInfo;
import javax.management.openmbean.OpenMBeanInfoSupport;
import javax.management.openmbean.OpenMBeanOperationInfo;
import javax.management.openmbean.OpenMBeanOperationInfoSupport;
import javax.management.openmbean.OpenMBeanParameterInfo;
import javax.management.openmbean.SimpleType;

/**
 * The native memory that encoders and decoders keep between messages, as an MXBean.
 *
 * <p>It describes itself, because the JDK may not look into this module for an interface with its
 * attributes.
 */
final class MemoryBean implements DynamicMBean {
  private static final String TRIM = "trim";

  /** An attribute and its value. */
  private record Value(String description, LongSupplier value) {}

  private final Map<String, Value> values = new LinkedHashMap<>();

  MemoryBean() {
    values.put(
        "Budget",
        new Value(
            "Bytes of native memory that encoders and decoders may keep between messages",
            NativeLibrary::budget));
    values.put("Kept", new Value("Bytes that they keep", Native::memoryKept));
    values.put("IdleEncoders", new Value("Encoders without a message", EncodeContext::idle));
    values.put("IdleDecoders", new Value("Decoders without a message", DecodeContext::idle));
  }

  @Override
  public Object getAttribute(String name) throws AttributeNotFoundException {
    Value value = values.get(name);
    if (value == null) {
      throw new AttributeNotFoundException("serow's memory has no attribute " + name);
    }
    return value.value.getAsLong();
  }

  @Override
  public AttributeList getAttributes(String[] names) {
    AttributeList list = new AttributeList();
    for (String name : names) {
      Value value = values.get(name);
      if (value != null) {
        list.add(new Attribute(name, value.value.getAsLong()));
      }
    }
    return list;
  }

  @Override
  public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
    throw new AttributeNotFoundException(
        "attribute "
            + attribute.getName()
            + " can't be set; the property serow.memory has the"
            + " budget");
  }

  @Override
  public AttributeList setAttributes(AttributeList attributes) {
    return new AttributeList();
  }

  @Override
  public Object invoke(String name, Object[] arguments, String[] types)
      throws MBeanException, ReflectionException {
    if (!name.equals(TRIM) || arguments != null && arguments.length > 0) {
      throw new ReflectionException(
          new NoSuchMethodException(name), "serow's memory has only the operation trim()");
    }
    NativeHandle.freeUnreachable();
    Pool.closeIdle();
    return null;
  }

  @Override
  public MBeanInfo getMBeanInfo() {
    OpenMBeanAttributeInfo[] attributes =
        values.entrySet().stream()
            .map(
                it ->
                    new OpenMBeanAttributeInfoSupport(
                        it.getKey(),
                        it.getValue().description,
                        SimpleType.LONG,
                        true,
                        false,
                        false))
            .toArray(OpenMBeanAttributeInfo[]::new);
    OpenMBeanOperationInfo trim =
        new OpenMBeanOperationInfoSupport(
            TRIM,
            "Frees the memory of all encoders and decoders that have no message",
            new OpenMBeanParameterInfo[0],
            SimpleType.VOID,
            MBeanOperationInfo.ACTION);
    return new OpenMBeanInfoSupport(
        "io.github.serow.Memory",
        "Native memory that serow keeps between messages",
        attributes,
        new OpenMBeanConstructorInfo[0],
        new OpenMBeanOperationInfo[] {trim},
        null,
        new ImmutableDescriptor("mxbean=true"));
  }
}
