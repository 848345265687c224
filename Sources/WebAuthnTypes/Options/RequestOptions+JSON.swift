// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension RequestOptions {
  /// Reads `PublicKeyCredentialRequestOptionsJSON`; what is not known in it is passed over.
  public init(json: Bytes) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .options))
  }

  /// The options as JSON text: what `PublicKeyCredential.parseRequestOptionsFromJSON()` takes (WebAuthn §5.1.9).
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension RequestOptions: Codable {
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

extension RequestOptions {
  private init<Reader: MemberReader>(members: Reader) throws(Reader.Failure) {
    // §13.4.3: how long it is, is the relying party's affair; a client answers what it is given.
    challenge = Challenge(allowingGuessableLength: try members.bytes("challenge"))
    timeout = try members.unsignedLongIfPresent("timeout")
    relyingPartyID = try members.relyingPartyIDIfPresent("rpId")
    allowCredentials = try members.descriptors("allowCredentials")
    userVerification = try members.nameIfPresent("userVerification") ?? .preferred
    hints = try members.names("hints")
    extensions = try members.extensionsIfPresent("extensions") ?? [:]
  }

  private func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write("challenge", bytes: challenge.bytes)
    try writer.writeIfPresent("timeout", integer: timeout.map { Int64($0) })
    try writer.writeIfPresent("rpId", text: relyingPartyID?.text)
    try writer.writeUnlessEmpty("allowCredentials", descriptors: allowCredentials)
    try writer.write("userVerification", text: userVerification.rawValue)
    try writer.writeUnlessEmpty("hints", names: hints)
    try writer.writeUnlessEmpty("extensions", extensions: extensions)
  }
}
