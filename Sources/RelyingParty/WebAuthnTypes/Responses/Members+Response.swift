// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

// The members that both responses share (WebAuthn §5.1).

extension JSONMemberReader {
  /// Reads the credential ID from `rawId` and compares it with `id`. Both are compared as text and decoded once, unless
  /// the client may encode them differently.
  func credentialID(orMismatch code: FormatError.Code) throws(FormatError) -> CredentialID {
    guard let id = try utf8IfPresent("id") else { throw missing("id") }
    let credentialID: CredentialID = try value("rawId")
    if try utf8IfPresent("rawId") == id { return credentialID }
    guard encoding == .anyBase64, try bytesIfPresent("id")?.elementsEqual(credentialID.bytes) == true else {
      throw fault(code, in: "id")
    }
    return credentialID
  }

  /// Reads a user handle, or returns nil for an empty one: Safari, Android and a conformance tool write `""` if the
  /// authenticator returned none.
  func userHandleIfPresent(_ name: String) throws(FormatError) -> UserHandle? {
    guard try bytesIfPresent(name)?.isEmpty == false else { return nil }
    return try valueIfPresent(name)
  }

  /// Requires the type `public-key`. The type versions the whole structure (WebAuthn §5.8.2).
  func requirePublicKey(orUnknown code: FormatError.Code) throws(FormatError) {
    guard let type = try utf8IfPresent("type") else { throw missing("type") }
    guard type.elementsEqual(CredentialType.publicKey.rawValue.utf8) else { throw fault(code, in: "type") }
  }
}

extension JSONObjectWriter {
  mutating func write(_ id: CredentialID, _ type: CredentialType) {
    write("id", .base64URL(id.bytes))
    write("rawId", .base64URL(id.bytes))
    write("type", type.rawValue)
  }
}

/// The encoding of bytes in the JSON of a response.
package enum ResponseEncoding: Sendable {
  /// base64url without padding, as WebAuthn §5.1 requires.
  case base64URL
  /// base64url or standard base64, padded or not, for clients that do not follow the standard. `id` and `rawId` may be
  /// encoded differently if they decode to the same bytes.
  ///
  /// It applies to the members of the response only. Client data and extension outputs are always read as the standard
  /// requires.
  case anyBase64
}
