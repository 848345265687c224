// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import PasskeyCOSE
public import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnInspection
internal import WebAuthnTypes

/// A file with one of the standard's test vectors, made by the software authenticator: a registration and an authentication
/// with the same credential.
public struct W3CFile: Sendable {
  let vector: W3CVector

  /// The vector's name, which is also the file's name without `.json`.
  public var name: String { vector.name }

  /// Every file, in the standard's order.
  public static let all = W3CVector.all.map { W3CFile(vector: $0) }

  /// Makes the file's text: indented JSON, the same bytes each time.
  ///
  /// - Throws: `PasskeyCryptoError` where libcrypto or the authenticator fails.
  public func text() async throws(PasskeyCryptoError) -> [UInt8] {
    let device = try W3CDevice(vector)
    let registration = try await device.register()
    let assertion = try await device.signIn()
    return CaseFile.text(
      source: "passkey vectors generate w3c",
      [try registrationCase(device.values, registration), authenticationCase(device.values, assertion)])
  }

  private func registrationCase(
    _ values: W3CValues, _ registration: W3CRegistration
  ) throws(PasskeyCryptoError) -> JSONDraft {
    var settings = settings(values.registration)
    settings.algorithms = [vector.algorithm]
    if vector.attestation.hasCertificate { settings.trustAnchors = [try W3CAuthority.certificate()] }
    let data = registration.reply.authenticatorData
    let response = ResponseDraft(
      id: values.credentialID,
      response: [
        .init(name: "clientDataJSON", value: .bytes(registration.clientData)),
        .init(name: "attestationObject", value: .bytes(registration.reply.attestationObject)),
      ])
    let trust: JSONDraft =
      vector.attestation.hasCertificate ? "anchored" : .string(vector.attestation.type)
    return caseOf(
      "registration", settings, response,
      [
        .init(name: "verified", value: true), .init(name: "credentialId", value: .bytes(values.credentialID)),
        .init(name: "publicKey", value: .bytes(values.credentialKey.publicKey.encoded)),
        .init(name: "algorithm", value: .integer(Int(vector.algorithm.rawValue))),
        .init(name: "aaguid", value: .string("\(values.aaguid)")),
      ] + state(data) + [
        .init(
          name: "attestation",
          value: .object([
            "format": .string(registration.reply.format.rawValue), "type": .string(vector.attestation.type),
            "trust": trust,
          ]))
      ])
  }

  private func authenticationCase(_ values: W3CValues, _ assertion: W3CAssertion) -> JSONDraft {
    var settings = settings(values.authentication)
    settings.credential = .init(
      id: values.credentialID, publicKey: values.credentialKey.publicKey.encoded, userHandle: nil,
      backupEligible: values.registration.flags.contains(.backupEligible))
    let data = assertion.reply.authenticatorData
    let response = ResponseDraft(
      id: values.credentialID,
      response: [
        .init(name: "clientDataJSON", value: .bytes(assertion.clientData)),
        .init(name: "authenticatorData", value: .bytes([UInt8](data.encoded))),
        .init(name: "signature", value: .bytes([UInt8](assertion.reply.signature))),
      ])
    return caseOf(
      "authentication", settings, response,
      [
        .init(name: "verified", value: true), .init(name: "credentialId", value: .bytes(values.credentialID)),
      ] + state(data))
  }

  private func settings(_ values: W3CCeremonyValues) -> CaseSettings {
    var settings = CaseSettings(challenge: values.challenge)
    settings.relyingPartyID = W3CVector.relyingPartyID
    settings.origins = [W3CVector.origin]
    settings.userVerification = "preferred"
    if vector.embedding != .none { settings.crossOrigin = true }
    if vector.embedding == .named { settings.topOrigins = [W3CVector.topOrigin] }
    return settings
  }

  private func caseOf(
    _ ceremony: String, _ settings: CaseSettings, _ response: ResponseDraft, _ expectation: [JSONDraft.Member]
  ) -> JSONDraft {
    .object(
      [
        .init(name: "id", value: .string("w3c/\(vector.name)/\(ceremony)")),
        .init(name: "ceremony", value: .string(ceremony)),
      ] + settings.json + [
        .init(name: "response", value: response.json), .init(name: "expect", value: .object(expectation)),
      ])
  }

  private func state(_ data: AuthenticatorData) -> [JSONDraft.Member] {
    [
      .init(name: "signCount", value: .integer(Int(data.signCount))),
      .init(name: "userVerified", value: .bool(data.flags.contains(.userVerified))),
      .init(name: "backupEligible", value: .bool(data.flags.contains(.backupEligible))),
      .init(name: "backedUp", value: .bool(data.flags.contains(.backedUp))),
    ]
  }
}
