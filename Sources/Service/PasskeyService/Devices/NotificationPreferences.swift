// SPDX-License-Identifier: Apache-2.0

// Limits
//   64 names [a settings page of an application]
//   64 bytes each [an identifier, not prose]

/// The notifications that a person wants, by name. The set of names is open: applications define their own.
package struct NotificationPreferences: Hashable, Sendable {
  /// The choices by name.
  package let choices: [String: Bool]

  static let maximumCount = 64
  static let maximumByteCount = 64

  /// The preferences of an account whose owner has made no choice.
  package static let none = Self(accepted: [:])

  /// Creates preferences.
  ///
  /// - Throws: `account.preferences-invalid` if there are too many, or if a name is empty, too long, or has other
  ///   characters than printable ASCII.
  package init(_ choices: [String: Bool]) throws(ServiceError) {
    guard choices.count <= Self.maximumCount, choices.keys.allSatisfy(Self.isName) else {
      throw ServiceError(.preferencesInvalid, "at most 64 names of at most 64 printable ASCII characters")
    }
    self.choices = choices
  }

  private init(accepted choices: [String: Bool]) {
    self.choices = choices
  }

  /// Returns the choice for a name, or the default without a choice.
  package func allows(_ name: String, default choice: Bool = true) -> Bool { choices[name] ?? choice }

  /// Returns these preferences with the choices of others added, which replace those of the same name.
  ///
  /// - Throws: `account.preferences-invalid` if there are too many.
  package func merging(_ others: NotificationPreferences) throws(ServiceError) -> NotificationPreferences {
    try NotificationPreferences(choices.merging(others.choices) { _, new in new })
  }

  private static func isName(_ name: String) -> Bool {
    1...maximumByteCount ~= name.utf8.count && name.utf8.allSatisfy { 0x21...0x7e ~= $0 }
  }
}
