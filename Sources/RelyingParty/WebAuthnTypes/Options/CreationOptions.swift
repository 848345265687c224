// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The options of a registration: `PublicKeyCredentialCreationOptions` (WebAuthn §5.4).
public struct CreationOptions: JSONRepresentable, Hashable, Sendable {
  /// The relying party.
  package var relyingParty: RelyingPartyEntity

  /// The user account.
  package var user: UserEntity

  /// The challenge that the client data must contain.
  public var challenge: Challenge

  /// The accepted credential types and algorithms, preferred first.
  package var credentialParameters: [CredentialParameters]

  /// The time-out in milliseconds. The client may override it.
  package var timeout: UInt32?

  /// The account's existing credentials. An authenticator that holds one of them refuses to create another.
  package var excludeCredentials: [CredentialDescriptor]

  /// The required properties of the authenticator.
  package var authenticatorSelection: AuthenticatorSelection

  /// Hints about the user's authenticator, most preferred first.
  package var hints: [PublicKeyCredentialHint]

  /// The requested attestation.
  package var attestation: AttestationConveyancePreference

  /// The preferred attestation formats, most preferred first.
  package var attestationFormats: [AttestationFormat]

  /// The extension inputs.
  package var extensions: ClientExtensions

  /// Creates options. The defaults are the standard's.
  package init(
    relyingParty: RelyingPartyEntity, user: UserEntity, challenge: Challenge,
    credentialParameters: [CredentialParameters], timeout: UInt32? = nil,
    excludeCredentials: [CredentialDescriptor] = [],
    authenticatorSelection: AuthenticatorSelection = AuthenticatorSelection(), hints: [PublicKeyCredentialHint] = [],
    attestation: AttestationConveyancePreference = .none, attestationFormats: [AttestationFormat] = [],
    extensions: ClientExtensions = [:]
  ) {
    self.relyingParty = relyingParty
    self.user = user
    self.challenge = challenge
    self.credentialParameters = credentialParameters
    self.timeout = timeout
    self.excludeCredentials = excludeCredentials
    self.authenticatorSelection = authenticatorSelection
    self.hints = hints
    self.attestation = attestation
    self.attestationFormats = attestationFormats
    self.extensions = extensions
  }
}

extension CreationOptions {
  /// Parses `PublicKeyCredentialCreationOptionsJSON`. Unknown members are ignored.
  ///
  /// - Throws: `options.malformed`, `options.missing-member`, `options.invalid-member`, or the code of an invalid
  ///   identifier.
  public init(json: [UInt8]) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .options))
  }

  /// The options as JSON text, for `PublicKeyCredential.parseCreationOptionsFromJSON()` (WebAuthn §5.1.8).
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension CreationOptions {
  private init(members: JSONMemberReader) throws(FormatError) {
    relyingParty = try RelyingPartyEntity(members.object("rp"))
    user = try UserEntity(members.object("user"))
    // §13.4.3: the length of a challenge is the relying party's responsibility; a client answers any challenge.
    challenge = Challenge(allowingGuessableLength: try members.bytes("challenge"))
    guard let parameters = try members.objectsIfPresent("pubKeyCredParams") else {
      throw members.missing("pubKeyCredParams")
    }
    credentialParameters = []
    for parameter in parameters { credentialParameters.append(try CredentialParameters(parameter)) }
    timeout = try members.unsignedLongIfPresent("timeout")
    excludeCredentials = try members.descriptors("excludeCredentials")
    authenticatorSelection = AuthenticatorSelection()
    if let selection = try members.objectIfPresent("authenticatorSelection") {
      authenticatorSelection = try AuthenticatorSelection(selection)
    }
    hints = try members.names("hints")
    attestation = try members.nameIfPresent("attestation") ?? .none
    attestationFormats = try members.names("attestationFormats")
    extensions = try members.extensionsIfPresent("extensions") ?? [:]
  }

  private func write(into writer: inout JSONObjectWriter) {
    writer.writeObject("rp") { inside in relyingParty.write(into: &inside) }
    writer.writeObject("user") { inside in user.write(into: &inside) }
    writer.write("challenge", .base64URL(challenge.bytes))
    writer.writeObjects("pubKeyCredParams", credentialParameters) { parameters, inside in
      parameters.write(into: &inside)
    }
    writer.writeIfPresent("timeout", integer: timeout.map { Int64($0) })
    writer.writeUnlessEmpty("excludeCredentials", descriptors: excludeCredentials)
    writer.writeObject("authenticatorSelection") { inside in authenticatorSelection.write(into: &inside) }
    writer.writeUnlessEmpty("hints", names: hints)
    writer.write("attestation", attestation.rawValue)
    writer.writeUnlessEmpty("attestationFormats", names: attestationFormats)
    writer.writeUnlessEmpty("extensions", extensions: extensions)
  }
}
