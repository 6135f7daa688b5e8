package io.github.serow.internal.stream;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Refuses a call while another one is running, which would otherwise mix up their rows. */
public final class ConfinementGuard {
  private final String what;
  private final AtomicBoolean isRunning = new AtomicBoolean();
  private boolean isClosed;

  /** {@code what} is in use, for the message. */
  public ConfinementGuard(String what) {
    this.what = what;
  }

  /** Begins a call, which {@link #end} must end. */
  public void begin() {
    beginAny();
    if (isClosed) {
      end();
      throw new IllegalStateException("this " + what + " is closed");
    }
  }

  /** What a call does. */
  public interface Call {
    void run() throws IOException;
  }

  /** Does a call. */
  public void run(Call call) throws IOException {
    begin();
    try {
      call.run();
    } finally {
      end();
    }
  }

  /** Does the call that closes, unless there was one. */
  public void runLast(Call call) throws IOException {
    beginAny();
    try {
      if (!isClosed) {
        isClosed = true;
        call.run();
      }
    } finally {
      end();
    }
  }

  private void beginAny() {
    if (!isRunning.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "another call of this "
              + what
              + " is running; let one thread at a time use it, and not from within its calls");
    }
  }

  /** Ends a call. */
  public void end() {
    isRunning.set(false);
  }
}
