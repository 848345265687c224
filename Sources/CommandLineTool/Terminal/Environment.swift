// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The environment variables of the process.
package enum Environment {
  /// Returns the value of a variable; `nil` if it is missing or empty.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }
}

/// The folder for state that outlives the program and is not a user's document (XDG Base Directory Specification).
package enum StateFolder {
  /// Returns the program's folder in `$XDG_STATE_HOME` or `~/.local/state`; `nil` if neither is known.
  package static func path(of program: String) -> String? {
    // The specification says to ignore relative paths.
    if let state = Environment.value("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/\(program)" }
    return Environment.value("HOME").map { "\($0)/.local/state/\(program)" }
  }
}
