// SPDX-License-Identifier: Apache-2.0

internal import PasskeySystem

/// Paths for files that outlive the working folder of a command.
enum AbsolutePath {
  /// Returns the path from the root. The file need not exist.
  static func of(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(Folder.absolutePath(".") ?? "")/\(path)"
  }
}
