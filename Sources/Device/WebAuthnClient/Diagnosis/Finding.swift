// SPDX-License-Identifier: Apache-2.0

/// A single result of a diagnosis.
package struct Finding: Sendable {
  /// The raw values are printed.
  package enum Verdict: String, Sendable { case ok, warning, fault }

  /// The setting of the client that the hint is about.
  package enum Setting: Sendable { case profile, origin }

  package let verdict: Verdict
  package let subject: String
  package let message: String
  /// The suggested fix.
  package var hint: String?
  package var setting: Setting?

  package static func ok(_ subject: String, _ message: String) -> Self {
    Self(verdict: .ok, subject: subject, message: message)
  }

  package static func warning(
    _ subject: String, _ message: String, hint: String? = nil, setting: Setting? = nil
  ) -> Self {
    Self(verdict: .warning, subject: subject, message: message, hint: hint, setting: setting)
  }

  package static func fault(
    _ subject: String, _ message: String, hint: String? = nil, setting: Setting? = nil
  ) -> Self {
    Self(verdict: .fault, subject: subject, message: message, hint: hint, setting: setting)
  }
}
