// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The options of a sign-in: `PublicKeyCredentialRequestOptions` (WebAuthn §5.5).
public struct RequestOptions: JSONRepresentable, Hashable, Sendable {
  /// The challenge that the client data must contain.
  public var challenge: Challenge

  /// The time-out in milliseconds. The client may override it.
  package var timeout: UInt32?

  /// The RP ID. If it is nil, the client uses the domain of the origin.
  package var relyingPartyID: RelyingPartyID?

  /// The accepted credentials; empty accepts any discoverable credential.
  package var allowCredentials: [CredentialDescriptor]

  /// Whether the authenticator must verify the user.
  package var userVerification: UserVerificationRequirement

  /// Hints about the user's authenticator, most preferred first.
  package var hints: [PublicKeyCredentialHint]

  /// The extension inputs.
  package var extensions: ClientExtensions

  /// Creates options. The defaults are the standard's.
  package init(
    challenge: Challenge, timeout: UInt32? = nil, relyingPartyID: RelyingPartyID?,
    allowCredentials: [CredentialDescriptor] = [], userVerification: UserVerificationRequirement = .preferred,
    hints: [PublicKeyCredentialHint] = [], extensions: ClientExtensions = [:]
  ) {
    self.challenge = challenge
    self.timeout = timeout
    self.relyingPartyID = relyingPartyID
    self.allowCredentials = allowCredentials
    self.userVerification = userVerification
    self.hints = hints
    self.extensions = extensions
  }
}

extension RequestOptions {
  /// Parses `PublicKeyCredentialRequestOptionsJSON`. Unknown members are ignored.
  ///
  /// - Throws: `options.malformed`, `options.missing-member`, `options.invalid-member`, or the code of an invalid
  ///   identifier.
  public init(json: [UInt8]) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .options))
  }

  /// The options as JSON text, for `PublicKeyCredential.parseRequestOptionsFromJSON()` (WebAuthn §5.1.9).
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension RequestOptions {
  private init(members: JSONMemberReader) throws(FormatError) {
    // §13.4.3: the length of a challenge is the relying party's responsibility; a client answers any challenge.
    challenge = Challenge(allowingGuessableLength: try members.bytes("challenge"))
    timeout = try members.unsignedLongIfPresent("timeout")
    relyingPartyID = try members.relyingPartyIDIfPresent("rpId")
    allowCredentials = try members.descriptors("allowCredentials")
    userVerification = try members.nameIfPresent("userVerification") ?? .preferred
    hints = try members.names("hints")
    extensions = try members.extensionsIfPresent("extensions") ?? [:]
  }

  private func write(into writer: inout JSONObjectWriter) {
    writer.write("challenge", .base64URL(challenge.bytes))
    writer.writeIfPresent("timeout", integer: timeout.map { Int64($0) })
    writer.writeIfPresent("rpId", text: relyingPartyID?.text)
    writer.writeUnlessEmpty("allowCredentials", descriptors: allowCredentials)
    writer.write("userVerification", userVerification.rawValue)
    writer.writeUnlessEmpty("hints", names: hints)
    writer.writeUnlessEmpty("extensions", extensions: extensions)
  }
}
