// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyFormats
internal import PasskeySystem

/// Writes output to a file, or to standard output for "-".
package enum OutputFile {
  /// Creates the folder if it is missing. Its parent must exist.
  package static func makeFolder(_ path: String) throws(CommandFailure) {
    do throws(SystemError) {
      _ = try SystemError.check { unsafe mkdir(path, 0o777) }
    } catch {
      if error == .alreadyExists { return }
      throw .inputOutput("cannot create the folder \(path.quotedForTerminal): \(error.message)")
    }
  }

  /// Checks that the folder of a file exists, for a command that writes the file much later.
  package static func demandFolder(of path: String) throws(CommandFailure) {
    guard path != "-" else { return }
    _ = try mapError(FileStatus(ofFileAt: FileReplacement.parentFolder(of: path))) { (error: SystemError) in
      CommandFailure.inputOutput("cannot write \(path.quotedForTerminal): \(error.message)")
    }
  }

  /// Checks that the path names a new file in an existing folder, for a command that replaces none. A pipe or a device is
  /// written to.
  package static func demandNew(_ path: String) throws(CommandFailure) {
    guard path != "-" else { return }
    switch (try? FileStatus(ofFileAt: path))?.kind {
    case .regular: throw .inputOutput("a file exists at \(path.quotedForTerminal)")
    case .folder: throw .inputOutput("a folder exists at \(path.quotedForTerminal)")
    case nil: try demandFolder(of: path)
    case _?: break
    }
  }

  /// Replaces the file atomically: writes a temporary file and renames it. Writes directly to anything other than a
  /// regular file, such as a pipe. A secret is not written into a pipe or a device that another user made.
  package static func write(_ bytes: [UInt8], to path: String, isSecret: Bool = false) throws(CommandFailure) {
    if path == "-" { return try Output.write(bytes) }
    do throws(SystemError) {
      // A missing file has no status.
      if let status = try? FileStatus(ofFileAt: path), status.kind != .regular {
        // Before it is opened, too: a pipe without a reader would keep the program waiting.
        if isSecret { try demandOwn(status) }
        let file = try OpenFile(path, .writing)
        if isSecret { try demandOwn(file.status) }
        try file.write(bytes)
      } else {
        try FileReplacement.replace(
          path, with: bytes, draft: "\(path).\(getpid()).new", mode: isSecret ? 0o600 : 0o666, durability: .atomic)
      }
    } catch {
      throw .inputOutput("cannot write \(path.quotedForTerminal): \(error.message)")
    }
  }

  /// The system's devices belong to root, terminals to who is at them.
  private static func demandOwn(_ status: FileStatus) throws(SystemError) {
    guard status.isOwn || status.owner == 0 else { throw .notPermitted }
  }
}
