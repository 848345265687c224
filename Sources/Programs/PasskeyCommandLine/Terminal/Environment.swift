// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import PasskeyFormats

/// The environment variables of the process.
package enum Environment {
  /// Returns the value of a variable; `nil` if it is missing or empty.
  package static func value(_ name: String) -> String? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    return unsafe String(cString: value)
  }

  /// The user's home folder; `nil` if HOME is missing or relative.
  package static var home: String? { value("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } }

  /// Why there is no ``home``, for a message.
  package static var homeFault: String {
    value("HOME") == nil ? "HOME is not set" : "HOME is not an absolute path"
  }

  /// All variables with their values.
  package static var all: [String: String] {
    var variables: [String: String] = [:]
    var position = unsafe environ
    while let entry = unsafe position.pointee {
      let parts = unsafe String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      unsafe position = position.advanced(by: 1)
    }
    return variables
  }
}

/// The folder for state that outlives the program and is not a user's document (XDG Base Directory Specification).
package enum StateFolder {
  /// Returns the program's folder in `$XDG_STATE_HOME` or `~/.local/state`; `nil` if neither is known.
  package static func path(of program: String) -> String? {
    // The specification says to ignore relative paths.
    if let state = Environment.value("XDG_STATE_HOME"), state.hasPrefix("/") { return "\(state)/\(program)" }
    return Environment.home.map { "\($0)/.local/state/\(program)" }
  }
}

/// The system clock. Only the programs read it; libraries take the time as a parameter.
package enum Clock {
  package static var now: UnixTime { UnixTime(secondsSince1970: Int64(time(nil))) }
}

/// The time zone of the user.
package enum LocalTime {
  /// The current offset from UTC in seconds.
  package static var secondsFromUTC: Int {
    var now = time(nil)
    var parts = unsafe tm()
    guard unsafe localtime_r(&now, &parts) != nil else { return 0 }
    return unsafe parts.tm_gmtoff
  }
}
