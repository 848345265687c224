// SPDX-License-Identifier: Apache-2.0

/// Where a program keeps what outlives it and is nobody's document (the XDG Base Directory specification).
package enum StateFolder {
  /// The program's folder in `$XDG_STATE_HOME`, or in `~/.local/state`; nil where neither is known.
  package static func path(of program: String) -> String? {
    // A path that is not absolute is to be passed over.
    if let state = Environment.value("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/\(program)" }
    return Environment.value("HOME").map { "\($0)/.local/state/\(program)" }
  }
}
