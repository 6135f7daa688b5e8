package io.github.serow.message;

import io.github.serow.SerowException;
import io.github.serow.Wire;
import io.github.serow.codec.Binding;
import io.github.serow.codec.DecodeContext;
import io.github.serow.codec.EncodeContext;
import io.github.serow.encode.Inference;
import io.github.serow.jni.NativeLibrary;
import java.nio.ByteBuffer;
import java.util.ArrayList;

/** Encodes and decodes messages: in native code if it is loaded, otherwise in Java. */
public final class Messages {
  private Messages() {}

  private static boolean isNative(Wire wire) {
    if (wire == Wire.FRAME) {
      NativeLibrary.require("the frame wire");
    }
    return NativeLibrary.isLoaded();
  }

  /**
   * Encodes rows to an array.
   *
   * @param rows the rows; rows that are not plain may be replaced
   * @param widening widens the schema for a row that does not fit; null if such a row is an error
   * @throws SerowException if the wire needs native code, which is not loaded
   */
  public static byte[] toBytes(Binding binding, Object[] rows, Wire wire, Inference widening) {
    return isNative(wire)
        ? EncodeContext.toBytes(binding, rows, wire, widening)
        : RowMessageWriter.toBytes(binding, rows, widening);
  }

  /**
   * Encodes rows to a buffer at its position. Returns the length of the message in bytes.
   *
   * @throws SerowException if the wire needs native code, which is not loaded
   */
  public static int toBuffer(Binding binding, Object[] rows, Wire wire, ByteBuffer buffer) {
    return isNative(wire)
        ? EncodeContext.toBuffer(binding, rows, wire, buffer)
        : RowMessageWriter.toBuffer(binding, rows, buffer);
  }

  /**
   * Decodes a message.
   *
   * @param expected the binding of the schema to convert the rows to, or null for the message's own
   */
  public static ArrayList<Object> read(byte[] message, Binding expected) {
    return NativeLibrary.isLoaded()
        ? DecodeContext.read(message, expected)
        : RowMessageReader.read(message, expected);
  }

  /** Decodes the message between position and limit of {@code message}, and moves its position. */
  public static ArrayList<Object> read(ByteBuffer message, Binding expected) {
    return NativeLibrary.isLoaded()
        ? DecodeContext.read(message, expected)
        : RowMessageReader.read(message, expected);
  }
}
