// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The options of a registration: `PublicKeyCredentialCreationOptions` (WebAuthn §5.4).
public struct CreationOptions: JSONRepresentable, Hashable, Sendable {
  /// The relying party.
  package var relyingParty: RelyingPartyEntity

  /// The user account.
  public var user: UserEntity

  /// The challenge that the client data must contain.
  public var challenge: Challenge

  /// The accepted credential types and algorithms, preferred first.
  package var credentialParameters: [CredentialParameters]

  /// The time-out in milliseconds. The client may override it.
  public package(set) var timeout: UInt32?

  /// The account's existing credentials. An authenticator that holds one of them refuses to create another.
  public package(set) var excludeCredentials: [CredentialDescriptor]

  /// The required properties of the authenticator.
  package var authenticatorSelection: AuthenticatorSelection

  /// Hints about the user's authenticator, most preferred first.
  public package(set) var hints: [PublicKeyCredentialHint]

  /// The requested attestation.
  public package(set) var attestation: AttestationConveyancePreference

  /// The preferred attestation formats, most preferred first.
  public package(set) var attestationFormats: [AttestationFormat]

  /// The extension inputs.
  public package(set) var extensions: ClientExtensions

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
    try self.init(members: JSONMemberReader(parsing: json[...], as: .options))
  }

  /// The options as JSON text, for `PublicKeyCredential.parseCreationOptionsFromJSON()` (WebAuthn §5.1.8).
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension CreationOptions: Codable {
  /// Decodes the value of ``init(json:)`` from any decoder.
  ///
  /// - Throws: A `DecodingError` with a ``FormatError`` as its underlying error, or an error of the decoder.
  public init(from decoder: any Decoder) throws {
    try self.init(members: CodingMemberReader(decoder, as: .options))
  }

  /// Encodes the content of ``json`` with any encoder.
  ///
  /// - Throws: The encoder's errors.
  public func encode(to encoder: any Encoder) throws {
    var writer = CodingMemberWriter(encoder)
    try write(into: &writer)
  }
}

extension CreationOptions {
  private init<Reader: MessageReader>(members: Reader) throws(Reader.Failure) {
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

  private func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.writeObject("rp") { (inside) throws(Writer.Failure) in try relyingParty.write(into: &inside) }
    try writer.writeObject("user") { (inside) throws(Writer.Failure) in try user.write(into: &inside) }
    try writer.write("challenge", bytes: challenge.bytes)
    try writer.writeObjects("pubKeyCredParams", count: credentialParameters.count) {
      (index, inside) throws(Writer.Failure) in try credentialParameters[index].write(into: &inside)
    }
    try writer.writeIfPresent("timeout", integer: timeout.map { Int64($0) })
    try writer.writeUnlessEmpty("excludeCredentials", descriptors: excludeCredentials)
    try writer.writeObject("authenticatorSelection") { (inside) throws(Writer.Failure) in
      try authenticatorSelection.write(into: &inside)
    }
    try writer.writeUnlessEmpty("hints", names: hints)
    try writer.write("attestation", text: attestation.rawValue)
    try writer.writeUnlessEmpty("attestationFormats", names: attestationFormats)
    try writer.writeUnlessEmpty("extensions", extensions: extensions)
  }
}
