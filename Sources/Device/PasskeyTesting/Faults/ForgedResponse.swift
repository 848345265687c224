// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
package import PasskeyFormats
internal import WebAuthnTypes

/// A response of an authenticator, made from its parts, with or without faults.
///
/// The parts are complete and valid. Faults change them in the stages that ``Fault`` describes, and later stages sign what
/// the faults left.
package struct ForgedResponse: Sendable {
  /// The kind of response, with what signs it.
  package enum Kind: Sendable {
    /// A registration with attestation `none`.
    case registration
    /// A registration with attestation `packed`, signed by the credential's own key.
    case selfAttestedRegistration(SigningKey)
    /// A registration with a statement that the closure makes.
    case attestedRegistration(StatementMaking)
    /// A sign-in, a step-up or another assertion.
    case assertion(SigningKey)
  }

  /// Makes a statement about a registration with these authenticator data and this hash of the client data.
  package typealias StatementMaking =
    @Sendable (AuthenticatorDataDraft, _ data: [UInt8], _ clientDataHash: [UInt8], [Fault])
    throws(PasskeyCryptoError) -> StatementDraft

  package var kind: Kind
  package var id: [UInt8]
  package var clientData: ClientDataDraft
  package var authenticatorData: AuthenticatorDataDraft
  /// More members of `response`, such as `transports` or `userHandle`.
  package var members: [JSONDraft.Member] = []
  package var clientExtensionResults: JSONDraft = .object([])
  package var authenticatorAttachment: JSONDraft?

  package init(
    of kind: Kind, id: [UInt8], _ clientData: ClientDataDraft, _ authenticatorData: AuthenticatorDataDraft
  ) {
    self.kind = kind
    self.id = id
    self.clientData = clientData
    self.authenticatorData = authenticatorData
  }

  /// Returns the response with faults, as JSON text. The text need not be an object.
  package func json(_ faults: [Fault] = []) throws(PasskeyCryptoError) -> [UInt8] {
    let clientData = try faults.applied(to: ClientDataBytes(bytes: faults.applied(to: clientData).bytes)).bytes
    let data = try faults.applied(
      to: AuthenticatorDataBytes(bytes: faults.applied(to: authenticatorData).bytes)
    ).bytes
    var parts: [JSONDraft.Member] = [.init(name: "clientDataJSON", value: .bytes(clientData))]
    func add(_ name: String, _ value: JSONDraft) { parts.append(.init(name: name, value: value)) }
    func signature(_ key: SigningKey) throws(PasskeyCryptoError) -> [UInt8] {
      let signing = try faults.applied(to: SigningDraft(key: key, message: data + Digest.sha256(clientData)))
      return try faults.applied(
        to: SignatureBytes(bytes: signing.key.sign(signing.message, .deterministic))
      ).bytes
    }
    switch kind {
    case .assertion(let key):
      add("authenticatorData", .bytes(data))
      add("signature", .bytes(try signature(key)))
    case .registration:
      let statement = try faults.applied(to: StatementDraft(format: .none, statement: [:]))
      add("attestationObject", .bytes(try object(statement, data, faults)))
      add("authenticatorData", .bytes(data))
    case .selfAttestedRegistration(let key):
      let members: CBORTree = [
        "alg": .integer(Int64(key.algorithm.rawValue)), "sig": .bytes(try signature(key)),
      ]
      let statement = try faults.applied(to: StatementDraft(format: .packed, statement: members))
      add("attestationObject", .bytes(try object(statement, data, faults)))
      add("authenticatorData", .bytes(data))
    case .attestedRegistration(let makeStatement):
      let statement = try makeStatement(authenticatorData, data, Digest.sha256(clientData), faults)
      add("attestationObject", .bytes(try object(statement, data, faults)))
      add("authenticatorData", .bytes(data))
    }
    var draft = ResponseDraft(id: id, response: parts + members)
    draft.clientExtensionResults = clientExtensionResults
    draft.authenticatorAttachment = authenticatorAttachment
    return try faults.applied(to: ResponseJSON(json: faults.applied(to: draft).json)).text
  }

  private func object(
    _ statement: StatementDraft, _ data: [UInt8], _ faults: [Fault]
  ) throws(PasskeyCryptoError) -> [UInt8] {
    let object = try faults.applied(
      to: AttestationObjectDraft(members: [
        "fmt": .text(statement.format.rawValue), "attStmt": statement.statement, "authData": .bytes(data),
      ]))
    return try faults.applied(to: AttestationObjectBytes(bytes: object.bytes)).bytes
  }
}

extension ResponseJSON {
  /// The value as JSON text.
  package var text: [UInt8] {
    switch json {
    case .object(let members):
      JSON.writeObject { (object: inout JSONObjectWriter) in
        for member in members { member.value.write(as: member.name, into: &object) }
      }
    case .array(let elements):
      JSON.writeArray { (array: inout JSONArrayWriter) in for element in elements { element.write(into: &array) } }
    default: JSON.writeArray { (array: inout JSONArrayWriter) in json.write(into: &array) }
    }
  }
}
