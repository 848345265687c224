// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import WireFormats

/// Reads what a command is to look at: a file, or standard input for "-".
package enum InputFile {
  // 256 KiB  [several times the largest artifact, in whatever form; each byte can become a faulty line of the tree, and a
  //          tree of so many takes 400 MB]
  package static let maximumByteCount = 1 << 18

  package static func bytes(_ path: String, limit: Int = maximumByteCount) throws(CommandFailure) -> [UInt8] {
    let name = path == "-" ? "standard input" : path.quotedForTerminal
    let bytes: [UInt8]?
    do throws(SystemError) {
      bytes = path == "-" ? try FileDescriptor.standardInput.readToEnd(limit: limit) : try file(path, limit)
    } catch {
      throw .inputOutput("cannot read \(name): \(error.message.lowercased())", hint: hint(path))
    }
    guard let bytes else { throw .inputOutput("\(name) is larger than \(limit >> 10) KiB") }
    return bytes
  }

  private static func file(_ path: String, _ limit: Int) throws(SystemError) -> [UInt8]? {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError(number: errno) }
    defer { close(number) }
    return try FileDescriptor(number: number).readToEnd(limit: limit)
  }

  /// Arguments that are not UTF-8 come here with replacement characters in them, and no longer name what they did.
  /// Whoever pastes an artifact in place of a file's name is told how it is done.
  private static func hint(_ path: String) -> String? {
    if path.contains("\u{fffd}") { return "a name that is not UTF-8 is not understood: pipe the file in" }
    let looksLikeText = path.utf8.count > 40 && !path.contains("/") && !path.contains(".")
    return looksLikeText ? "to hand over text itself, pipe it in and name it -" : nil
  }
}
