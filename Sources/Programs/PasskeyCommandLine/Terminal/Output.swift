// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
internal import PasskeySystem
internal import Synchronization

/// Standard output, for data only.
package enum Output {
  /// Whether anything was written.
  static var isBegun: Bool { hasWritten.load(ordering: .relaxed) }

  private static let hasWritten = Atomic(false)

  package static func write(_ text: String) throws(CommandFailure) {
    try write([UInt8](text.utf8))
  }

  package static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    hasWritten.store(true, ordering: .relaxed)
    try mapError(FileDescriptor.standardOutput.write(bytes)) { (error: SystemError) in
      CommandFailure.inputOutput("cannot write to standard output: \(error.message.lowercased())")
    }
  }
}

extension Output {
  /// Writes a JSON object as one line.
  package static func writeObject(_ body: (inout JSONObjectWriter) -> Void) throws(CommandFailure) {
    try write(JSON.writeObject(.compact, body) + [UInt8(ascii: "\n")])
  }
}

extension JSONFragment {
  /// Returns a time in RFC 3339 form; `null` if it is missing or cannot be expressed in this form.
  package static func time(_ time: UnixTime?) -> Self { .text(time.flatMap(\.rfc3339)) }

  /// Returns a string; `null` if it is missing.
  package static func text(_ text: String?) -> Self { text.map { .string($0) } ?? .null }
}

/// Standard error, for messages.
package struct Diagnostics: Sendable {
  /// The prefix of each line.
  private let program: String

  package init(program: String) {
    self.program = program
  }

  /// Writes a note. Ignores write errors, which cannot be reported.
  package func note(_ text: String) {
    write(["\(program): \(text)"])
  }

  /// Reports a failure with its hint.
  package func report(_ failure: CommandFailure) {
    // The user knows why the command ends.
    guard failure.exitCode != .interrupted else { return note(failure.message) }
    write(["\(program): error: \(failure.message)"] + (failure.hint.map { ["\(program): hint: \($0)"] } ?? []))
  }

  private func write(_ lines: [String]) {
    try? FileDescriptor.standardError.write([UInt8]((lines.joined(separator: "\n") + "\n").utf8))
  }
}

extension [UInt8] {
  /// The text with line breaks and tabs unchanged and other control characters escaped.
  package var shownOnTerminal: [UInt8] {
    let lines = split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { (line) in
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let cells = text.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      return cells.map { String(decoding: $0, as: UTF8.self).escapedForTerminal }.joined(separator: "\t")
    }
    return [UInt8](lines.joined(separator: "\n").utf8)
  }
}
