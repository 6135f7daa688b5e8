/**
 * Encodes Java objects as rows of bytes and back; see {@link io.github.serow.Codec} for objects of
 * your classes, and {@link io.github.serow.Serow} for rows without a class.
 */
package io.github.serow;
