// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Commands of a shell.
enum ShellCommand {
  /// A command could not be started, or reported a failure.
  struct Failed: Error {
    let command: String
    let status: CInt
  }

  /// Runs a command and returns its output without the last line feed.
  @discardableResult
  static func output(_ command: String) throws -> String {
    fflush(nil)
    guard let pipe = unsafe popen(command, "re") else { throw Failed(command: command, status: errno) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, pipe)
      guard count > 0 else { break }
      bytes += chunk.prefix(count)
    }
    let status = unsafe pclose(pipe)
    guard status == 0 else { throw Failed(command: command, status: status) }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a word that the shell takes literally.
  static func quoted(_ word: String) -> String { "'\(word.replacing("'", with: "'\\''"))'" }
}
