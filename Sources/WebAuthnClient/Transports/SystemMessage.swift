// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Error messages of the operating system.
enum SystemMessage {
  static var last: String { of(errno) }

  static func of(_ number: Int32) -> String { unsafe String(cString: strerror(number)).lowercased() }
}
