// SPDX-License-Identifier: Apache-2.0

/// The reason why a text cannot be imported as a passkey. It never contains the key.
public struct PortablePasskeyError: Error, Hashable, Sendable {
  /// The cause.
  public let code: Code

  /// A description of the problem, for people.
  public let detail: String

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The causes. Raw values are stable: new ones may be added, but existing ones never change.
  @nonexhaustive
  public enum Code: String, CaseIterable, Sendable {
    /// The text has an unsupported passkey format.
    case anotherFormat = "portable-passkey.another-format"
    /// The text is not a valid passkey.
    case malformed = "portable-passkey.malformed"
    /// The key does not match its algorithm, or the algorithm is not supported.
    case unusableKey = "portable-passkey.unusable-key"
  }
}

extension PortablePasskeyError: CustomStringConvertible {
  /// The code and the detail.
  public var description: String { "\(code.rawValue): \(detail)" }
}
