package io.github.serow.bench;

import io.github.serow.demo.Framing;

/** Connects to Python and measures one entrant: {@code Main entrant port}. */
public final class Main {
  private Main() {}

  /** Serves until Python hangs up. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2) {
      System.err.println("make bench starts this; usage: Main entrant port");
      System.exit(2);
    }
    try (Framing framing = Framing.connect(Integer.parseInt(arguments[1]))) {
      new BenchServer(framing, Entrant.named(arguments[0])).serve();
    }
  }
}
