// SPDX-License-Identifier: Apache-2.0

internal import COSE
public import WireFormats

extension RegistrationResponse {
  /// Reads JSON text in one pass, strictly; members that are not known are ignored.
  public init(json: Bytes) throws(FormatError) {
    try self.init(json: json, encoding: .base64URL)
  }

  /// Reads JSON text in which the client may encode bytes otherwise than the standard demands.
  public init(json: Bytes, encoding: ResponseEncoding) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .registrationResponse, encoding: encoding))
  }

  /// The response as JSON text.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension RegistrationResponse: Codable {
  /// Reads what ``init(json:)`` reads, from any decoder; a `DecodingError` carries the ``FormatError`` under it.
  public init(from decoder: any Decoder) throws {
    try self.init(members: CodingMemberReader(decoder, as: .registrationResponse))
  }

  /// Writes what ``json`` has, to any encoder.
  public func encode(to encoder: any Encoder) throws {
    var writer = CodingMemberWriter(encoder)
    try write(into: &writer)
  }
}

extension RegistrationResponse {
  private init<Reader: MemberReader>(members: Reader) throws(Reader.Failure) {
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
      // No verifier uses the copies, so a copy that does not decode is ignored.
      copies: Copies(
        authenticatorData: try? response.bytesIfPresent("authenticatorData"),
        publicKey: try? response.bytesIfPresent("publicKey"),
        publicKeyAlgorithm: (try? response.integerIfPresent("publicKeyAlgorithm")).map { COSEAlgorithm(rawValue: $0) }))
  }

  private func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write(id, type)
    try writer.writeIfPresent("authenticatorAttachment", text: authenticatorAttachment?.rawValue)
    try writer.writeObject("response") { (response) throws(Writer.Failure) in
      try response.write("clientDataJSON", bytes: clientDataJSON)
      try response.writeIfPresent("authenticatorData", bytes: copies.authenticatorData)
      try response.write("transports", names: transports)
      try response.writeIfPresent("publicKey", bytes: copies.publicKey)
      try response.writeIfPresent("publicKeyAlgorithm", integer: copies.publicKeyAlgorithm?.rawValue)
      try response.write("attestationObject", bytes: attestationObject)
    }
    try writer.write("clientExtensionResults", extensions: clientExtensionResults)
  }
}
