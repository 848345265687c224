// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import SystemCrypto
internal import SystemIO

/// The controlling terminal, independent of redirected standard input and output.
package final class Terminal {
  private let descriptor: Int32

  /// Opens the controlling terminal; `nil` if the process has no terminal.
  package init?() {
    descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Asks for a line without echo; `nil` at the end of the input. Restores the echo in any case.
  ///
  /// - Throws: ``CommandFailure/interrupted`` on Ctrl-C.
  package func askSecretly(_ prompt: String) throws(CommandFailure) -> SecretBytes? {
    var before = termios()
    guard unsafe tcgetattr(descriptor, &before) == 0 else { return nil }
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
    return try readLine()
  }

  /// Asks a question; `nil` at the end of the input.
  ///
  /// - Throws: ``CommandFailure/interrupted`` on Ctrl-C, if ``Interruption`` counts it.
  package func ask(_ prompt: String) throws(CommandFailure) -> String? {
    write(prompt)
    return try readLine().map { (line) in line.withBytes { (bytes) in String(decoding: bytes, as: UTF8.self) } }
  }

  /// Asks a yes-or-no question until the answer is one of the two. An empty line, and the end of the input, mean no.
  ///
  /// - Throws: ``CommandFailure/interrupted`` on Ctrl-C, if ``Interruption`` counts it.
  package func confirm(_ question: String) throws(CommandFailure) -> Bool {
    while true {
      let answer = try ask("\(question) [y/N] ") ?? ""
      if let isYes = Self.isYes(answer) { return isYes }
      write(Self.unclearAnswer)
    }
  }

  /// Whether the answer to a yes-or-no question is yes; `nil` if it is neither. An empty answer means no.
  package static func isYes(_ answer: String) -> Bool? {
    switch answer.lowercased() {
    case "y", "yes": true
    case "n", "no", "": false
    default: nil
    }
  }

  /// The line that follows an answer that is neither yes nor no.
  package static let unclearAnswer = "Answer y or n.\n"

  /// Waits for input; returns false after this many milliseconds without input.
  package func isReady(within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waiting, 1, milliseconds) > 0
  }

  package func write(_ text: String) {
    try? FileDescriptor(number: descriptor).write([UInt8](text.utf8))
  }

  /// Ctrl-C, which does not send a signal while a secret is typed.
  private static let interrupt: UInt8 = 3

  /// Waits for input; returns false if Ctrl-C comes first.
  private func waitsForInput() -> Bool {
    var waiting = [
      pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
    ]
    while unsafe poll(&waiting, 2, -1) < 0, errno == EINTR {}
    return waiting[0].revents == 0
  }

  private func readLine() throws(CommandFailure) -> SecretBytes? {
    var line: [UInt8] = []
    defer { line.wipe() }
    line.reserveCapacity(1024)
    while line.count < 1024 {
      guard waitsForInput() else { throw .interrupted }
      var byte: UInt8 = 0
      let count = unsafe read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return nil }
      guard byte != Self.interrupt else { throw .interrupted }
      if byte == UInt8(ascii: "\n") { break }
      line.append(byte)
    }
    return SecretBytes(line[...])
  }
}
