// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// How many columns a line may have.
package enum TerminalWidth {
  /// What COLUMNS says, else the terminal; nil where output is none, which takes lines of any length.
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
