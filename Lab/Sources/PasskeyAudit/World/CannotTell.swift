// SPDX-License-Identifier: Apache-2.0

/// The reason for which a check cannot judge the server. The engine turns it into ``Verdict/cannotTell(_:)``.
package struct CannotTell: Error, Hashable, CustomStringConvertible {
  package let reason: String

  /// The seconds to wait until the check can judge; nil if waiting does not help.
  package let neededPatience: Int64?

  package init(_ reason: String, neededPatience: Int64? = nil) {
    self.reason = reason
    self.neededPatience = neededPatience
  }

  package var description: String { reason }
}
