// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// A registration that is valid except for the given faults; a ``RegistrationGroup`` makes most of them.
struct RegistrationScenario: Scenario {
  let id: String
  var label: String
  var algorithm: COSEAlgorithm
  var attestation: AttestationKind
  let faults: [Fault]
  var setup = ScenarioSetup()

  /// The tolerated deviations of the certificate path that the case expects.
  var tolerances: [PathTolerance] = []

  init(_ id: String, _ algorithm: COSEAlgorithm, _ attestation: AttestationKind, _ faults: [Fault] = []) {
    self.id = id
    label = id
    self.algorithm = algorithm
    self.attestation = attestation
    self.faults = faults
  }
}

// MARK: Expectation

extension RegistrationScenario {
  /// Expects an invalid attestation statement (step 22).
  func refused(
    _ attestation: AttestationError.Code, _ causes: String..., because why: String? = nil
  ) -> Self {
    refused(
      CeremonyError.Code.registrationAttestationInvalid.rawValue, 22, [attestation.rawValue] + causes, why)
  }

  /// Expects an attestation that the policy does not accept (step 24).
  func notAcceptable(
    _ attestation: AttestationError.Code, _ causes: String..., because why: String? = nil
  ) -> Self {
    refused(
      CeremonyError.Code.registrationAttestationNotAcceptable.rawValue, 24, [attestation.rawValue] + causes, why)
  }

  /// Expects a valid statement without a path to an anchor (step 24).
  func unanchored(_ cause: String, because why: String? = nil) -> Self {
    notAcceptable(.unanchoredNotAcceptable, cause, because: why)
  }

  /// Expects a revoked certificate (step 24).
  func revoked(because why: String) -> Self { notAcceptable(.certificateRevoked, "certificate.revoked", because: why) }
}

extension RegistrationScenario {
  /// Expects an anchored attestation whose path has these deviations.
  func tolerating(_ tolerances: PathTolerance...) -> Self {
    var copy = self
    copy.tolerances = tolerances
    return copy
  }
}

// MARK: Case

extension RegistrationScenario {
  func makeCase() throws(PasskeyCryptoError) -> JSONDraft {
    let values = try ScenarioValues(label, algorithm)
    var settings = CaseSettings(challenge: values.challenge)
    settings.algorithms = [algorithm]
    if attestation.hasCertificates { settings.trustAnchors = [try VectorAuthorities.rootCertificate()] }
    try setup.settings(&settings)

    let all = setup.changes + faults
    let authenticatorData = try authenticatorData(values, settings, all)
    let response = try response(values, settings, authenticatorData, all)
    return .object(
      [.init(name: "id", value: .string(id)), .init(name: "ceremony", value: "registration")] + settings.json
        + [
          .init(name: "response", value: response),
          .init(name: "expect", value: setup.refusal?.json ?? expectation(values, settings, authenticatorData)),
        ])
  }

  /// Makes the response to a server's options, which choose the challenge, the origin and the RP ID.
  func response(to ceremony: LiveCeremony) throws(PasskeyCryptoError) -> [UInt8] {
    let values = ScenarioValues(ceremony)
    let settings = CaseSettings(ceremony)
    let all = setup.changes + faults
    let authenticatorData = try authenticatorData(values, settings, all)
    return ResponseJSON(json: try response(values, settings, authenticatorData, all)).text
  }

  private func authenticatorData(
    _ values: ScenarioValues, _ settings: CaseSettings, _ faults: [Fault]
  ) throws(PasskeyCryptoError) -> AuthenticatorDataDraft {
    try faults.applied(
      to: AuthenticatorDataDraft(
        relyingPartyIDHash: Digest.sha256([UInt8](settings.relyingPartyID.utf8)[...]),
        flags: [.userPresent, .userVerified], signCount: values.signCount,
        credential: .init(
          aaguid: values.aaguid, id: values.credentialID, publicKey: values.credentialKey.publicKey.tree)))
  }

  private func response(
    _ values: ScenarioValues, _ settings: CaseSettings, _ authenticatorData: AuthenticatorDataDraft, _ faults: [Fault]
  ) throws(PasskeyCryptoError) -> JSONDraft {
    let clientData = try faults.clientData(type: "webauthn.create", settings)
    let statement = try statement(values, settings, authenticatorData, clientData, faults)
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

  /// Makes the attestation statement over the authenticator data before faults corrupt their bytes.
  private func statement(
    _ values: ScenarioValues, _ settings: CaseSettings, _ authenticatorData: AuthenticatorDataDraft,
    _ clientData: [UInt8],
    _ faults: [Fault]
  ) throws(PasskeyCryptoError) -> CBORTree {
    let maker = StatementMaker(
      aaguid: values.aaguid, serialNumber: values.serialNumber, faults: faults, time: settings.time)
    let data: AuthenticatorData
    do throws(FormatError) {
      data = try AuthenticatorData(parsing: authenticatorData.bytes[...])
    } catch {
      // Malformed authenticator data have no statement.
      return [:]
    }
    return try maker.statement(
      attestation,
      for: faults.applied(
        to: AttestationSubject(
          authenticatorData: data, clientDataHash: Digest.sha256(clientData[...])[...],
          credentialKey: values.credentialKey, signing: .deterministic)))
  }

  private func expectation(
    _ values: ScenarioValues, _ settings: CaseSettings, _ data: AuthenticatorDataDraft
  ) -> JSONDraft {
    let trust: JSONDraft =
      switch attestation.type {
      case "none": "none"
      case "self": "self"
      default: settings.trustAnchors == nil || settings.policy.acceptsUnanchored ? "unanchored" : "anchored"
      }
    var attested: [JSONDraft.Member] = [
      .init(name: "format", value: .string(attestation.format.rawValue)),
      .init(name: "type", value: .string(attestation.type)), .init(name: "trust", value: trust),
    ]
    if !tolerances.isEmpty {
      attested.append(.init(name: "tolerated", value: .array(tolerances.map { .string($0.rawValue) })))
    }
    return .object([
      "verified": true, "credentialId": .bytes(data.credential?.id ?? []),
      "publicKey": .bytes(values.credentialKey.publicKey.encoded), "algorithm": .integer(Int(algorithm.rawValue)),
      "aaguid": .string("\(data.credential?.aaguid ?? .zero)"), "signCount": .integer(Int(data.signCount)),
      "userVerified": .bool(data.flags.contains(.userVerified)),
      "backupEligible": .bool(data.flags.contains(.backupEligible)),
      "backedUp": .bool(data.flags.contains(.backedUp)),
      "attestation": .object(attested),
    ])
  }
}

extension CasePolicy {
  /// Whether the policy accepts unanchored attestations.
  fileprivate var acceptsUnanchored: Bool { attestationTrust?.contains(.unanchored) ?? false }
}

extension [Fault] {
  /// Returns the bytes of client data with these faults.
  func clientData(type: String, _ settings: CaseSettings) throws(PasskeyCryptoError) -> [UInt8] {
    let draft = try applied(
      to: ClientDataDraft(
        type: type, challenge: settings.challenge, origin: settings.origins.first ?? ScenarioDefaults.origin))
    return try applied(to: ClientDataBytes(bytes: draft.bytes)).bytes
  }
}
