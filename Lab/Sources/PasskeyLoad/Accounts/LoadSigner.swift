// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnTypes

/// Answers the options of a server as a browser with a synced passkey would, without a device: a signature is most of its
/// time.
struct LoadSigner {
  private let origin: WebOrigin
  private let host: String
  /// The hashes of the RP IDs that the server has named.
  private var hashes: [String: [UInt8]] = [:]

  init(origin: WebOrigin) {
    self.origin = origin
    host = if case .web(_, let host, _) = origin.kind { host } else { "" }
  }

  /// Returns the response to the options of a registration, and keeps the user handle.
  mutating func registration(_ options: JSONValue, _ account: LoadAccount) throws -> [UInt8] {
    let options = try options["publicKey"]?.unlessNull ?? options
    let user = try options.require("user")
    account.userHandle = try UserHandle(user.require("id").base64URL[...])
    let relyingParty = try options.require("rp")["id"]?.unlessNull?.string ?? host
    let clientData = try clientData(.create, options)
    let credential = AttestedCredentialData(
      aaguid: .zero, credentialID: account.credentialID.bytes[...],
      credentialPublicKey: account.key.publicKey.encoded[...])
    let data = try AuthenticatorData(
      relyingPartyIDHash: hash(relyingParty)[...], flags: Self.flags, signCount: 0,
      attestedCredentialData: credential)
    let attestation = CBORWriter.bytes(
      of: ["fmt": "none", "attStmt": [:], "authData": .bytes(Array(data.encoded))])
    return RegistrationResponse(
      id: account.credentialID, authenticatorAttachment: .platform, clientDataJSON: clientData,
      attestationObject: attestation[...], transports: [.internal, .hybrid],
      copies: .init(authenticatorData: data.encoded, publicKeyAlgorithm: .es256)
    ).json
  }

  /// Returns the response to the options of a sign-in or of a confirmation.
  mutating func assertion(_ options: JSONValue, _ account: LoadAccount) throws -> [UInt8] {
    let options = try options["publicKey"]?.unlessNull ?? options
    let clientData = try clientData(.get, options)
    let relyingParty = try options["rpId"]?.unlessNull?.string ?? host
    let data = hash(relyingParty) + [Self.flags.rawValue, 0, 0, 0, 0]
    let signature = try account.key.sign((data + Digest.sha256(clientData))[...])
    return AuthenticationResponse(
      id: account.credentialID, authenticatorAttachment: .platform, clientDataJSON: clientData,
      authenticatorData: data[...], signature: signature[...], userHandle: account.userHandle
    ).json
  }

  /// The user was present and verified; the passkey is synced.
  private static let flags: AuthenticatorFlags = [.userPresent, .userVerified, .backupEligible, .backedUp]

  private func clientData(_ type: ClientDataType, _ options: JSONValue) throws -> Bytes {
    let challenge = try Challenge(options.require("challenge").base64URL[...])
    return ClientData(type: type, challenge: challenge, origin: origin).encoded
  }

  private mutating func hash(_ relyingParty: String) -> [UInt8] {
    if let known = hashes[relyingParty] { return known }
    let hash = Digest.sha256(Array(relyingParty.utf8))
    // 16 [a server names one, or a few]
    if hashes.count < 16 { hashes[relyingParty] = hash }
    return hash
  }
}
