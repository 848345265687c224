// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A parser of external bytes, with the properties that must hold for all inputs.
///
/// The fuzzers and the property tests share it. Each codec has a folder of seeds with its name in Vectors/corpus.
public enum Codec: String, CaseIterable, Sendable {
  case cbor
  case cose
  case der
  case json
  case base64url
  case mlDSA = "ml-dsa"
  case certificate
  case authenticatorData = "authenticator-data"
  case attestationObject = "attestation-object"
  case attestation
  case androidKeyDescription = "android-key-description"
  case clientData = "client-data"
  case registrationResponse = "registration-response"
  case authenticationResponse = "authentication-response"
  case registrationCeremony = "registration-ceremony"
  case authenticationCeremony = "authentication-ceremony"
  case pending
  case credentialRecord = "credential-record"
  case metadata
  case statusList = "status-list"
  case rogueList = "rogue-list"
  case ctap
  case ctaphid
  case vault
  case credentialExchange = "credential-exchange"

  /// Checks the properties for an input: nothing traps, error offsets are in the input, and accepted values are
  /// consistent.
  public func check(_ input: [UInt8]) throws(Violation) {
    // Surrounds the input with other bytes, to detect parsers that leave their slice or assume that it starts at index
    // 0.
    let padding: [UInt8] = [0x5a, 0x5a, 0x5a]
    let whole = padding + input + padding
    let slice = whole[padding.count..<whole.count - padding.count]
    switch self {
    case .cbor: try checkCBOR(slice)
    case .cose: try checkCOSE(slice)
    case .der: try checkDER(slice)
    case .json: try checkJSON(slice)
    case .base64url: try checkBase64URL(slice)
    case .mlDSA: try checkMLDSA(slice)
    case .certificate: try checkCertificate(slice)
    case .authenticatorData: try checkAuthenticatorData(slice)
    case .attestationObject: try checkAttestationObject(slice)
    case .attestation: try checkAttestation(slice)
    case .androidKeyDescription: try checkKeyDescription(slice)
    case .clientData: try checkClientData(slice)
    case .registrationResponse: try checkRegistrationResponse(slice)
    case .authenticationResponse: try checkAuthenticationResponse(slice)
    case .registrationCeremony: try checkRegistrationCeremony(slice)
    case .authenticationCeremony: try checkAuthenticationCeremony(slice)
    case .pending: try checkPending(slice)
    case .credentialRecord: try checkCredentialRecord(slice)
    case .metadata: try checkMetadata(slice)
    case .statusList: try checkStatusList(slice)
    case .rogueList: try checkRogueList(slice)
    case .ctap: try checkCommands(slice)
    case .ctaphid: try checkReports(slice)
    case .vault: try checkVault(slice)
    case .credentialExchange: try checkCredentialExchange(slice)
    }
  }
}
