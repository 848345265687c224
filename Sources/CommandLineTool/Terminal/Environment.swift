// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What the process was started with.
package enum Environment {
  /// A variable's value; nil where it is missing or empty, which is how a shell takes one away.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}

/// Where a program keeps what outlives it and is nobody's document (the XDG Base Directory specification).
package enum StateFolder {
  /// The program's folder in `$XDG_STATE_HOME`, or in `~/.local/state`; nil where neither is known.
  package static func path(of program: String) -> String? {
    // A path that is not absolute is to be passed over.
    if let state = Environment.value("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/\(program)" }
    return Environment.value("HOME").map { "\($0)/.local/state/\(program)" }
  }
}
