// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WireFormats

/// A single result of `passkey doctor`.
struct Finding: Sendable {
  /// The raw values are printed.
  enum Verdict: String, Sendable { case ok, warning, fault }

  let verdict: Verdict
  let subject: String
  let words: String
  /// The suggested fix.
  var hint: String?

  static func ok(_ subject: String, _ words: String) -> Self {
    Self(verdict: .ok, subject: subject, words: words)
  }

  static func warning(_ subject: String, _ words: String, hint: String? = nil) -> Self {
    Self(verdict: .warning, subject: subject, words: words, hint: hint)
  }

  static func fault(_ subject: String, _ words: String, hint: String? = nil) -> Self {
    Self(verdict: .fault, subject: subject, words: words, hint: hint)
  }

  func write(to object: inout JSONObjectWriter) {
    object.write("subject", .string(subject))
    object.write("verdict", .string(verdict.rawValue))
    object.write("message", .string(words))
    object.write("hint", .text(hint))
  }
}
