// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import WebAuthnTypes

extension Passkey {
  /// The name that a user gives a passkey to tell it from the others: one line of text.
  public struct Name: Hashable, Sendable {
    /// The name.
    public let text: String

    // 64 characters and 256 bytes [one line in a list; a character may consist of many code points]
    static let maximumCharacterCount = 64
    static let maximumByteCount = 256

    /// The name of a passkey of which nothing is known.
    package static let unnamed = Self(accepted: "Passkey")

    /// Creates a name from user input. Surrounding white space is removed. Throws
    /// ``ServiceError/Code/credentialNameInvalid`` if the text is too long, contains control characters or line breaks,
    /// or has no visible character.
    public init(_ text: String) throws(ServiceError) {
      let trimmed = String(decoding: Array(text.utf8).trimmingWhiteSpace, as: UTF8.self)
      guard 1...Self.maximumByteCount ~= trimmed.utf8.count, trimmed.count <= Self.maximumCharacterCount else {
        throw ServiceError(.credentialNameInvalid, "1 to 64 characters")
      }
      guard trimmed.unicodeScalars.allSatisfy(TextRules.isText) else {
        throw ServiceError(.credentialNameInvalid, "control characters are not allowed")
      }
      guard trimmed.unicodeScalars.contains(where: TextRules.isVisible) else {
        throw ServiceError(.credentialNameInvalid, "at least one visible character")
      }
      self.text = trimmed
    }

    /// Proposes a name: the provider, or the software of the device that made the passkey.
    init(of record: CredentialRecord, _ aaguid: AAGUID, _ client: AccountSession.ClientSoftware?) {
      // A phone that signed in on another device says that it can be reached again by `hybrid`.
      let isOnClient = record.transports.contains(.internal) && !record.transports.contains(.hybrid)
      guard let text = aaguid.providerName ?? (isOnClient ? client?.text : nil) else {
        self = .unnamed
        return
      }
      self.init(accepted: text)
    }

    private init(accepted text: String) {
      self.text = text
    }
  }
}

extension Passkey.Name: CustomStringConvertible {
  /// The name.
  public var description: String { text }
}
