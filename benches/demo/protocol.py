"""The kinds of message between Python and the JVM. `Kind.java` has the same numbers.

    Python                          JVM
                              <──   HELLO token                      once, after it connected
    MESSAGES n, DATA n times  ──>
                              <──   RECEIVED bytes                   so the transfer is over
    DECODE                    ──>
                              <──   DECODED ns, rows, digest
    ENCODE                    ──>
                              <──   ENCODED ns, bytes
    SEND                      ──>
                              <──   MESSAGES n, DATA n times
    WARM_UP rounds            ──>                                    decode and encode, untimed
                              <──   WARMED_UP
    READ_STREAM path          ──>
                              <──   DECODED ns, rows, digest
    WRITE_STREAM compression, ──>                                    the rows that were read last
      a space, path           <──   ENCODED ns, bytes
    ABOUT                     ──>
                              <──   ABOUT lines of "key=value"

`make bench` uses these two instead, with text as payloads, besides MESSAGES and DATA:

    ASK words                 ──>
                              <──   TOLD lines of "key=value"

Instead of any answer the JVM may send FAILED with a text. Python ends the talk by closing the
connection, and the JVM exits when it sees that.
"""

from enum import IntEnum


class Kind(IntEnum):
    """The first byte of a message."""

    HELLO = 1
    MESSAGES = 2
    DATA = 3
    RECEIVED = 4
    DECODE = 5
    DECODED = 6
    ENCODE = 7
    ENCODED = 8
    SEND = 9
    WARM_UP = 10
    WARMED_UP = 11
    ABOUT = 12
    FAILED = 13
    ASK = 14
    TOLD = 15
    READ_STREAM = 16
    WRITE_STREAM = 17
