// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Writes what a command makes into files.
enum OutputFile {
  /// Makes sure that the folder is there; those above it must be.
  static func makeFolder(_ path: String) throws(CommandFailure) {
    guard unsafe mkdir(path, 0o777) != 0, errno != EEXIST else { return }
    let error = SystemError(number: errno)
    throw .inputOutput("cannot make the folder \(path.quotedForTerminal): \(error.message.lowercased())")
  }

  /// Writes a file whole, in place of the one that is there.
  static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    do throws(SystemError) {
      // Whoever reads meanwhile sees the old file or the new one, and never half of it.
      let draft = path + ".new"
      try writeWhole(bytes, to: draft)
      guard unsafe rename(draft, path) == 0 else { throw SystemError(number: errno) }
    } catch {
      throw .inputOutput("cannot write \(path.quotedForTerminal): \(error.message.lowercased())")
    }
  }

  private static func writeWhole(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard number >= 0 else { throw SystemError(number: errno) }
    defer { close(number) }
    try FileDescriptor(number: number).write(bytes)
  }
}
