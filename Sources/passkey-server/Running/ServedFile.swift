// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemIO
internal import WireFormats

/// A database's file that this server alone serves.
///
/// Ceremonies that have begun are in a server's memory, and another server of the same file would know nothing of them. So
/// whoever serves it has a lock of the system's on the file itself: it is the same under each of the file's names, leaves
/// nothing behind, and goes with the process, however that ends. SQLite's own locks are of another kind (fcntl(2), and not
/// flock(2)), so the console and a backup go on beside it.
struct ServedFile: Sendable {
  let path: String

  /// Which of the system's files it is. It is open for as long as the process lives: closing it would end SQLite's own locks
  /// on it, as fcntl(2) has it.
  private let identity: stat

  /// Takes the file, or makes it, before SQLite opens it.
  static func take(_ path: String) throws(CommandFailure) -> ServedFile {
    let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard number >= 0 else {
      throw .inputOutput(
        "cannot open \(path.quotedForTerminal): \(SystemError(number: errno).message.lowercased())",
        hint: "see that the folder is there, who owns it and the file, and whether there is room")
    }
    var identity = stat()
    if flock(number, LOCK_EX | LOCK_NB) == 0, unsafe fstat(number, &identity) == 0 {
      return ServedFile(path: path, identity: identity)
    }
    let reason = errno
    close(number)
    guard reason == EWOULDBLOCK else {
      throw .inputOutput("cannot lock \(path.quotedForTerminal): \(SystemError(number: reason).message.lowercased())")
    }
    throw .inputOutput(
      "another server serves \(path.quotedForTerminal)",
      hint: "several servers share a PostgreSQL database: \(Setting.database.option) postgres://USER@HOST/NAME")
  }

  /// Whether its name is still this file's. What is written into a file without a name is gone when the process ends.
  var isInPlace: Bool {
    var named = stat()
    guard unsafe stat(path, &named) == 0 else { return false }
    return named.st_dev == identity.st_dev && named.st_ino == identity.st_ino
  }
}
