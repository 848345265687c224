// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A folder for one database file. Releasing it deletes the file, SQLite's files beside it and the folder.
final class TemporaryDatabaseFolder: Sendable {
  /// The path of the database file.
  let file: String

  private let path: String

  /// Creates a folder in the system's folder for temporary files; nil if that fails.
  init?() {
    let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = [CChar]("\(parent)/passkey-store.XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { (template) -> String? in
      guard let start = template.baseAddress, let name = unsafe mkdtemp(start) else { return nil }
      return unsafe String(cString: name)
    }
    guard let made else { return nil }
    path = made
    file = "\(made)/passkey.sqlite"
  }

  deinit {
    for suffix in ["", "-wal", "-shm"] { unsafe unlink(file + suffix) }
    unsafe rmdir(path)
  }
}
