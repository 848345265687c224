// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension CreationOptions {
  /// Reads `PublicKeyCredentialCreationOptionsJSON`; what is not known in it is passed over.
  public init(json: Bytes) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .options))
  }

  /// The options as JSON text: what `PublicKeyCredential.parseCreationOptionsFromJSON()` takes (WebAuthn §5.1.8).
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension CreationOptions: Codable {
  /// Reads what ``init(json:)`` reads, from any decoder; a `DecodingError` carries the ``FormatError`` under it.
  public init(from decoder: any Decoder) throws {
    try self.init(members: CodingMemberReader(decoder, as: .options))
  }

  /// Writes what ``json`` has, to any encoder.
  public func encode(to encoder: any Encoder) throws {
    var writer = CodingMemberWriter(encoder)
    try write(into: &writer)
  }
}

extension CreationOptions {
  private init<Reader: MemberReader>(members: Reader) throws(Reader.Failure) {
    relyingParty = try RelyingPartyEntity(members.object("rp"))
    user = try UserEntity(members.object("user"))
    // §13.4.3: how long it is, is the relying party's affair; a client answers what it is given.
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
