// SPDX-License-Identifier: Apache-2.0

/// What somebody at a terminal pressed, as far as a line is edited with it.
package enum Key: Equatable, Sendable {
  case text(Character)
  case enter, tab, backspace, delete
  case left, right, wordLeft, wordRight, start, end
  case up, down
  case eraseToStart, eraseToEnd, eraseWord
  case clearScreen
  /// Ctrl-C.
  case interrupt
  /// Ctrl-D.
  case endOfInput
}
