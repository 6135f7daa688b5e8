package io.github.serow.demo;

/** Connects to Python and serves one contestant: {@code Main contestant port}. */
public final class Main {
  private Main() {}

  /** Serves until Python disconnects. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2) {
      System.err.println("make demo starts this; usage: Main contestant port");
      System.exit(2);
    }
    try (Framing framing = Framing.connect(Integer.parseInt(arguments[1]))) {
      new Server(framing, Contestant.named(arguments[0])).serve();
    }
  }
}
