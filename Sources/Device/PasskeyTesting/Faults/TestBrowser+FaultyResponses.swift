// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
package import PasskeyCrypto
internal import PasskeyFormats
package import WebAuthnTypes

extension TestBrowser.Fault {
  /// Returns the response to a registration with the fault, as JSON text.
  package func json(of response: RegistrationResponse) throws(FaultError) -> [UInt8] {
    guard isInRegistrations else { return response.json }
    let data = try mapError(
      AuthenticatorDataDraft(AttestationObject(parsing: response.attestationObject).authenticatorData),
      FaultError.init(malformed:))
    var forged = ForgedResponse(
      of: .registration, id: Array(response.id.bytes), Self.clientData(response.clientDataJSON), data)
    forged.members = [.init(name: "transports", value: .array(response.transports.map { .string($0.rawValue) }))]
    if let key = response.copies.publicKey {
      forged.members.append(.init(name: "publicKey", value: .bytes(Array(key))))
    }
    if let algorithm = response.copies.publicKeyAlgorithm {
      forged.members.append(.init(name: "publicKeyAlgorithm", value: .integer(Int(algorithm.rawValue))))
    }
    forged.take(response.clientExtensionResults, response.authenticatorAttachment)
    return try changed(forged)
  }

  /// Returns the response to a sign-in with the fault, as JSON text. `key` is the passkey's.
  package func json(of response: AuthenticationResponse, key: SigningKey) throws(FaultError) -> [UInt8] {
    guard isInSignIns else { return response.json }
    let data = try mapError(
      AuthenticatorDataDraft(AuthenticatorData(parsing: response.authenticatorData)), FaultError.init(malformed:))
    var forged = ForgedResponse(
      of: .assertion(key), id: Array(response.id.bytes), Self.clientData(response.clientDataJSON), data)
    if let handle = response.userHandle {
      forged.members = [.init(name: "userHandle", value: .bytes(Array(handle.bytes)))]
    }
    forged.take(response.clientExtensionResults, response.authenticatorAttachment)
    return try changed(forged)
  }

  /// Returns the response with the fault.
  private func changed(_ response: ForgedResponse) throws(FaultError) -> [UInt8] {
    let changed = try mapError(response.json([change]), FaultError.signingFailed)
    guard try changed != mapError(response.json(), FaultError.signingFailed) else { throw .unchanged(summary) }
    return changed
  }

  private static func clientData(_ bytes: Bytes) -> ClientDataDraft {
    // The client wrote these bytes: they parse.
    guard let read = try? ClientData(parsing: bytes) else {
      return ClientDataDraft(type: "", challenge: [], origin: "")
    }
    var draft = ClientDataDraft(type: read.type.rawValue, challenge: Array(read.challenge), origin: read.origin)
    draft.crossOrigin = read.crossOrigin.map { .bool($0) }
    draft.topOrigin = read.topOrigin.map { .string($0) }
    return draft
  }
}

/// Why a response could not be made with a fault.
package enum FaultError: Error, Equatable {
  /// The response is no valid one.
  case malformed(String)
  /// The fault changes nothing in this response: its key has no point, for example. The value says what was to be changed.
  case unchanged(String)
  /// Signing failed.
  case signingFailed(PasskeyCryptoError)

  init(malformed error: FormatError) {
    self = .malformed("\(error)")
  }
}

extension AuthenticatorDataDraft {
  /// Takes valid authenticator data apart.
  fileprivate init(_ data: AuthenticatorData) throws(FormatError) {
    self.init(
      relyingPartyIDHash: Array(data.relyingPartyIDHash), flags: data.flags, signCount: data.signCount)
    if let made = data.attestedCredentialData, let key = try? COSEKey(parsing: made.credentialPublicKey) {
      credential = Credential(aaguid: made.aaguid, id: Array(made.credentialID), publicKey: key.tree)
    }
    extensions = data.extensions.map { CBORTree($0) }
  }
}

extension ForgedResponse {
  fileprivate mutating func take(_ outputs: ClientExtensions, _ attachment: AuthenticatorAttachment?) {
    clientExtensionResults = .object(
      outputs.values.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: JSONDraft($0.value)) })
    authenticatorAttachment = attachment.map { .string($0.rawValue) }
  }
}

extension JSONDraft {
  fileprivate init(_ value: ExtensionValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    // The outputs of extensions are whole numbers.
    case .number(let value): self = .integer(Int(exactly: value) ?? 0)
    case .string(let value): self = .string(value)
    case .array(let values): self = .array(values.map { JSONDraft($0) })
    case .object(let members):
      self = .object(members.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: JSONDraft($0.value)) })
    }
  }
}
