// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// A registration response as mutable parts.
struct RegistrationAttempt {
  var id: CredentialID
  var clientDataJSON: [UInt8]
  var format: String
  var statement: CBORTree
  var authenticatorData: [UInt8]
  var clientExtensionResults: ClientExtensions

  init(_ response: RegistrationResponse) throws {
    let object = try AttestationObject(parsing: response.attestationObject)
    id = response.id
    clientDataJSON = [UInt8](response.clientDataJSON)
    format = object.format.rawValue
    statement = CBORTree(object.statement)
    authenticatorData = [UInt8](object.authenticatorData.encoded)
    clientExtensionResults = response.clientExtensionResults
  }

  var response: RegistrationResponse {
    let object: CBORTree = ["fmt": .text(format), "attStmt": statement, "authData": .bytes(authenticatorData)]
    return RegistrationResponse(
      id: id, clientDataJSON: clientDataJSON[...], attestationObject: CBORWriter.bytes(of: object)[...],
      clientExtensionResults: clientExtensionResults)
  }

  /// The ranges of the parts of variable position in the authenticator data.
  var layout: (credentialID: Range<Int>, credentialPublicKey: Range<Int>) {
    get throws {
      guard let credential = try AuthenticatorData(parsing: authenticatorData[...]).attestedCredentialData else {
        throw FormatError(.authenticatorDataTruncated, at: 0)
      }
      return (credential.credentialID.indices, credential.credentialPublicKey.indices)
    }
  }

  /// Sets or removes a member of the statement.
  mutating func setStatement(_ name: String, _ value: CBORTree?) {
    guard case .map(var members) = statement else { return }
    members[.text(name)] = value
    statement = .map(members)
  }

  func member(_ name: String) -> CBORTree? {
    if case .map(let members) = statement { members[.text(name)] } else { nil }
  }

  /// Returns the bytes of a member of the statement.
  func bytes(_ name: String) -> [UInt8]? {
    if case .bytes(let bytes)? = member(name) { bytes } else { nil }
  }

  /// The certificates of the statement, the attestation certificate first.
  var certificates: [[UInt8]] {
    get {
      guard case .array(let items)? = member("x5c") else { return [] }
      return items.compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } }
    }
    set { setStatement("x5c", .array(newValue.map { .bytes($0) })) }
  }
}

extension PositiveCase {
  /// Returns the recorded registration.
  func registration() throws -> RegistrationAttempt {
    try RegistrationAttempt(RegistrationResponse(json: recorded.response))
  }

  func verdict(of attempt: RegistrationAttempt, by other: CaseVerifier? = nil) -> Verdict {
    Verdict { _ = try (other ?? judge).register(attempt.response) }
  }
}
