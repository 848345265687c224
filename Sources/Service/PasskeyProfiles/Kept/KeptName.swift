// SPDX-License-Identifier: Apache-2.0

/// The name of a value that a client keeps: `$ceremony.NAME` or `$value.NAME`.
package struct KeptName: Hashable, Sendable {
  /// The origin of a value.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A member of the response that begins a ceremony, which the client sends back.
    case ceremony
    /// A value of ``ServiceProfile/values``, which the client computes.
    case value
  }

  /// The origin of the value.
  package let kind: Kind

  /// The name that the profile chose.
  package let name: String

  /// Creates a name.
  package init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }

  /// Parses a text such as `$ceremony.flow`. Returns nil for other variables and for names that are not made of letters,
  /// digits, `_` and `-`.
  init?(_ text: some StringProtocol) {
    for kind in Kind.allCases where text.hasPrefix("$\(kind.rawValue).") {
      let name = String(text.dropFirst(kind.rawValue.count + 2))
      guard ProfileRoute.isToken(name), !name.contains(".") else { return nil }
      self.init(kind, name)
      return
    }
    return nil
  }
}

extension KeptName: CustomStringConvertible {
  /// The name as a profile writes it.
  package var description: String { "$\(kind.rawValue).\(name)" }
}

/// The values that a client keeps.
package typealias KeptValues = [KeptName: ShapeValue]
