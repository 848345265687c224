// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension AuthenticationResponse {
  /// Reads JSON text in one pass, strictly; members that are not known are ignored.
  ///
  /// Text that is written as browsers write it, which is nearly all there is, takes a fast path with the same result;
  /// other text takes the general parser.
  public init(json: Bytes) throws(FormatError) {
    try self.init(json: json, encoding: .base64URL)
  }

  /// Reads JSON text in which the client may encode bytes otherwise than the standard demands.
  public init(json: Bytes, encoding: ResponseEncoding) throws(FormatError) {
    if let response = PlainAuthenticationResponse.read(json) {
      self = consume response
    } else {
      try self.init(parsingAsJSON: json, encoding: encoding)
    }
  }

  /// Reads JSON text with the JSON parser, in whatever way it is written.
  init(parsingAsJSON json: Bytes, encoding: ResponseEncoding = .base64URL) throws(FormatError) {
    try self.init(members: JSONMemberReader(parsing: json, as: .authenticationResponse, encoding: encoding))
  }

  /// The response as JSON text.
  public var json: [UInt8] {
    JSON.writeObject { (object: inout JSONObjectWriter) in write(into: &object) }
  }
}

extension AuthenticationResponse: Codable {
  /// Reads what ``init(json:)`` reads, from any decoder; a `DecodingError` carries the ``FormatError`` under it.
  public init(from decoder: any Decoder) throws {
    try self.init(members: CodingMemberReader(decoder, as: .authenticationResponse))
  }

  /// Writes what ``json`` has, to any encoder.
  public func encode(to encoder: any Encoder) throws {
    var writer = CodingMemberWriter(encoder)
    try write(into: &writer)
  }
}

extension AuthenticationResponse {
  private init<Reader: MemberReader>(members: Reader) throws(Reader.Failure) {
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

  private func write<Writer: MemberWriter & ~Copyable>(into writer: inout Writer) throws(Writer.Failure) {
    try writer.write(id, type)
    try writer.writeIfPresent("authenticatorAttachment", text: authenticatorAttachment?.rawValue)
    try writer.writeObject("response") { (response) throws(Writer.Failure) in
      try response.write("clientDataJSON", bytes: clientDataJSON)
      try response.write("authenticatorData", bytes: authenticatorData)
      try response.write("signature", bytes: signature)
      try response.writeIfPresent("userHandle", bytes: userHandle?.bytes)
    }
    try writer.write("clientExtensionResults", extensions: clientExtensionResults)
  }
}
