// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A file that somebody else writes, and that is brought to the disk here.
final class DurableFile: Sendable {
  private let descriptor: Int32

  /// Nil where the file cannot be opened.
  init?(_ path: String) {
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Waits until the disk has everything that was written so far; false where it does not take it.
  func synchronize() -> Bool {
    while fdatasync(descriptor) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }
}
