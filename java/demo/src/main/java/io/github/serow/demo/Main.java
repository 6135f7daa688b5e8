package io.github.serow.demo;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * Connects to Python on the loopback interface and serves one contestant: {@code Main contestant
 * port}. The token in the environment shows Python that it is its own child that connected.
 */
public final class Main {
  private static final String TOKEN_VARIABLE = "SEROW_DEMO_TOKEN";

  /** Where Python listens, whatever the JVM would prefer as loopback address. */
  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private Main() {}

  /** Serves until Python hangs up. */
  public static void main(String[] arguments) throws Exception {
    String token = System.getenv(TOKEN_VARIABLE);
    if (arguments.length != 2 || token == null) {
      System.err.println("make demo starts this; usage: Main contestant port");
      System.exit(2);
    }
    int port = Integer.parseInt(arguments[1]);
    try (Socket socket = new Socket(InetAddress.getByAddress(LOOPBACK), port)) {
      socket.setTcpNoDelay(true);
      Framing framing = new Framing(socket.getInputStream(), socket.getOutputStream());
      framing.write(Kind.HELLO, token.getBytes(StandardCharsets.UTF_8));
      framing.flush();
      new Server(framing, Contestant.named(arguments[0])).serve();
    }
  }
}
