// SPDX-License-Identifier: Apache-2.0

/// The reason for which a check cannot judge the server. The engine turns it into ``Verdict/cannotTell(_:)``.
package struct CannotTell: Error, Hashable, CustomStringConvertible {
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }

  package var description: String { reason }
}
