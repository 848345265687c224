// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
package import PasskeyFormats

/// A browser's response to a registration: `RegistrationResponseJSON` (WebAuthn §5.1), with base64url decoded.
///
/// The content has not been verified. The client data and the attestation object have not been parsed.
public struct RegistrationResponse: JSONRepresentable, Hashable, Sendable {
  /// The credential ID, from `rawId`. A response whose `id` differs is rejected.
  public var id: CredentialID

  /// The attachment of the authenticator, if the client reports it.
  package var authenticatorAttachment: AuthenticatorAttachment?

  /// The client data, to be parsed by ``ClientData``.
  package var clientDataJSON: Bytes

  /// The attestation object, to be parsed by ``AttestationObject``.
  package var attestationObject: Bytes

  /// The transports of the authenticator; empty if the client does not report them.
  package var transports: [AuthenticatorTransport]

  /// The extension outputs.
  package var clientExtensionResults: ClientExtensions

  /// Copies of parts of the attestation object, for relying parties that do not parse it.
  package var copies: Copies

  /// The type of the credential. Responses of other types are rejected.
  package var type: CredentialType { .publicKey }

  /// Copies of parts of the attestation object (WebAuthn §5.2.1.1). The attestation does not cover them and they may
  /// differ from the original, so verification ignores them. A copy that does not decode is nil.
  package struct Copies: Hashable, Sendable {
    /// The authenticator data.
    package var authenticatorData: Bytes?

    /// The public key as a SubjectPublicKeyInfo.
    package var publicKey: Bytes?

    /// The public key's algorithm.
    package var publicKeyAlgorithm: COSEAlgorithm?

    /// Creates copies.
    package init(
      authenticatorData: Bytes? = nil, publicKey: Bytes? = nil, publicKeyAlgorithm: COSEAlgorithm? = nil
    ) {
      self.authenticatorData = authenticatorData
      self.publicKey = publicKey
      self.publicKeyAlgorithm = publicKeyAlgorithm
    }
  }

  /// Creates a response, as a client does.
  package init(
    id: CredentialID, authenticatorAttachment: AuthenticatorAttachment? = nil, clientDataJSON: Bytes,
    attestationObject: Bytes, transports: [AuthenticatorTransport] = [],
    clientExtensionResults: ClientExtensions = [:], copies: Copies = Copies()
  ) {
    self.id = id
    self.authenticatorAttachment = authenticatorAttachment
    self.clientDataJSON = clientDataJSON
    self.attestationObject = attestationObject
    self.transports = transports
    self.clientExtensionResults = clientExtensionResults
    self.copies = copies
  }
}

extension RegistrationResponse {
  /// Parses JSON text in one pass. Unknown members are ignored.
  ///
  /// - Throws: `registration-response.malformed`, `registration-response.missing-member`,
  ///   `registration-response.invalid-member`, `registration-response.id-mismatch`,
  ///   `registration-response.unknown-type`, or the code of an invalid identifier.
  public init(json: [UInt8]) throws(FormatError) {
    try self.init(json: json, encoding: .base64URL)
  }

  /// Parses JSON text of a client that may not encode bytes as the standard requires.
  ///
  /// - Throws: The same codes as ``init(json:)``.
  package init(json: [UInt8], encoding: ResponseEncoding) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .registrationResponse, encoding: encoding))
  }

  /// Reads a JSON value that is already parsed, such as a member of a request body.
  ///
  /// - Throws: The same codes as ``init(json:)``.
  package init(json: JSONValue, encoding: ResponseEncoding = .base64URL) throws(FormatError) {
    try self.init(members: JSONMemberReader(json, as: .registrationResponse, encoding: encoding))
  }

  /// The response as JSON text.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in writeMembers(to: &object) }
  }
}

extension RegistrationResponse {
  private init(members: JSONMemberReader) throws(FormatError) {
    let id = try members.credentialID(orMismatch: .registrationResponseIDMismatch)
    try members.requirePublicKey(orUnknown: .registrationResponseUnknownType)
    let response = try members.object("response")
    self.init(
      id: id,
      authenticatorAttachment: try members.nameIfPresent("authenticatorAttachment"),
      clientDataJSON: try response.bytes("clientDataJSON"),
      attestationObject: try response.bytes("attestationObject"),
      transports: try response.names("transports"),
      clientExtensionResults: try members.extensionsIfPresent("clientExtensionResults") ?? [:],
      // Verification does not use the copies, so a copy that does not decode is ignored.
      copies: Copies(
        authenticatorData: try? response.bytesIfPresent("authenticatorData"),
        publicKey: try? response.bytesIfPresent("publicKey"),
        publicKeyAlgorithm: (try? response.integerIfPresent("publicKeyAlgorithm")).map { COSEAlgorithm(rawValue: $0) }))
  }

  /// Writes the members of ``json`` into an object, for a message that contains the response.
  package func writeMembers(to writer: inout JSONObjectWriter) {
    writer.write(id, type)
    writer.writeIfPresent("authenticatorAttachment", text: authenticatorAttachment?.rawValue)
    writer.writeObject("response") { response in
      response.write("clientDataJSON", .base64URL(clientDataJSON))
      response.writeIfPresent("authenticatorData", bytes: copies.authenticatorData)
      response.write("transports", names: transports)
      response.writeIfPresent("publicKey", bytes: copies.publicKey)
      response.writeIfPresent("publicKeyAlgorithm", integer: copies.publicKeyAlgorithm?.rawValue)
      response.write("attestationObject", .base64URL(attestationObject))
    }
    writer.write("clientExtensionResults", extensions: clientExtensionResults)
  }
}
