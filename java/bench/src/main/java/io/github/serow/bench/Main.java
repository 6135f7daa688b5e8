package io.github.serow.bench;

import io.github.serow.demo.Framing;

/** Connects to Python and measures one entrant: {@code Main workload entrant port}. */
public final class Main {
  private Main() {}

  /** Serves until Python disconnects. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 3) {
      System.err.println("make bench starts this; usage: Main workload entrant port");
      System.exit(2);
    }
    Workload workload = Workload.named(arguments[0]);
    try (Framing framing = Framing.connect(Integer.parseInt(arguments[2]))) {
      new BenchServer(framing, workload, Entrant.named(arguments[1], workload)).serve();
    }
  }
}
