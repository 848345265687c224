// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyFormats

/// The permissions of a SQLite database's files: the database, its write-ahead log and its shared-memory index.
///
/// `passkey-server` creates them with mode 0600. A copy, a restored backup or another umask may have left other modes.
struct DatabaseFiles {
  let path: String

  /// Returns a warning for each file that group or others can read.
  ///
  /// - Throws: if group or others can write to a file, since that lets them make themselves administrators.
  func warnings() throws(CommandFailure) -> [String] {
    var warnings: [String] = []
    for file in [path, "\(path)-wal", "\(path)-shm"] {
      var status = stat()
      guard unsafe stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      let hint = "chmod 600 \(file.escapedForTerminal)"
      if status.st_mode & 0o022 != 0 {
        throw .inputOutput("\(file.quotedForTerminal) can be written by other users", hint: hint)
      }
      if status.st_mode & 0o044 != 0 {
        warnings.append("\(file.quotedForTerminal) can be read by other users: \(hint)")
      }
    }
    return warnings
  }
}
