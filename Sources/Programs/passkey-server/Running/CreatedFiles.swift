// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyFormats

/// The files that a server creates because they do not exist before its start.
struct CreatedFiles {
  private let paths: [(path: String, companions: [String])]

  /// Looks which files are missing.
  init(_ configuration: ServerConfiguration) {
    var paths: [(path: String, companions: [String])] = []
    if case .file(let path) = configuration.database { paths.append((path, ["-wal", "-shm"])) }
    paths.append((configuration.secretPath, [".audit-checkpoint"]))
    if configuration.accessLog != "-" { paths.append((configuration.accessLog, [])) }
    if case .file(let path) = configuration.auditLog { paths.append((path, [])) }
    self.paths = paths.filter { (file) in unsafe access(file.path, F_OK) != 0 }
  }

  /// A line that names the files and their folder; nil if all exist already.
  var note: String? {
    guard !paths.isEmpty else { return nil }
    let names = paths.map { (file) in
      let companions = file.companions.map { "…\($0)" }.joined(separator: ", ")
      return file.path.escapedForTerminal + (companions.isEmpty ? "" : " (\(companions))")
    }
    let isRelative = paths.contains { (file) in !file.path.hasPrefix("/") }
    let place = isRelative ? Self.currentFolder.map { " in \($0.escapedForTerminal)" } ?? "" : ""
    return "created \(names.joined(separator: ", "))\(place)"
  }

  private static var currentFolder: String? {
    guard let path = unsafe getcwd(nil, 0) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}
