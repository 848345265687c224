// SPDX-License-Identifier: Apache-2.0

/// Why a text is no passkey that can be taken in. It never carries the key.
public struct PortablePasskeyError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// What was at fault, in words.
  public let detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The causes. Raw values are stable: they are only ever added to.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// The text is a passkey of a format that is not known.
    case anotherFormat = "portable-passkey.another-format"
    /// The text is not a passkey's.
    case malformed = "portable-passkey.malformed"
    /// The key is none for its algorithm, or of an algorithm that is not supported here.
    case unusableKey = "portable-passkey.unusable-key"
  }
}

extension PortablePasskeyError: CustomStringConvertible {
  /// The code and what was at fault.
  public var description: String { "\(code.rawValue): \(detail)" }
}
