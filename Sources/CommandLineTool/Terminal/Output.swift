// SPDX-License-Identifier: Apache-2.0

internal import SystemIO

/// Standard output, for data only.
package enum Output {
  package static func write(_ text: String) throws(CommandFailure) {
    try write([UInt8](text.utf8))
  }

  package static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do throws(SystemError) {
      try FileDescriptor.standardOutput.write(bytes)
    } catch {
      throw .inputOutput("cannot write to standard output: \(error.message.lowercased())")
    }
  }
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
    write(["\(program): error: \(failure.message)"] + (failure.hint.map { ["\(program): hint: \($0)"] } ?? []))
  }

  private func write(_ lines: [String]) {
    try? FileDescriptor.standardError.write([UInt8]((lines.joined(separator: "\n") + "\n").utf8))
  }
}
