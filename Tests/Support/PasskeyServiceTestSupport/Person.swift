// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
package import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnAuthenticator
package import WebAuthnTypes

/// A user with a passkey device, in a browser on the service's page.
package struct Person: Sendable {
  private let device: SoftwareAuthenticator
  /// The vault of the device.
  package let vault: MemoryVault
  private let profile: AuthenticatorProfile

  /// The page's origin.
  package var origin: String

  /// A device with a signature counter and no backup: a security key with a fingerprint sensor.
  package static var counting: AuthenticatorProfile {
    var profile = AuthenticatorProfile.securityKey
    profile.hasFingerprintSensor = true
    return profile
  }

  /// Makes a user with a new device that has the user's finger enrolled.
  package init(_ profile: AuthenticatorProfile = .passkeyProvider, at origin: String = "https://raxx.app") throws {
    let vault = MemoryVault(try .factory(random: .system))
    try VaultOwner(of: vault).enroll(finger: 0)
    try self.init(profile, vault, at: origin)
  }

  /// Makes a user whose device cannot verify users: it has no finger and no PIN.
  package static func withoutVerification() throws -> Person {
    try Person(.passkeyProvider, MemoryVault(try .factory(random: .system)), at: "https://raxx.app")
  }

  /// Returns the same device after a finger was enrolled, by its owner or by a thief.
  package func enrolled() throws -> Person {
    let person = try Person(cloning: self)
    try VaultOwner(of: person.vault).enroll(finger: 0)
    return try Person(cloning: person)
  }

  /// Returns a user with a clone of the device.
  package init(cloning person: Person) throws {
    try self.init(person.profile, MemoryVault(person.vault.read()), at: person.origin)
  }

  private init(_ profile: AuthenticatorProfile, _ vault: MemoryVault, at origin: String) throws {
    self.profile = profile
    self.vault = vault
    self.origin = origin
    device = try SoftwareAuthenticator(
      vault: vault, profile: profile, interaction: AutomaticInteraction.always(), clock: StandingClock())
  }

  /// Creates a credential, like `navigator.credentials.create`.
  package func create(_ options: CreationOptions) async throws -> RegistrationResponse {
    let clientData = ClientData(type: .create, challenge: options.challenge, origin: try WebOrigin(origin)).encoded
    var request = MakeCredentialRequest(
      clientDataHash: Digest.sha256(clientData)[...], relyingPartyID: "raxx.app",
      user: PasskeyUser(id: options.user.id, name: options.user.name, displayName: options.user.displayName),
      parameters: options.credentialParameters)
    request.excludeList = options.excludeCredentials
    request.options.residentKey = true
    request.options.userVerification = options.authenticatorSelection.userVerification != .discouraged
    let reply = try MakeCredentialReply(parsing: await device.perform(.makeCredential, request.encoded))
    guard let attested = reply.authenticatorData.attestedCredentialData else { throw WithoutCredential() }
    return RegistrationResponse(
      id: try CredentialID(attested.credentialID), clientDataJSON: clientData,
      attestationObject: reply.attestationObject[...], transports: profile.transports)
  }

  /// Signs a challenge, like `navigator.credentials.get`.
  package func get(_ options: RequestOptions) async throws -> AuthenticationResponse {
    let clientData = ClientData(type: .get, challenge: options.challenge, origin: try WebOrigin(origin)).encoded
    var request = GetAssertionRequest(
      relyingPartyID: "raxx.app", clientDataHash: Digest.sha256(clientData)[...],
      allowList: options.allowCredentials.isEmpty ? nil : options.allowCredentials)
    request.options.userVerification = options.userVerification != .discouraged
    let reply = try GetAssertionReply(parsing: await device.perform(.getAssertion, request.encoded))
    guard let id = reply.credential?.id ?? options.allowCredentials.first?.id else { throw WithoutCredential() }
    return AuthenticationResponse(
      id: id, clientDataJSON: clientData, authenticatorData: reply.authenticatorData.encoded,
      signature: reply.signature, userHandle: reply.user?.id)
  }

  /// Creates a credential from serialized options and returns the response to post.
  package func create(_ json: String) async throws -> String {
    String(decoding: try await create(CreationOptions(json: json)).json, as: UTF8.self)
  }

  /// Signs serialized options and returns the response to post.
  package func get(_ json: String) async throws -> String {
    String(decoding: try await get(RequestOptions(json: json)).json, as: UTF8.self)
  }

  /// Returns the private key of a credential, for a response that is changed and signed again.
  package func signingKey(of id: CredentialID) throws -> SigningKey {
    guard let passkey = try vault.read().passkeys.first(where: { $0.id == id }) else { throw WithoutCredential() }
    return try SigningKey(passkey.algorithm, pkcs8: passkey.privateKey)
  }

  /// The device has none of the allowed credentials.
  package struct WithoutCredential: Error {}
}

/// A stopped clock.
private struct StandingClock: AuthenticatorClock {
  var now: UnixTime { UnixTime(secondsSince1970: 1_800_000_000) }
  var uptime: Duration { .zero }
}
