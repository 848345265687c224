// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

/// A stored credential is judged again by a later policy.
@Suite struct ReassessmentTests {
  private static let artifacts = "\(projectFolder)/Examples/artifacts"
  private static let later = CeremonyWorld.now + .seconds(86_400 * 365)

  private static func relyingParty(_ change: (inout AttestationPolicy) throws -> Void = { _ in }) throws -> RelyingParty
  {
    var policy = CeremonyPolicy()
    let pem = String(decoding: try File.bytes("\(artifacts)/certificate.pem"), as: UTF8.self)
    let makers = try PEM.blocks(in: pem).map { try X509Certificate(der: $0.bytes[...]) }
    policy.attestation.trustAnchors = TrustAnchors(byFormat: [.packed: makers])
    try change(&policy.attestation)
    return try RelyingParty(
      id: RelyingPartyID("raxx.app"), name: "Raxx", origins: [WebOrigin("https://raxx.app")], policy: policy)
  }

  /// Returns a stored credential with a packed attestation.
  private static func credential() throws -> StoredCredential {
    let options = try CreationOptions(json: File.bytes("\(artifacts)/creation-options.json")[...])
    let response = try RegistrationResponse(json: File.bytes("\(artifacts)/registration-response.json")[...])
    let relyingParty = try relyingParty()
    let begun = relyingParty.beginRegistration(
      of: options.user, at: CeremonyWorld.now, challenge: options.challenge)
    let credential = try relyingParty.finishRegistration(
      response, pending: begun.pending, existing: .notFound, at: CeremonyWorld.now
    ).credential
    let record = try CredentialRecord(parsing: credential.record.encoded)
    return StoredCredential(user: credential.user, record: record)
  }

  @Test func `a stored credential has its attestation and registration time`() throws {
    let credential = try Self.credential()
    #expect(credential.record.registered == CeremonyWorld.now)
    let outcome = try Self.relyingParty().reassess(credential, at: Self.later)
    guard case .anchored = outcome.trust else {
      Issue.record("\(outcome.trust)")
      return
    }
  }

  @Test func `the attestation survives an export`() throws {
    let credential = try Self.credential()
    let document = CredentialExport([credential]).json
    let imported = try CredentialImport(json: document, for: RelyingPartyID("raxx.app"))
    #expect(imported.credentials == [credential])
  }

  @Test func `an anchor that is no longer trusted is reported, or refused by the policy`() throws {
    let credential = try Self.credential()
    let outcome = try Self.relyingParty { $0.trustAnchors = TrustAnchors() }.reassess(credential, at: Self.later)
    guard case .unanchored(.noAnchorsConfigured) = outcome.trust else {
      Issue.record("\(outcome.trust)")
      return
    }
    let strict = try Self.relyingParty {
      $0.trustAnchors = TrustAnchors()
      $0.acceptableTrust = .anchored
    }
    expectFailure(.reassessmentAttestationNotAcceptable, step: 24) {
      try strict.reassess(credential, at: Self.later)
    }
  }

  @Test func `a model denied later is refused`() throws {
    let credential = try Self.credential()
    let encoded = try #require(credential.record.attestationObject)
    let attested = try AttestationObject(parsing: encoded).authenticatorData.attestedCredentialData
    let model = try #require(attested?.aaguid)
    let relyingParty = try Self.relyingParty { $0.models.denied = [model] }
    let error = #expect(throws: CeremonyError.self) { try relyingParty.reassess(credential, at: Self.later) }
    #expect(error?.code == .reassessmentAttestationNotAcceptable)
    guard case .attestation(let cause)? = error?.cause else {
      Issue.record("no cause")
      return
    }
    #expect(cause.code == .modelDenied)
  }

  @Test func `certificates are verified as of the registration`() throws {
    var credential = try Self.credential()
    // The batch certificate expires long before.
    let end = UnixTime(secondsSince1970: 4_000_000_000)
    _ = try Self.relyingParty { $0.acceptableTrust = .anchored }.reassess(credential, at: end)
    // Without the registration time, the current time is used.
    credential.record.registered = nil
    let strict = try Self.relyingParty { $0.acceptableTrust = .anchored }
    expectFailure(.reassessmentAttestationNotAcceptable, step: 24) { try strict.reassess(credential, at: end) }
  }

  @Test func `a record without its attestation cannot be reassessed`() throws {
    let relyingParty = try Self.relyingParty()
    for item in [\CredentialRecord.attestationObject, \CredentialRecord.attestationClientDataJSON] {
      var credential = try Self.credential()
      credential.record[keyPath: item] = nil
      expectFailure(.reassessmentAttestationMissing, step: nil) {
        try relyingParty.reassess(credential, at: Self.later)
      }
    }
  }

  @Test func `an attestation of another credential is refused`() throws {
    let relyingParty = try Self.relyingParty()
    var credential = try Self.credential()
    credential.record.id = try CredentialID([1, 2, 3])
    expectFailure(.reassessmentAttestationMismatch, step: nil) { try relyingParty.reassess(credential, at: Self.later) }

    credential = try Self.credential()
    credential.record.publicKey = try CeremonyWorld().credential().record.publicKey
    expectFailure(.reassessmentAttestationMismatch, step: nil) { try relyingParty.reassess(credential, at: Self.later) }

    credential = try Self.credential()
    let other = try RelyingParty(
      id: RelyingPartyID("example.org"), name: "Example", origins: [WebOrigin("https://example.org")])
    expectFailure(.reassessmentAttestationMismatch, step: nil) { try other.reassess(credential, at: Self.later) }

    credential.record.attestationClientDataJSON = Array("{}".utf8)
    expectFailure(.reassessmentAttestationInvalid, step: 22) { try relyingParty.reassess(credential, at: Self.later) }

    credential.record.attestationObject = [0xa0]
    expectFailure(.reassessmentAttestationMalformed, step: nil) {
      try relyingParty.reassess(credential, at: Self.later)
    }
  }
}
