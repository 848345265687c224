// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The standard streams of the process.
enum StandardStreams {
  /// Opens `/dev/null` in the place of closed standard streams, so that no file of the program takes their number.
  ///
  /// Standard input is opened for writing and standard output for reading. Using them fails, as it does on a closed
  /// stream. Messages on a closed standard error are lost.
  static func reserve() {
    for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR)]
    where fcntl(number, F_GETFD) < 0 {
      // Takes the lowest free number, which is this one.
      _ = unsafe open("/dev/null", mode)
    }
  }
}
