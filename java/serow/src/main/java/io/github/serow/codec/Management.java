package io.github.serow.codec;

import io.github.serow.jni.Native;
import io.github.serow.jni.NativeHandle;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.function.Function;
import javax.management.DynamicMBean;
import javax.management.InstanceAlreadyExistsException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.ObjectName;

/**
 * Registers {@link MemoryBean}, and frees idle memory after each garbage collection.
 *
 * <p>The platform's MBean server keeps its beans and listeners reachable, and so their classes and
 * class loaders. Therefore it gets only objects of the JDK's classes: proxies whose method handles
 * refer weakly to an object of serow. When serow's class loader is unloaded, its library removes
 * them.
 *
 * <p>serow does not start the platform's MBean server: this takes some hundredths of a second, and
 * is up to the program.
 */
final class Management {
  private static final String NAME = "io.github.serow:type=Memory";

  /** Maximum number of beans. */
  private static final int MAX_BEANS = 1000;

  // These keep the objects of the proxies reachable as long as this class.
  private static final Function<Object[], Object> BEAN = Management::callBean;
  private static final Function<Object[], Object> COLLECTED = Management::collected;
  private static final MemoryBean MEMORY = new MemoryBean();

  private Management() {}

  /** Registers with the platform's MBean server. Returns false if there is none yet. */
  static boolean register() {
    try {
      ObjectName runtime = new ObjectName(ManagementFactory.RUNTIME_MXBEAN_NAME);
      for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
        if (server.isRegistered(runtime)) {
          register(ManagementFactory.getPlatformMBeanServer());
          return true;
        }
      }
      return false;
    } catch (JMException | ReflectiveOperationException e) {
      // Without a bean serow works as well.
      return true;
    }
  }

  private static void register(MBeanServer server)
      throws JMException, ReflectiveOperationException {
    InvocationHandler calls = proxy(InvocationHandler.class, weak(BEAN, 3));
    // The platform's class loader outlives serow's.
    DynamicMBean bean =
        (DynamicMBean)
            Proxy.newProxyInstance(
                ClassLoader.getPlatformClassLoader(), new Class<?>[] {DynamicMBean.class}, calls);
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    MethodHandle unregister =
        lookup.findVirtual(
            MBeanServer.class,
            "unregisterMBean",
            MethodType.methodType(void.class, ObjectName.class));
    ObjectName name = register(server, bean);
    atUnload(MethodHandles.insertArguments(unregister, 0, server, name));
    NotificationListener listener = proxy(NotificationListener.class, weak(COLLECTED, 2));
    MethodHandle remove =
        lookup.findVirtual(
            NotificationEmitter.class,
            "removeNotificationListener",
            MethodType.methodType(void.class, NotificationListener.class));
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener(listener, null, null);
        atUnload(MethodHandles.insertArguments(remove, 0, emitter, listener));
      }
    }
  }

  /** Registers the bean under the first free name: each class loader with serow has a bean. */
  private static ObjectName register(MBeanServer server, DynamicMBean bean) throws JMException {
    for (int i = 1; ; i++) {
      try {
        ObjectName name = new ObjectName(i == 1 ? NAME : NAME + ",instance=" + i);
        server.registerMBean(bean, name);
        return name;
      } catch (InstanceAlreadyExistsException e) {
        if (i == MAX_BEANS) {
          throw e;
        }
      }
    }
  }

  private static void atUnload(MethodHandle action) {
    Native.atUnload(proxy(Runnable.class, action));
  }

  /**
   * A method handle that calls {@code function}, to which it refers weakly, with its arguments. It
   * returns them if the function is gone, which happens just before the class loader is unloaded.
   */
  private static MethodHandle weak(Function<Object[], Object> function, int arguments)
      throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    MethodHandle get =
        lookup
            .findVirtual(Reference.class, "get", MethodType.methodType(Object.class))
            .bindTo(new WeakReference<>(function));
    MethodHandle orElse =
        lookup.findStatic(Objects.class, "requireNonNullElse", MethodType.genericMethodType(2));
    MethodHandle found =
        MethodHandles.filterReturnValue(
                get, MethodHandles.insertArguments(orElse, 1, Function.identity()))
            .asType(MethodType.methodType(Function.class));
    MethodHandle apply =
        lookup.findVirtual(Function.class, "apply", MethodType.genericMethodType(1));
    return MethodHandles.foldArguments(apply, found)
        .asType(MethodType.methodType(Object.class, Object[].class))
        .asCollector(Object[].class, arguments);
  }

  /** An object of the JDK's that implements an interface of one method. */
  private static <T> T proxy(Class<T> type, MethodHandle method) {
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    // Java 17 defines the class of the proxy in the thread's context class loader.
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      return MethodHandleProxies.asInterfaceInstance(type, method);
    } finally {
      thread.setContextClassLoader(context);
    }
  }

  /** Calls a method of the bean. The arguments are those of {@link InvocationHandler#invoke}. */
  private static Object callBean(Object[] call) {
    Method method = (Method) call[1];
    try {
      // The server compares beans, which are proxies.
      return method.getName().equals("equals")
          ? (Object) (call[0] == ((Object[]) call[2])[0])
          : method.invoke(MEMORY, (Object[]) call[2]);
    } catch (InvocationTargetException e) {
      throw Management.<RuntimeException>unchecked(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E unchecked(Throwable error) throws E {
    throw (E) error;
  }

  private static Object collected(Object[] notification) {
    NativeHandle.freeUnreachable();
    Pool.closeIdleSince(System.nanoTime() - Pool.IDLE_NANOS);
    return null;
  }
}
