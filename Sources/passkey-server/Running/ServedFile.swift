// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import Glibc
internal import SystemIO
internal import WireFormats

/// A database file that only this server serves.
///
/// Pending ceremonies are in a server's memory, and a second server of the same file would not know them. A server
/// therefore holds a flock(2) lock on the file itself. The lock covers all names of the file, leaves no lock file
/// behind, and is released when the process ends. SQLite's own locks use fcntl(2), so the console and backups can use
/// the database at the same time.
struct ServedFile: Sendable {
  let path: String

  /// The device and inode of the file. Its descriptor stays open until the process ends: closing it would release
  /// SQLite's fcntl(2) locks on the file.
  private let identity: stat

  /// Opens or creates the file and locks it, before SQLite opens it.
  static func lock(_ path: String) throws(CommandFailure) -> ServedFile {
    let number = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard number >= 0 else {
      throw .inputOutput(
        "cannot open \(path.quotedForTerminal): \(SystemError(number: errno).message.lowercased())",
        hint: "check that the folder exists, that you own the file, and that the disk is not full")
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
      "another server uses \(path.quotedForTerminal)",
      hint: "to run several servers, use PostgreSQL: \(Setting.database.option) postgres://USER@HOST/NAME")
  }

  /// Whether the path still names this file. Data written to an unlinked file are lost when the process ends.
  var isInPlace: Bool {
    var named = stat()
    guard unsafe stat(path, &named) == 0 else { return false }
    return named.st_dev == identity.st_dev && named.st_ino == identity.st_ino
  }
}
