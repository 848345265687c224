// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import PasskeyCrypto
package import PasskeySystem

/// The controlling terminal, independent of redirected standard input and output.
///
/// Its methods block the calling thread. Threads may share a terminal, but only one of them may ask at a time.
package final class Terminal: Sendable {
  private let file: OpenFile

  /// Opens the controlling terminal; `nil` if the process has no terminal.
  package init?() {
    guard let file = try? OpenFile("/dev/tty", .readingAndWriting) else { return nil }
    self.file = file
  }

  /// Asks for a line without echo; `nil` at the end of the input, or once `cancellation` is ready for reading. Restores
  /// the echo in any case.
  ///
  /// - Throws: ``CommandFailure/interrupted`` on Ctrl-C.
  package func askSecretly(
    _ prompt: String, cancelledBy cancellation: FileDescriptor? = nil
  ) throws(CommandFailure) -> SecretBytes? {
    let descriptor = file.descriptor.number
    var before = termios()
    guard unsafe tcgetattr(descriptor, &before) == 0 else { return nil }
    let hasBegun = Interruption.beginUnlessActive()
    defer { if hasBegun { Interruption.end() } }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
    // Ctrl-C ends the line (VEOL), so that the read returns immediately.
    silent.c_cc.11 = Self.interrupt
    unsafe tcsetattr(descriptor, TCSAFLUSH, &silent)
    defer {
      unsafe tcsetattr(descriptor, TCSAFLUSH, &before)
      write("\n")
    }
    write(prompt)
    guard case .line(let line) = try readLine(cancelledBy: cancellation) else { return nil }
    return line
  }

  /// Asks a question; `nil` at the end of the input, or once `cancellation` is ready for reading.
  ///
  /// - Throws: ``CommandFailure/interrupted`` on Ctrl-C, unless the process ignores it.
  package func ask(
    _ prompt: String, cancelledBy cancellation: FileDescriptor? = nil
  ) throws(CommandFailure) -> String? {
    let hasBegun = Interruption.beginUnlessActive()
    defer { if hasBegun { Interruption.end() } }
    write(prompt)
    guard case .line(let line) = try readLine(cancelledBy: cancellation) else {
      write("\n")
      return nil
    }
    return Self.text(line)
  }

  /// Asks a yes-or-no question until the answer is one of the two. An empty line, and the end of the input, mean no.
  ///
  /// - Throws: ``CommandFailure/interrupted`` on Ctrl-C, unless the process ignores it.
  package func confirm(_ question: String) throws(CommandFailure) -> Bool {
    let hasBegun = Interruption.beginUnlessActive()
    defer { if hasBegun { Interruption.end() } }
    return try confirm(question, until: nil, cancelledBy: nil) == .yes
  }

  /// The answer to a yes-or-no question, or the reason why the user gave no answer.
  package enum Answer: Sendable {
    case yes, no, timedOut, cancelled
  }

  /// Asks a yes-or-no question as ``confirm(_:)`` does, at most until `deadline`, and until `cancellation` is ready for
  /// reading.
  ///
  /// - Throws: ``CommandFailure/interrupted`` on Ctrl-C, if ``Interruption`` counts it.
  package func confirm(
    _ question: String, until deadline: ContinuousClock.Instant?, cancelledBy cancellation: FileDescriptor?
  ) throws(CommandFailure) -> Answer {
    while true {
      write("\(question) [y/N] ")
      switch try readLine(until: deadline, cancelledBy: cancellation) {
      case .line(let line):
        switch Self.text(line).lowercased() {
        case "y", "yes": return .yes
        case "n", "no", "": return .no
        default: write("Answer y or n.\n")
        }
      case .end:
        write("\n")
        return .no
      case .timedOut: return .timedOut
      case .cancelled: return .cancelled
      }
    }
  }

  /// Discards what was typed before, so that it answers no later question.
  package func discardInput() {
    tcflush(file.descriptor.number, TCIFLUSH)
  }

  package func write(_ text: String) {
    try? file.write([UInt8](text.utf8))
  }

  private static func text(_ line: SecretBytes) -> String {
    line.withBytes { (bytes) in String(decoding: bytes, as: UTF8.self) }
  }

  // MARK: Reading

  private enum Input {
    case line(SecretBytes)
    case end, timedOut, cancelled
  }

  /// Ctrl-C, which does not send a signal while a secret is typed.
  private static let interrupt: UInt8 = 3

  // 1,024 bytes [longer than any answer, and shorter than the line buffer of a terminal]
  private static let maximumByteCount = 1024

  private func readLine(
    until deadline: ContinuousClock.Instant? = nil, cancelledBy cancellation: FileDescriptor? = nil
  ) throws(CommandFailure) -> Input {
    var line: [UInt8] = []
    defer { line.wipe() }
    line.reserveCapacity(Self.maximumByteCount)
    while line.count < Self.maximumByteCount {
      let ready = FileDescriptor.wait(
        for: [Interruption.descriptor, cancellation ?? Self.never, file.descriptor].map { ($0, .reading) },
        until: deadline)
      guard !ready[0] else { throw .interrupted }
      guard !ready[1] else { return .cancelled }
      guard ready[2] else { return .timedOut }
      // One byte at a time, because what follows the line answers the next question.
      var bytes = (try? file.descriptor.read(upTo: 1)) ?? []
      defer { bytes.wipe() }
      guard let byte = bytes.first else { return .end }
      guard byte != Self.interrupt else { throw .interrupted }
      if byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    return .line(SecretBytes(line))
  }

  private static let never = FileDescriptor(number: -1)
}
