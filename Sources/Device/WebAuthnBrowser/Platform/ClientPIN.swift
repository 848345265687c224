// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// The platform's side of authenticatorClientPIN (CTAP 2.3 §6.5.5).
struct ClientPIN: Sendable {
  let authenticator: ConnectedAuthenticator
  let version: PINUVAuthProtocol

  // Subcommands, and the keys of parameters and responses.
  private static let getPINRetries: CBORTree = 0x01
  private static let getKeyAgreement: CBORTree = 0x02
  private static let getPINToken: CBORTree = 0x05
  private static let getTokenUsingUV: CBORTree = 0x06
  private static let getTokenUsingPIN: CBORTree = 0x09
  private static let versionKey: CBORKey = 0x01
  private static let subcommandKey: CBORKey = 0x02
  private static let keyAgreementKey: CBORKey = 0x03
  private static let pinHashKey: CBORKey = 0x06
  private static let permissionsKey: CBORKey = 0x09
  private static let relyingPartyKey: CBORKey = 0x0a

  /// §6.5.5.2: returns the number of PIN attempts left, or nil if the authenticator does not report it.
  func retries() async -> UInt64? {
    guard let reply = try? await authenticator.perform(.clientPIN, parameters(Self.getPINRetries)) else { return nil }
    return try? ClientError.member(0x03, of: reply) { (value) throws(WireError) in try value.unsigned }
  }

  /// §6.5.5.4: agrees on a shared secret for one exchange.
  func sharedSecret() async throws(ClientError) -> PlatformSecret {
    let reply = try await authenticator.require(.clientPIN, parameters(Self.getKeyAgreement))
    let value = try ClientError.member(0x01, of: reply) { (value) throws(WireError) in
      _ = try value.map
      return value
    }
    let key = try mapError(COSEKey(value), ClientError.init(answer:))
    return try PlatformSecret(version, with: key, random: authenticator.random)
  }

  /// §6.5.5.7.3: returns a token after built-in user verification. The caller handles the CTAP status.
  func tokenUsingVerification(
    _ permissions: TokenPermissions, for relyingParty: RelyingPartyID
  ) async throws(ClientError) -> Result<PINUVAuthToken, CTAPError> {
    let secret = try await sharedSecret()
    return try await token(
      parameters(
        Self.getTokenUsingUV,
        [
          Self.keyAgreementKey: secret.publicKey.tree, Self.permissionsKey: .unsigned(permissions.rawValue),
          Self.relyingPartyKey: .text(relyingParty.text),
        ]), secret)
  }

  /// §6.5.5.7.2, or §6.5.5.7.1 if tokens have no permissions: returns a token for the PIN.
  func token(
    using pin: SecretBytes, _ permissions: TokenPermissions, for relyingParty: RelyingPartyID
  ) async throws(ClientError) -> Result<PINUVAuthToken, CTAPError> {
    let secret = try await sharedSecret()
    // Only the left half of the PIN's hash is sent.
    let hash = pin.withBytes { (pin) in SecretBytes(Digest.sha256(pin).prefix(16)) }
    var more: [CBORKey: CBORTree] = [
      Self.keyAgreementKey: secret.publicKey.tree, Self.pinHashKey: .bytes(try secret.encrypt(hash)),
    ]
    guard authenticator.info.issuesTokensWithPermissions else {
      return try await token(parameters(Self.getPINToken, more), secret)
    }
    more[Self.permissionsKey] = .unsigned(permissions.rawValue)
    more[Self.relyingPartyKey] = .text(relyingParty.text)
    return try await token(parameters(Self.getTokenUsingPIN, more), secret)
  }

  private func token(
    _ parameters: [UInt8], _ secret: PlatformSecret
  ) async throws(ClientError) -> Result<PINUVAuthToken, CTAPError> {
    let reply: [UInt8]
    do throws(CTAPError) {
      reply = try await authenticator.perform(.clientPIN, parameters)
    } catch {
      return .failure(error)
    }
    let encrypted = try ClientError.member(0x02, of: reply) { (value) throws(WireError) in try value.bytes }
    return .success(try PINUVAuthToken(secret.decrypt(encrypted), version))
  }

  private func parameters(_ subcommand: CBORTree, _ more: [CBORKey: CBORTree] = [:]) -> [UInt8] {
    var tree = more
    tree[Self.versionKey] = .unsigned(version.rawValue)
    tree[Self.subcommandKey] = subcommand
    return CBORWriter.bytes(of: .map(tree))
  }
}
