// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import SystemIO
internal import WireFormats

/// Writes output to a file, or to standard output for "-".
package enum OutputFile {
  /// Creates the folder if it is missing. Its parent must exist.
  package static func makeFolder(_ path: String) throws(CommandFailure) {
    guard unsafe mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    let error = SystemError(number: errno)
    throw .inputOutput("cannot create the folder \(path.quotedForTerminal): \(error.message.lowercased())")
  }

  /// Replaces the file atomically: writes a temporary file and renames it. Writes directly to anything other than a
  /// regular file, such as a pipe.
  package static func write(_ bytes: [UInt8], to path: String, isSecret: Bool = false) throws(CommandFailure) {
    if path == "-" { return try Output.write(bytes) }
    let mode: mode_t = isSecret ? 0o600 : 0o666
    do throws(SystemError) {
      if isOrdinary(path) {
        let draft = "\(path).\(getpid()).new"
        do throws(SystemError) {
          try write(bytes, to: draft, O_CREAT | O_EXCL, mode)
          guard unsafe rename(draft, path) == 0 else { throw SystemError(number: errno) }
        } catch {
          _ = unsafe unlink(draft)
          throw error
        }
      } else {
        try write(bytes, to: path, 0, mode)
      }
    } catch {
      throw .inputOutput("cannot write \(path.quotedForTerminal): \(error.message.lowercased())")
    }
  }

  /// Whether the path is a regular file or does not exist.
  private static func isOrdinary(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return true }
    return status.st_mode & S_IFMT == S_IFREG
  }

  private static func write(_ bytes: [UInt8], to path: String, _ flags: Int32, _ mode: mode_t) throws(SystemError) {
    let number = unsafe open(path, O_WRONLY | O_CLOEXEC | flags, mode)
    guard number >= 0 else { throw SystemError(number: errno) }
    defer { close(number) }
    try FileDescriptor(number: number).write(bytes)
  }
}
