// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A folder for some files. Releasing it deletes these files and the folder.
package final class TemporaryFiles: Sendable {
  /// The path of the folder.
  package let folder: String

  private let names: [String]

  /// Creates a folder for files with these names in the system's folder for temporary files; nil if that fails.
  package init?(_ names: [String]) {
    guard let made = Self.makeFolder() else { return nil }
    folder = made
    self.names = names
  }

  /// Creates a folder in the system's folder for temporary files, and returns its path; nil if that fails.
  package static func makeFolder() -> String? {
    let variable = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }
    let parent = variable.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = [CChar]("\(parent)/passkey.XXXXXX".utf8CString)
    return unsafe template.withUnsafeMutableBufferPointer { (template) -> String? in
      guard let start = template.baseAddress, let name = unsafe mkdtemp(start) else { return nil }
      return unsafe String(cString: name)
    }
  }

  deinit { delete() }

  /// Deletes the files and the folder now.
  package func delete() {
    for name in names { unsafe unlink("\(folder)/\(name)") }
    unsafe rmdir(folder)
  }
}
