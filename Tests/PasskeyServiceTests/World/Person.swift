// SPDX-License-Identifier: Apache-2.0

import SystemCrypto
import WebAuthnAuthenticator
import WebAuthnTypes
import WireFormats

/// Somebody with a passkey device, in a browser on the service's page.
struct Person {
  let device: SoftwareAuthenticator
  let vault: MemoryVault
  let profile: AuthenticatorProfile
  var origin = "https://raxx.app"

  /// A device that counts and stays where it is: a security key with a sensor for fingers.
  static var counting: AuthenticatorProfile {
    var profile = AuthenticatorProfile.securityKey
    profile.hasFingerprintSensor = true
    return profile
  }

  /// Somebody with a new device that knows their finger.
  init(_ profile: AuthenticatorProfile = .passkeyProvider) throws {
    let vault = MemoryVault(try .factory(random: .system))
    try VaultOwner(of: vault).enroll(finger: 0)
    try self.init(profile, vault)
  }

  /// Somebody who has the same device a second time.
  init(cloning person: Person) throws {
    try self.init(person.profile, MemoryVault(person.vault.read()))
  }

  private init(_ profile: AuthenticatorProfile, _ vault: MemoryVault) throws {
    self.profile = profile
    self.vault = vault
    device = try SoftwareAuthenticator(
      vault: vault, profile: profile, interaction: AutomaticInteraction.always(), clock: StandingClock())
  }

  /// Makes a credential, as `navigator.credentials.create` does.
  func create(_ options: CreationOptions) async throws -> RegistrationResponse {
    let clientData = ClientData(type: .create, challenge: options.challenge, origin: try Origin(origin)).encoded
    var request = MakeCredentialRequest(
      clientDataHash: Digest.sha256(clientData)[...], relyingPartyID: "raxx.app",
      user: PasskeyUser(id: options.user.id, name: options.user.name, displayName: options.user.displayName),
      parameters: options.credentialParameters)
    request.excludeList = options.excludeCredentials
    request.options.residentKey = true
    request.options.userVerification = true
    let reply = try MakeCredentialReply(parsing: await device.perform(.makeCredential, request.encoded[...]))
    let attested = reply.authenticatorData.attestedCredentialData
    guard let attested else { throw DeviceAnswer.withoutCredential }
    return RegistrationResponse(
      id: try CredentialID(attested.credentialID), clientDataJSON: clientData,
      attestationObject: reply.attestationObject[...], transports: profile.transports)
  }

  /// Signs, as `navigator.credentials.get` does.
  func get(_ options: RequestOptions) async throws -> AuthenticationResponse {
    let clientData = ClientData(type: .get, challenge: options.challenge, origin: try Origin(origin)).encoded
    var request = GetAssertionRequest(
      relyingPartyID: "raxx.app", clientDataHash: Digest.sha256(clientData)[...],
      allowList: options.allowCredentials.isEmpty ? nil : options.allowCredentials)
    request.options.userVerification = true
    let reply = try GetAssertionReply(parsing: await device.perform(.getAssertion, request.encoded[...]))
    guard let id = reply.credential?.id ?? options.allowCredentials.first?.id else {
      throw DeviceAnswer.withoutCredential
    }
    return AuthenticationResponse(
      id: id, clientDataJSON: clientData, authenticatorData: reply.authenticatorData.encoded,
      signature: reply.signature, userHandle: reply.user?.id)
  }

  enum DeviceAnswer: Error {
    case withoutCredential
  }
}

/// A clock that stands still.
private struct StandingClock: AuthenticatorClock {
  var now: Timestamp { Timestamp(secondsSince1970: 1_800_000_000) }
  var uptime: Duration { .zero }
}
