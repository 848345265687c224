// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A browser's response to a sign-in: `AuthenticationResponseJSON` (WebAuthn §5.1), with base64url decoded.
///
/// The content has not been verified. The client data and the authenticator data have not been parsed.
public struct AuthenticationResponse: JSONRepresentable, Hashable, Sendable {
  /// The credential ID, from `rawId`. A response whose `id` differs is rejected.
  public var id: CredentialID

  /// The attachment of the authenticator, if the client reports it.
  package var authenticatorAttachment: AuthenticatorAttachment?

  /// The client data, to be parsed by ``ClientData``.
  package var clientDataJSON: Bytes

  /// The authenticator data, to be parsed by ``AuthenticatorData``.
  package var authenticatorData: Bytes

  /// The signature over the authenticator data and the hash of the client data.
  package var signature: Bytes

  /// The user account of the credential, if the authenticator reports it. An empty handle counts as absent.
  public var userHandle: UserHandle?

  /// The extension outputs.
  package var clientExtensionResults: ClientExtensions

  /// The type of the credential. Responses of other types are rejected.
  package var type: CredentialType { .publicKey }

  /// Creates a response, as a client does.
  package init(
    id: CredentialID, authenticatorAttachment: AuthenticatorAttachment? = nil, clientDataJSON: Bytes,
    authenticatorData: Bytes, signature: Bytes, userHandle: UserHandle? = nil,
    clientExtensionResults: ClientExtensions = [:]
  ) {
    self.id = id
    self.authenticatorAttachment = authenticatorAttachment
    self.clientDataJSON = clientDataJSON
    self.authenticatorData = authenticatorData
    self.signature = signature
    self.userHandle = userHandle
    self.clientExtensionResults = clientExtensionResults
  }
}

extension AuthenticationResponse {
  /// Parses JSON text in one pass. Unknown members are ignored.
  ///
  /// Text as browsers write it takes a fast path; any other text takes the JSON parser. The result is the same.
  ///
  /// - Throws: `authentication-response.malformed`, `authentication-response.missing-member`,
  ///   `authentication-response.invalid-member`, `authentication-response.id-mismatch`,
  ///   `authentication-response.unknown-type`, or the code of an invalid identifier.
  public init(json: [UInt8]) throws(FormatError) {
    try self.init(json: json, encoding: .base64URL)
  }

  /// Parses JSON text of a client that may not encode bytes as the standard requires.
  ///
  /// - Throws: The same codes as ``init(json:)``.
  package init(json: [UInt8], encoding: ResponseEncoding) throws(FormatError) {
    if let response = PlainAuthenticationResponse.read(json[...]) {
      self = consume response
    } else {
      try self.init(parsingAsJSON: json[...], encoding: encoding)
    }
  }

  /// Parses JSON text with the JSON parser, which accepts any JSON spelling.
  init(parsingAsJSON json: Bytes, encoding: ResponseEncoding = .base64URL) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .authenticationResponse, encoding: encoding))
  }

  /// Reads a JSON value that is already parsed, such as a member of a request body.
  ///
  /// - Throws: The same codes as ``init(json:)``.
  package init(json: JSONValue, encoding: ResponseEncoding = .base64URL) throws(FormatError) {
    try self.init(members: JSONMemberReader(json, as: .authenticationResponse, encoding: encoding))
  }

  /// The response as JSON text.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in writeMembers(to: &object) }
  }
}

extension AuthenticationResponse {
  private init(members: JSONMemberReader) throws(FormatError) {
    let id = try members.credentialID(orMismatch: .authenticationResponseIDMismatch)
    try members.requirePublicKey(orUnknown: .authenticationResponseUnknownType)
    let response = try members.object("response")
    self.init(
      id: id,
      authenticatorAttachment: try members.nameIfPresent("authenticatorAttachment"),
      clientDataJSON: try response.bytes("clientDataJSON"),
      authenticatorData: try response.bytes("authenticatorData"),
      signature: try response.bytes("signature"),
      userHandle: try response.userHandleIfPresent("userHandle"),
      clientExtensionResults: try members.extensionsIfPresent("clientExtensionResults") ?? [:])
  }

  /// Writes the members of ``json`` into an object, for a message that contains the response.
  package func writeMembers(to writer: inout JSONObjectWriter) {
    writer.write(id, type)
    writer.writeIfPresent("authenticatorAttachment", text: authenticatorAttachment?.rawValue)
    writer.writeObject("response") { response in
      response.write("clientDataJSON", .base64URL(clientDataJSON))
      response.write("authenticatorData", .base64URL(authenticatorData))
      response.write("signature", .base64URL(signature))
      response.writeIfPresent("userHandle", bytes: userHandle?.bytes)
    }
    writer.write("clientExtensionResults", extensions: clientExtensionResults)
  }
}
