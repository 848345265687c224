// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// Text as HTML.
enum HTML {
  /// Returns text for an element, with characters escaped that a browser would hide or reorder.
  static func visible(_ text: String) -> String { text.escapedForTerminal.escapedForHTML }
}
