package io.github.serow.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.serow.Codec;
import io.github.serow.Jvm;
import io.github.serow.Schema;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bean that shows the memory. {@code UnloadingTest} checks that it keeps no class loader. */
@Tag("once")
class ManagementTest {
  private static void sendMessages(int count) throws InterruptedException {
    try (Codec<Object[]> codec = Codec.of(Schema.parse("(i64, str)"))) {
      List<Object[]> rows = List.<Object[]>of(new Object[] {1L, "almond"});
      for (int i = 0; i < count; i++) {
        if (codec.decode(codec.encode(rows)).size() != 1) {
          throw new AssertionError();
        }
        Thread.sleep(100);
      }
    }
  }

  /** Prints what the bean shows. */
  public static final class Shown {
    private Shown() {}

    public static void main(String[] arguments) throws Exception {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      sendMessages(3 * Pool.USES_PER_LOOK);
      Set<ObjectName> names = server.queryNames(new ObjectName("io.github.serow:*"), null);
      System.out.println(names);
      ObjectName name = names.iterator().next();
      Map<String, Object> values = new TreeMap<>();
      for (MBeanAttributeInfo attribute : server.getMBeanInfo(name).getAttributes()) {
        values.put(attribute.getName(), server.getAttribute(name, attribute.getName()));
      }
      System.out.println((long) values.remove("Kept") > 0);
      System.out.println(values);
      for (MBeanOperationInfo operation : server.getMBeanInfo(name).getOperations()) {
        System.out.println(operation.getName());
        server.invoke(name, operation.getName(), new Object[0], new String[0]);
      }
      System.out.println(server.getAttributes(name, new String[] {"Kept", "IdleEncoders", "No"}));
      for (String wrong : List.of("get", "set", "invoke")) {
        try {
          switch (wrong) {
            case "get" -> server.getAttribute(name, "Colour");
            case "set" -> server.setAttribute(name, new Attribute("Budget", 1L));
            default -> server.invoke(name, "grow", new Object[0], new String[0]);
          }
        } catch (JMException e) {
          System.out.println(e.getMessage());
        }
      }
      sendMessages(1);
      System.out.println(server.getAttribute(name, "IdleDecoders"));
    }
  }

  /** Prints whether there is an MBean server after some messages. */
  public static final class NoServer {
    private NoServer() {}

    public static void main(String[] arguments) throws Exception {
      sendMessages(3 * Pool.USES_PER_LOOK);
      System.out.println(MBeanServerFactory.findMBeanServer(null));
    }
  }

  /** Sends messages for longer than a second. */
  public static final class Messages {
    private Messages() {}

    public static void main(String[] arguments) throws Exception {
      sendMessages(3 * Pool.USES_PER_LOOK);
      System.out.println("sent");
    }
  }

  @Test
  void theBeanShowsTheMemory() throws Exception {
    assertEquals(
        List.of(
            "[io.github.serow:type=Memory]",
            "true",
            "{Budget=1000000, IdleDecoders=1, IdleEncoders=1}",
            "trim",
            "[Kept = 0, IdleEncoders = 0]",
            "serow's memory has no attribute Colour",
            "attribute Budget can't be set; the property serow.memory has the budget",
            "serow's memory has only the operation trim()",
            "1"),
        new Jvm(List.of("-Dserow.memory=1000000"), Map.of()).run(Shown.class).lines());
  }

  @Test
  void thePlatformsServerIsNotStarted() throws Exception {
    assertEquals(List.of("[]"), new Jvm(List.of(), Map.of()).run(NoServer.class).lines());
  }

  @Test
  void theModuleMayBeMissing() throws Exception {
    Jvm jvm = new Jvm(List.of("--limit-modules", "java.base"), Map.of());
    assertEquals(List.of("sent"), jvm.run(Messages.class).lines());
  }
}
