// SPDX-License-Identifier: Apache-2.0

import SystemCrypto
import WebAuthnAuthenticator
import WebAuthnTypes
import WireFormats

/// Somebody with a passkey device of their own, on the service's page.
struct Person {
  private let device: SoftwareAuthenticator
  private let transports: [AuthenticatorTransport]
  private let origin: Origin

  init(at origin: String = "https://raxx.app") throws {
    let vault = MemoryVault(try .factory(random: .system))
    try VaultOwner(of: vault).enroll(finger: 0)
    device = try SoftwareAuthenticator(
      vault: vault, profile: .passkeyProvider, interaction: AutomaticInteraction.always(), clock: StandingClock())
    transports = AuthenticatorProfile.passkeyProvider.transports
    self.origin = try Origin(origin)
  }

  /// Makes a credential from options as they came over the wire; what is sent back.
  func create(_ json: String) async throws -> String {
    let options = try CreationOptions(json: Array(json.utf8)[...])
    let clientData = ClientData(type: .create, challenge: options.challenge, origin: origin).encoded
    var request = MakeCredentialRequest(
      clientDataHash: Digest.sha256(clientData)[...], relyingPartyID: "raxx.app",
      user: PasskeyUser(id: options.user.id, name: options.user.name, displayName: options.user.displayName),
      parameters: options.credentialParameters)
    request.excludeList = options.excludeCredentials
    request.options.residentKey = true
    request.options.userVerification = true
    let reply = try MakeCredentialReply(parsing: await device.perform(.makeCredential, request.encoded[...]))
    guard let attested = reply.authenticatorData.attestedCredentialData else { throw WithoutCredential() }
    let response = RegistrationResponse(
      id: try CredentialID(attested.credentialID), clientDataJSON: clientData,
      attestationObject: reply.attestationObject[...], transports: transports)
    return String(decoding: response.json, as: UTF8.self)
  }

  /// Signs from options as they came over the wire; what is sent back.
  func get(_ json: String) async throws -> String {
    let options = try RequestOptions(json: Array(json.utf8)[...])
    let clientData = ClientData(type: .get, challenge: options.challenge, origin: origin).encoded
    var request = GetAssertionRequest(
      relyingPartyID: "raxx.app", clientDataHash: Digest.sha256(clientData)[...],
      allowList: options.allowCredentials.isEmpty ? nil : options.allowCredentials)
    request.options.userVerification = true
    let reply = try GetAssertionReply(parsing: await device.perform(.getAssertion, request.encoded[...]))
    guard let id = reply.credential?.id ?? options.allowCredentials.first?.id else { throw WithoutCredential() }
    let response = AuthenticationResponse(
      id: id, clientDataJSON: clientData, authenticatorData: reply.authenticatorData.encoded,
      signature: reply.signature, userHandle: reply.user?.id)
    return String(decoding: response.json, as: UTF8.self)
  }

  struct WithoutCredential: Error {}
}

/// A clock that stands still.
private struct StandingClock: AuthenticatorClock {
  var now: Timestamp { Timestamp(secondsSince1970: 1_800_000_000) }
  var uptime: Duration { .zero }
}
