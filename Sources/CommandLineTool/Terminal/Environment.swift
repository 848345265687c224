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
