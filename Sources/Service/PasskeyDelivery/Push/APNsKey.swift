// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
public import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyService
internal import PasskeySystem

/// A signing key of Apple's push service, and the provider token made with it.
///
/// Apple accepts a token for an hour and refuses more than one new token in twenty minutes, so a token is used for fifty
/// minutes.
public final class APNsKey: Sendable {
  private struct State {
    var key: SigningKey
    var token: (text: String, made: UnixTime)?
  }

  private let keyID: String
  private let teamID: String
  private let state: Locked<State>

  static let tokenLifetime: Duration = .seconds(50 * 60)
  // 20 minutes [Apple answers TooManyProviderTokenUpdates to faster changes]
  static let minimumTokenAge: Duration = .seconds(20 * 60)

  /// Creates a key.
  ///
  /// - Parameters:
  ///   - keyID: the ten characters of the key's identifier.
  ///   - teamID: the ten characters of the developer team.
  ///   - pem: the content of the `.p8` file.
  /// - Throws: `delivery.identifier-invalid` or `delivery.key-invalid`.
  public init(keyID: String, teamID: String, pem: SecretBytes) throws(DeliveryError) {
    for (name, id) in [("key", keyID), ("team", teamID)] {
      guard id.utf8.count == 10, id.utf8.allSatisfy({ $0.isASCIILetterOrDigit }) else {
        throw DeliveryError(.identifierInvalid, "the \(name) must have ten letters and digits, such as A1B2C3D4E5")
      }
    }
    self.keyID = keyID
    self.teamID = teamID
    state = Locked(State(key: try JSONWebToken.key(.es256, pem: pem)))
  }

  /// Uses another private key with the same identifiers from now on.
  ///
  /// - Throws: `delivery.key-invalid`; the old key then stays in use.
  public func replace(pem: SecretBytes) throws(DeliveryError) {
    let key = try JSONWebToken.key(.es256, pem: pem)
    state.withLock { (state) in
      guard state.key.publicKey != key.publicKey else { return }
      state = State(key: key)
    }
  }

  /// Returns the provider token.
  func token(now: UnixTime) throws(PasskeyCryptoError) -> String {
    try state.withLock { (state) throws(PasskeyCryptoError) in
      if let token = state.token, token.made <= now, now < token.made + Self.tokenLifetime { return token.text }
      let token = JSONWebToken(key: state.key, keyID: keyID)
      let text = try token.text { (claims) in
        claims.write("iss", teamID)
        claims.write("iat", .integer(now.secondsSince1970))
      }
      state.token = (text, now)
      return text
    }
  }

  /// Discards the refused token, so that the next call returns another one. Does nothing if it is no longer the current
  /// token or is too recent to be replaced.
  func drop(_ refused: String, now: UnixTime) {
    state.withLock { (state) in
      guard let token = state.token, token.text == refused, now >= token.made + Self.minimumTokenAge else { return }
      state.token = nil
    }
  }
}

extension UInt8 {
  /// Whether this is an ASCII letter or digit.
  var isASCIILetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
