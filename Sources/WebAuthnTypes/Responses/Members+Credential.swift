// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// What the two responses have in common (WebAuthn §5.1).

extension MemberReader {
  /// The id from `rawId`. `id` is its base64url, so the two are compared as text and decoded once, unless the client may
  /// have encoded them differently.
  func credentialID(orMismatch code: FormatError.Code) throws(Failure) -> CredentialID {
    guard let id = try utf8IfPresent("id") else { throw missing("id") }
    let credentialID: CredentialID = try value("rawId")
    if try utf8IfPresent("rawId") == id { return credentialID }
    guard encoding == .anyBase64, try bytesIfPresent("id") == credentialID.bytes else { throw fault(code, in: "id") }
    return credentialID
  }

  /// The user handle, or nil for an empty one: Safari, Android and a conformance tool write `""` where the authenticator
  /// returned none.
  func userHandleIfPresent(_ name: String) throws(Failure) -> UserHandle? {
    guard try bytesIfPresent(name)?.isEmpty == false else { return nil }
    return try valueIfPresent(name)
  }

  /// The type versions the whole structure (WebAuthn §5.8.2): that of another type is not known.
  func requirePublicKey(orUnknown code: FormatError.Code) throws(Failure) {
    guard let type = try utf8IfPresent("type") else { throw missing("type") }
    guard type.elementsEqual(CredentialType.publicKey.rawValue.utf8) else { throw fault(code, in: "type") }
  }
}

extension MemberWriter where Self: ~Copyable {
  mutating func write(_ id: CredentialID, _ type: CredentialType) throws(Failure) {
    try write("id", bytes: id.bytes)
    try write("rawId", bytes: id.bytes)
    try write("type", text: type.rawValue)
  }
}
