// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
package import PasskeySystem

/// Reads an input file, or standard input for "-".
package enum InputFile {
  // 256 KiB [several times the largest artifact in any form; a tree with one faulty line for each byte takes 400 MB]
  package static let maximumByteCount = 1 << 18

  package static func bytes(_ path: String, limit: Int = maximumByteCount) throws(CommandFailure) -> [UInt8] {
    let name = name(path)
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes =
        path == "-"
        ? try FileDescriptor.standardInput.readToEnd(limit: limit)
        : try OpenFile(path, .reading).readToEnd(limit: limit)
    } catch {
      throw .inputOutput("cannot read \(name): \(error.message.lowercased())", hint: hint(path))
    }
    guard let bytes else { throw tooLarge(name, limit) }
    return bytes
  }

  /// Reads a regular file that belongs to a program, and its status. Anything else is refused, because a pipe would keep the
  /// program waiting.
  package static func ofProgram(
    _ path: String, limit: Int = maximumByteCount
  ) throws(CommandFailure) -> (bytes: [UInt8], status: FileStatus) {
    let name = name(path)
    let bytes: [UInt8]?
    let status: FileStatus
    do throws(SystemError) {
      let file = try OpenFile(path, [.reading, .notBlocking])
      status = try file.status
      bytes = status.kind == .regular ? try file.readToEnd(limit: limit) : []
    } catch {
      throw .inputOutput("cannot read \(name): \(error.message)")
    }
    guard status.kind == .regular else { throw .inputOutput("\(name) is not a regular file") }
    guard let bytes else { throw tooLarge(name, limit) }
    return (bytes, status)
  }

  private static func tooLarge(_ name: String, _ limit: Int) -> CommandFailure {
    .inputOutput("\(name) is larger than \(limit < 1 << 20 ? "\(limit >> 10) KiB" : "\(limit >> 20) MiB")")
  }

  /// Returns the name of a file for messages.
  package static func name(_ path: String) -> String {
    path == "-" ? "standard input" : path.quotedForTerminal
  }

  /// Arguments that are not UTF-8 contain replacement characters and no longer name the file. An argument that looks
  /// like an artifact gets a hint to pipe it in.
  private static func hint(_ path: String) -> String? {
    if path.contains("\u{fffd}") { return "file names must be UTF-8: pipe the file in instead" }
    let looksLikeText = path.utf8.count > 40 && !path.contains("/") && !path.contains(".")
    return looksLikeText ? "to pass text directly, pipe it in and use - as the name" : nil
  }
}
