// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The client's JSON description of a ceremony (WebAuthn §5.8.1). The signature covers the original bytes, which are
/// kept.
///
/// The limits of ``/PasskeyFormats/JSON`` apply. Unknown members are ignored, as the standard requires. `tokenBinding` is
/// ignored too, because Level 3 only reserves it. `crossOrigin` and `topOrigin` count as absent if they are null.
package struct ClientData: ByteParsable, Sendable {
  /// The original bytes.
  package let encoded: Bytes

  /// The ceremony that the client data were made for.
  package let type: ClientDataType

  /// The challenge, decoded.
  package let challenge: Bytes

  /// The origin as UTF-8, in the client's spelling. Compare it with ``WebOrigin/isSerialized(as:)-(Bytes)``.
  package let originUTF8: Bytes

  /// Whether the caller was in a cross-origin iframe; nil if the client does not say.
  package let crossOrigin: Bool?

  /// The origin of the top-level page as UTF-8, if present.
  package let topOriginUTF8: Bytes?

  /// The JSON object; nil if its members are exactly those above, in the form of §5.8.1.1.
  let json: JSONValue?

  /// The origin in the client's spelling.
  package var origin: String { String(decoding: originUTF8, as: UTF8.self) }

  /// The origin of the top-level page in the client's spelling, if present.
  package var topOrigin: String? { topOriginUTF8.map { String(decoding: $0, as: UTF8.self) } }

  /// Parses client data that are all of `bytes`.
  ///
  /// Text in the form that §5.8.1.1 prescribes, which almost every client writes, takes a fast path without the JSON
  /// parser. The result is the same.
  ///
  /// - Throws: `client-data.malformed`, `client-data.missing-member` or `client-data.invalid-member`.
  package init(parsing bytes: Bytes) throws(FormatError) {
    if let clientData = SerializedClientData.read(bytes) {
      self = clientData
    } else {
      try self.init(parsingAsJSON: bytes)
    }
  }

  init(
    encoded: Bytes, type: ClientDataType, challenge: Bytes, originUTF8: Bytes, crossOrigin: Bool?,
    topOriginUTF8: Bytes?, json: JSONValue? = nil
  ) {
    self.encoded = encoded
    self.type = type
    self.challenge = challenge
    self.originUTF8 = originUTF8
    self.crossOrigin = crossOrigin
    self.topOriginUTF8 = topOriginUTF8
    self.json = json
  }
}

extension ClientData: Hashable {
  /// Whether two client data have the same bytes and the same values.
  package static func == (left: Self, right: Self) -> Bool {
    left.encoded == right.encoded && left.type == right.type && left.challenge == right.challenge
      && left.originUTF8 == right.originUTF8 && left.crossOrigin == right.crossOrigin
      && left.topOriginUTF8 == right.topOriginUTF8
  }

  /// Hashes the bytes, which determine the values.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(encoded)
  }
}

extension ClientData {
  /// Parses client data with the JSON parser, which accepts any JSON spelling.
  init(parsingAsJSON bytes: Bytes) throws(FormatError) {
    // §7.1 step 5 and §7.2 step 8 use "UTF-8 decode", which removes a byte order mark.
    let members = try JSONMemberReader(
      parsing: JSON.withoutByteOrderMark(bytes), as: .clientData, nulls: .invalid)
    self.init(
      encoded: bytes,
      type: ClientDataType(rawValue: try members.text("type")),
      challenge: try members.bytes("challenge"),
      originUTF8: try members.utf8("origin"),
      // Some clients write null where the standard omits these two members.
      crossOrigin: try members.optional("crossOrigin") { (value) throws(WireError) in
        try value.unlessNull?.bool
      } ?? nil,
      topOriginUTF8: try members.optional("topOrigin") { (value) throws(WireError) in
        try value.unlessNull?.utf8
      } ?? nil,
      json: members.object)
  }
}

extension ClientData {
  /// Checks that `tokenBinding`, if present, is an object with a known `status`, and names a binding where one is used
  /// (WebAuthn Level 2 §5.8.1; "not-supported" is from its drafts).
  ///
  /// - Throws: `client-data.missing-member` or `client-data.invalid-member`.
  package func requireTokenBindingForm() throws(FormatError) {
    guard let json, (try? json["tokenBinding"]) != nil else { return }
    let members = try JSONMemberReader(json, as: .clientData, nulls: .invalid)
    let binding = try members.object("tokenBinding")
    switch try binding.text("status") {
    case "present": _ = try binding.text("id")
    case "supported", "not-supported": break
    default: throw binding.invalid("status")
    }
  }
}
