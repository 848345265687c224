// SPDX-License-Identifier: Apache-2.0

/// Standard output: data, and nothing but data.
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

/// Standard error: what people are told besides the data.
package struct Diagnostics: Sendable {
  /// What stands in front of each line.
  private let program: String

  package init(program: String) {
    self.program = program
  }

  /// A line that is good to know. When it cannot be written, there is nobody left to tell.
  package func note(_ text: String) {
    write(["\(program): \(text)"])
  }

  /// Why the program ends early, and what to do about it.
  package func report(_ failure: CommandFailure) {
    write(["\(program): error: \(failure.message)"] + (failure.hint.map { ["\(program): hint: \($0)"] } ?? []))
  }

  private func write(_ lines: [String]) {
    try? FileDescriptor.standardError.write([UInt8]((lines.joined(separator: "\n") + "\n").utf8))
  }
}
