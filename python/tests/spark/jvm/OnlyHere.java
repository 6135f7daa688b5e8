import java.io.Serializable;

/** A row whose class the executors do not have. */
public record OnlyHere(int number) implements Serializable {}
