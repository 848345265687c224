// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes
internal import WireFormats

/// A registration that is right but for the faults that it has been given.
///
/// ```swift
/// RegistrationScenario("registration/challenge-of-another-ceremony", .challengeOfAnotherCeremony)
///   .refused(.registrationChallengeMismatch, 8)
/// ```
struct RegistrationScenario: Scenario {
  let id: String
  var label: String
  var algorithm: COSEAlgorithm
  var attestation: AttestationKind
  let faults: [Fault]
  var particulars = Particulars()

  init(_ id: String, _ algorithm: COSEAlgorithm = .es256, _ attestation: AttestationKind = .none, _ faults: Fault...) {
    self.id = id
    label = id
    self.algorithm = algorithm
    self.attestation = attestation
    self.faults = faults
  }

  init(_ id: String, _ attestation: AttestationKind, _ faults: Fault...) {
    self.init(id, .es256, attestation, faults: faults)
  }

  init(_ id: String, _ faults: Fault...) {
    self.init(id, .es256, .none, faults: faults)
  }

  private init(_ id: String, _ algorithm: COSEAlgorithm, _ attestation: AttestationKind, faults: [Fault]) {
    self.id = id
    label = id
    self.algorithm = algorithm
    self.attestation = attestation
    self.faults = faults
  }
}

// MARK: Saying what is particular

extension RegistrationScenario {
  /// Says that it fails for what its attestation says.
  func refused(
    _ attestation: AttestationError.Code, _ causes: String..., because why: String? = nil
  ) -> Self {
    refused(
      CeremonyError.Code.registrationAttestationInvalid.rawValue, 22, [attestation.rawValue] + causes, why)
  }

  /// Says that it fails for what its attestation is worth.
  func notAcceptable(
    _ attestation: AttestationError.Code, _ causes: String..., because why: String? = nil
  ) -> Self {
    refused(
      CeremonyError.Code.registrationAttestationNotAcceptable.rawValue, 24, [attestation.rawValue] + causes, why)
  }
}

// MARK: Making the case

extension RegistrationScenario {
  func makeCase() throws(CryptoError) -> JSONDraft {
    let values = try ScenarioValues(label, algorithm)
    var terms = CaseTerms(challenge: values.challenge)
    terms.algorithms = [algorithm]
    if attestation.hasCertificates { terms.trustAnchors = [try VectorAuthorities.rootCertificate()] }
    try particulars.terms(&terms)

    let all = particulars.changes + faults
    let authenticatorData = try all.applied(
      to: AuthenticatorDataDraft(
        relyingPartyIDHash: Digest.sha256([UInt8](ScenarioDefaults.relyingPartyID.utf8)[...]),
        flags: [.userPresent, .userVerified], signCount: 0,
        credential: .init(
          aaguid: values.aaguid, id: values.credentialID, publicKey: values.credentialKey.publicKey.tree)))
    let response = try response(values, terms, authenticatorData, all)
    return .object(
      [.init(name: "id", value: .string(id)), .init(name: "ceremony", value: "registration")] + terms.json
        + [
          .init(name: "response", value: response),
          .init(name: "expect", value: particulars.refusal?.json ?? expectation(values, terms, authenticatorData)),
        ])
  }

  private func response(
    _ values: ScenarioValues, _ terms: CaseTerms, _ authenticatorData: AuthenticatorDataDraft, _ faults: [Fault]
  ) throws(CryptoError) -> JSONDraft {
    let clientData = try faults.clientData(type: "webauthn.create", challenge: terms.challenge)
    let statement = try statement(values, terms, authenticatorData, clientData, faults)
    let sent = try faults.applied(to: AuthenticatorDataBytes(bytes: authenticatorData.bytes))
    let object = try faults.applied(
      to: AttestationObjectDraft(members: [
        "fmt": .text(attestation.format.rawValue), "attStmt": statement, "authData": .bytes(sent.bytes),
      ]))
    let objectBytes = try faults.applied(to: AttestationObjectBytes(bytes: object.bytes))
    let response = try faults.applied(
      to: ResponseDraft(
        id: authenticatorData.credential?.id ?? values.credentialID,
        response: [
          .init(name: "clientDataJSON", value: .bytes(clientData)),
          .init(name: "attestationObject", value: .bytes(objectBytes.bytes)),
          .init(name: "transports", value: .array(["internal"])),
        ]))
    return try faults.applied(to: ResponseJSON(json: response.json)).json
  }

  /// What the authenticator attests to is what it made, before anybody spoils its bytes.
  private func statement(
    _ values: ScenarioValues, _ terms: CaseTerms, _ authenticatorData: AuthenticatorDataDraft, _ clientData: [UInt8],
    _ faults: [Fault]
  ) throws(CryptoError) -> CBORTree {
    let workshop = StatementWorkshop(values: values, faults: faults, time: terms.time)
    let data: AuthenticatorData
    do throws(FormatError) {
      data = try AuthenticatorData(parsing: authenticatorData.bytes[...])
    } catch {
      // Of authenticator data that cannot be read nobody attests to anything.
      return [:]
    }
    return try workshop.statement(
      attestation,
      for: faults.applied(
        to: AttestationSubject(
          authenticatorData: data, clientDataHash: Digest.sha256(clientData[...])[...],
          credentialKey: values.credentialKey, signing: .deterministic)))
  }

  private func expectation(
    _ values: ScenarioValues, _ terms: CaseTerms, _ data: AuthenticatorDataDraft
  ) -> JSONDraft {
    let trust: JSONDraft =
      switch attestation.type {
      case "none": "none"
      case "self": "self"
      default: terms.trustAnchors == nil || terms.policy.acceptsUnanchored ? "unanchored" : "anchored"
      }
    return .object([
      "verified": true, "credentialId": .bytes(data.credential?.id ?? []),
      "publicKey": .bytes(values.credentialKey.publicKey.encoded), "algorithm": .integer(Int(algorithm.rawValue)),
      "aaguid": .string("\(data.credential?.aaguid ?? .zero)"), "signCount": .integer(Int(data.signCount)),
      "userVerified": .bool(data.flags.contains(.userVerified)),
      "backupEligible": .bool(data.flags.contains(.backupEligible)),
      "backedUp": .bool(data.flags.contains(.backedUp)),
      "attestation": .object([
        "format": .string(attestation.format.rawValue), "type": .string(attestation.type), "trust": trust,
      ]),
    ])
  }
}

extension CasePolicy {
  /// Whether the case is about attestations that no anchor vouches for.
  fileprivate var acceptsUnanchored: Bool { attestationTrust?.contains(.unanchored) ?? false }
}

extension [Fault] {
  /// Client data with the faults in them, as they are sent.
  func clientData(type: String, challenge: [UInt8]) throws(CryptoError) -> [UInt8] {
    let draft = try applied(
      to: ClientDataDraft(type: type, challenge: challenge, origin: ScenarioDefaults.origin))
    return try applied(to: ClientDataBytes(bytes: draft.bytes)).bytes
  }
}
