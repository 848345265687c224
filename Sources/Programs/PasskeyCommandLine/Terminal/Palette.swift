// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import PasskeySystem

/// The colors of the output. Colors are used only on a terminal, and not if NO_COLOR is set.
package struct Palette {
  package let isColored: Bool

  package init(isColored: Bool) {
    self.isColored = isColored
  }

  package static func standard(for output: FileDescriptor) -> Self {
    Self(isColored: output.isTerminal && !isSet("NO_COLOR") && !isSet("TERM", to: "dumb"))
  }

  package func name(_ text: String) -> String { colored(text, "1") }
  package func quiet(_ text: String) -> String { colored(text, "2") }
  package func problem(_ text: String) -> String { colored(text, "31") }

  private func colored(_ text: String, _ code: String) -> String {
    isColored ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }

  private static func isSet(_ variable: String, to value: String? = nil) -> Bool {
    guard let pointer = unsafe getenv(variable) else { return false }
    let text = unsafe String(cString: pointer)
    return value.map { $0 == text } ?? !text.isEmpty
  }
}

/// The width of output lines.
package enum TerminalWidth {
  /// Returns COLUMNS or else the terminal's width; `nil` if the output is not a terminal.
  package static func columns(of output: FileDescriptor) -> Int? {
    if let text = unsafe getenv("COLUMNS"), let columns = unsafe Int(String(cString: text)), columns > 0 {
      return columns
    }
    guard output.isTerminal else { return nil }
    var size = winsize()
    guard unsafe ioctl(output.number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}
