// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// A reader of the extension outputs in authenticator data. It reads only outputs whose names satisfy `isWanted`.
struct AuthenticatorOutputReader {
  private let map: CBORMap
  private let isWanted: (String) -> Bool

  init(_ map: CBORMap, where isWanted: @escaping (String) -> Bool) {
    self.map = map
    self.isWanted = isWanted
  }

  func bool(_ name: String) throws(FormatError) -> Bool? {
    try output(name) { (value) throws(WireError) in try value.bool }
  }

  func unsigned(_ name: String) throws(FormatError) -> UInt64? {
    try output(name) { (value) throws(WireError) in try value.unsigned }
  }

  func bytes(_ name: String) throws(FormatError) -> [UInt8]? {
    try output(name) { (value) throws(WireError) in [UInt8](try value.bytes) }
  }

  /// Reads one or two encrypted secrets (CTAP 2.3 §12): 32 or 64 bytes with PIN protocol one, 16 bytes more with
  /// protocol two.
  func encryptedSecrets(_ name: String) throws(FormatError) -> [UInt8]? {
    guard let bytes = try bytes(name) else { return nil }
    guard [32, 48, 64, 80].contains(bytes.count) else { throw invalid(name) }
    return bytes
  }

  func protectionPolicy(_ name: String) throws(FormatError) -> CredentialProtectionPolicy? {
    guard let number = try unsigned(name) else { return nil }
    guard let policy = UInt8(exactly: number).flatMap(CredentialProtectionPolicy.init(rawValue:)) else {
      throw invalid(name)
    }
    return policy
  }

  func methods(_ name: String) throws(FormatError) -> [UserVerificationMethod]? {
    guard let entries = try output(name, { (value) throws(WireError) in try value.array }) else { return nil }
    guard let methods = UserVerificationMethod.list(entries) else { throw invalid(name) }
    return methods
  }

  private func invalid(_ name: String) -> FormatError {
    FormatError(.authenticatorExtensionsInvalidMember, at: map[.text(name)]?.offset ?? map.offset, member: name)
  }

  private func output<Content>(
    _ name: String, _ content: (CBORValue) throws(WireError) -> Content
  ) throws(FormatError) -> Content? {
    guard isWanted(name), let value = map[.text(name)] else { return nil }
    do throws(WireError) {
      return try content(value)
    } catch {
      throw FormatError(.authenticatorExtensionsInvalidMember, error, member: name)
    }
  }
}
