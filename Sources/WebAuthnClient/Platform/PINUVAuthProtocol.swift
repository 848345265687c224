// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes
internal import WireFormats

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
  func authenticate(_ message: Bytes, key: SecretBytes) -> [UInt8] {
    let tag = HMAC.tag(of: message, key: key)
    return self == .one ? [UInt8](tag.prefix(16)) : tag
  }
}
