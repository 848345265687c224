// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A reader of the extension outputs in authenticator data. It reads only outputs whose names satisfy `isIncluded`.
struct AuthenticatorOutputReader: MemberReader {
  private let map: CBORMap
  private let isIncluded: (String) -> Bool

  init(_ map: CBORMap, where isIncluded: @escaping (String) -> Bool) {
    self.map = map
    self.isIncluded = isIncluded
  }

  func lookUp(_ name: String) -> CBORValue? {
    isIncluded(name) ? map[.text(name)] : nil
  }

  func missing(_ name: String) -> FormatError { invalid(name) }

  func invalid(_ name: String, _ cause: WireError) -> FormatError {
    FormatError(.authenticatorExtensionsInvalidMember, cause, member: name)
  }

  func byteArrayIfPresent(_ name: String) throws(FormatError) -> [UInt8]? {
    try bytesIfPresent(name).map { [UInt8]($0) }
  }

  /// Reads one or two encrypted secrets (CTAP 2.3 §12): 32 or 64 bytes with PIN protocol one, 16 bytes more with
  /// protocol two.
  func encryptedSecrets(_ name: String) throws(FormatError) -> [UInt8]? {
    guard let bytes = try byteArrayIfPresent(name) else { return nil }
    guard [32, 48, 64, 80].contains(bytes.count) else { throw invalid(name) }
    return bytes
  }

  func protectionPolicy(_ name: String) throws(FormatError) -> RegistrationExtension.CredentialProtection? {
    guard let number = try unsignedIfPresent(name) else { return nil }
    guard let policy = UInt8(exactly: number).flatMap(RegistrationExtension.CredentialProtection.init(rawValue:)) else {
      throw invalid(name)
    }
    return policy
  }

  func methods(_ name: String) throws(FormatError) -> [UserVerificationMethod]? {
    guard let entries = try optional(name, { (value) throws(WireError) in try value.array }) else { return nil }
    guard let methods = UserVerificationMethod.list(entries) else { throw invalid(name) }
    return methods
  }

  private func invalid(_ name: String) -> FormatError {
    FormatError(.authenticatorExtensionsInvalidMember, at: map[.text(name)]?.offset ?? map.offset, member: name)
  }
}
