// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import Testing
import WebAuthnRelyingParty
import WebAuthnTypes

/// A relying party and a user, for tests that change one thing.
struct CeremonyWorld {
  /// A test's input does not have the expected form.
  struct Unexpected: Error {}

  static let now = UnixTime(secondsSince1970: 1_800_000_000)

  var policy = CeremonyPolicy()
  var origin = "https://raxx.app"
  let user: UserHandle
  let random = RandomSource.seeded([2], label: "ceremony world")

  init() throws {
    user = try UserHandle([UInt8]("user-1".utf8))
  }

  func relyingParty() throws -> RelyingParty {
    try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin(origin)], policy: policy)
  }

  /// Registers with a device that `corrupt` may change.
  func register(
    mediation: RelyingParty.RegistrationMediation = .modal, userVerification: UserVerificationRequirement? = nil,
    algorithms: [COSEAlgorithm]? = nil, extensions: [RegistrationExtension] = [],
    existing: CredentialLookup = .notFound,
    trace: SpecTrace? = nil, _ corrupt: (inout TestDevice) throws -> Void = { _ in }
  ) throws -> VerifiedRegistration {
    let relyingParty = try relyingParty()
    let begun = try relyingParty.beginRegistration(
      of: UserEntity(id: user, name: "ada@example.org", displayName: "Ada"), mediation: mediation,
      userVerification: userVerification, algorithms: algorithms, extensions: extensions, at: Self.now, random: random)
    var device = try TestDevice(challenge: begun.pending.challenge)
    try corrupt(&device)
    return try relyingParty.finishRegistration(
      device.registration(), pending: begun.pending, existing: existing, at: Self.now, trace: trace)
  }

  /// Signs in with a registered credential and a device that `corrupt` may change.
  func authenticate(
    purpose: AuthenticationPurpose = .signIn, as identification: UserIdentification? = nil,
    userVerification: UserVerificationRequirement? = nil,
    extensions: [AuthenticationExtension] = [], stored: StoredCredential? = nil,
    trace: SpecTrace? = nil, _ corrupt: (inout TestDevice) throws -> Void = { _ in }
  ) throws -> VerifiedAuthentication {
    let relyingParty = try relyingParty()
    let credential = try stored ?? credential()
    let begun = try relyingParty.beginAuthentication(
      of: identification ?? .knownBefore(user, credentials: [credential.record.descriptor]), purpose: purpose,
      userVerification: userVerification, extensions: extensions, at: Self.now, random: random)
    var device = try TestDevice(challenge: begun.pending.challenge)
    device.type = .get
    if case .payment(let transaction) = purpose {
      device.type = .payment
      device.origin = transaction.caller.text
      device.payment = ShownPayment(transaction)
    }
    try corrupt(&device)
    return try relyingParty.finishAuthentication(
      device.authentication(), pending: begun.pending, credential: credential, purpose: purpose, at: Self.now,
      trace: trace)
  }

  /// Returns the stored credential of an unchanged device; `change` may modify it.
  func credential(_ change: (inout StoredCredential) throws -> Void = { _ in }) throws -> StoredCredential {
    let device = try TestDevice(challenge: Challenge([UInt8](repeating: 0, count: 16)))
    var credential = StoredCredential(
      user: user,
      record: CredentialRecord(
        id: try CredentialID(device.credentialID), publicKey: device.key.publicKey.encoded, signCount: 0,
        uvInitialized: true, transports: [], backupEligible: false, backupState: false))
    try change(&credential)
    return credential
  }
}

/// Expects a ceremony to fail in this step with this code.
func expectFailure<Result: ~Copyable>(
  _ code: CeremonyError.Code, step: Int?, sourceLocation: SourceLocation = #_sourceLocation,
  _ ceremony: () throws -> Result
) {
  #expect(sourceLocation: sourceLocation) {
    _ = try ceremony()
  } throws: { error in
    (error as? CeremonyError)?.code == code && (error as? CeremonyError)?.step == step
  }
}
