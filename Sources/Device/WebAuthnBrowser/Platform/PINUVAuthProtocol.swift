// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// A token that an authenticator issues after user verification.
struct PINUVAuthToken: Sendable {
  let version: PINUVAuthProtocol
  private let bytes: SecretBytes

  // 16 or 32 bytes for protocol one, 32 for protocol two [§6.5.6, §6.5.7]
  init(_ bytes: SecretBytes, _ version: PINUVAuthProtocol) throws(ClientError) {
    guard bytes.count == 32 || version == .one && bytes.count == 16 else {
      throw ClientError(.authenticatorAnswerInvalid, "a token of \(bytes.count) bytes")
    }
    self.bytes = bytes
    self.version = version
  }

  /// Returns the authentication tag that proves possession of the token.
  func authenticate(_ message: some ByteSource) -> Bytes {
    version.authenticate(message, key: bytes)[...]
  }
}

/// The permissions of a token (CTAP 2.3 §6.5.5.7).
struct TokenPermissions: OptionSet, Sendable {
  let rawValue: UInt64

  /// `mc`
  static let makeCredential = Self(rawValue: 0x01)
  /// `ga`
  static let getAssertion = Self(rawValue: 0x02)
  /// `lbw`
  static let largeBlobWrite = Self(rawValue: 0x10)
}

/// The platform's side of a PIN/UV auth protocol (CTAP 2.3 §6.5.4).
enum PINUVAuthProtocol: UInt64, CaseIterable, Sendable {
  /// §6.5.6
  case one = 1
  /// §6.5.7
  case two = 2

  /// Selects the first supported protocol in the authenticator's list. Before CTAP 2.1 there was only protocol one and
  /// no list.
  init?(of info: AuthenticatorInfo) {
    let offered = info.pinUVAuthProtocols.isEmpty && info.options["clientPin"] != nil ? [1] : info.pinUVAuthProtocols
    guard let known = offered.lazy.compactMap(Self.init(rawValue:)).first else { return nil }
    self = known
  }

  /// `authenticate(key, message)`.
  func authenticate(_ message: some ByteSource, key: SecretBytes) -> [UInt8] {
    let tag = HMAC.tag(of: message, key: key)
    return self == .one ? [UInt8](tag.prefix(16)) : tag
  }
}
