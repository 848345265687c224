// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A fast parser for authentication responses as browsers write them: the standard's members in any order, each once,
/// strings without escapes, and no extension outputs. It returns nil for any other text, which the JSON parser then
/// handles.
///
/// Parsing is a large part of a sign-in's cost besides the signature, and the JSON parser takes three times as long.
struct PlainAuthenticationResponse {
  private var id: Range<Int>?
  private var rawID: Range<Int>?
  private var type: Range<Int>?
  private var attachment: Range<Int>?
  private var clientDataJSON: Range<Int>?
  private var authenticatorData: Range<Int>?
  private var signature: Range<Int>?
  private var userHandle: Range<Int>?
  private var hasResponse = false
  private var hasExtensionResults = false

  static func read(_ json: Bytes) -> AuthenticationResponse? {
    guard json.count <= JSON.maximumMessageSize else { return nil }
    let text = json.span
    var places = Self()
    var position = 0
    guard places.readResponse(in: text, at: &position) else { return nil }
    PlainText.skipWhiteSpace(in: text, at: &position)
    return position == text.count ? places.response(in: json) : nil
  }

  // MARK: Locating the values

  private mutating func readResponse(in text: Span<UInt8>, at position: inout Int) -> Bool {
    guard PlainText.read(UInt8(ascii: "{"), in: text, at: &position) else { return false }
    repeat {
      guard let name = Self.readName(in: text, at: &position) else { return false }
      let isRead =
        if Self.isEqual(name, "id", in: text) {
          Self.readOnce(&id, in: text, at: &position)
        } else if Self.isEqual(name, "rawId", in: text) {
          Self.readOnce(&rawID, in: text, at: &position)
        } else if Self.isEqual(name, "type", in: text) {
          Self.readOnce(&type, in: text, at: &position)
        } else if Self.isEqual(name, "response", in: text) {
          readAssertion(in: text, at: &position)
        } else if Self.isEqual(name, "authenticatorAttachment", in: text) {
          Self.readOnce(&attachment, in: text, at: &position)
        } else if Self.isEqual(name, "clientExtensionResults", in: text) {
          readNoExtensionResults(in: text, at: &position)
        } else {
          false
        }
      guard isRead else { return false }
    } while PlainText.read(UInt8(ascii: ","), in: text, at: &position)
    return PlainText.read(UInt8(ascii: "}"), in: text, at: &position)
  }

  private mutating func readAssertion(in text: Span<UInt8>, at position: inout Int) -> Bool {
    guard !hasResponse, PlainText.read(UInt8(ascii: "{"), in: text, at: &position) else { return false }
    hasResponse = true
    repeat {
      guard let name = Self.readName(in: text, at: &position) else { return false }
      let isRead =
        if Self.isEqual(name, "clientDataJSON", in: text) {
          Self.readOnce(&clientDataJSON, in: text, at: &position)
        } else if Self.isEqual(name, "authenticatorData", in: text) {
          Self.readOnce(&authenticatorData, in: text, at: &position)
        } else if Self.isEqual(name, "signature", in: text) {
          Self.readOnce(&signature, in: text, at: &position)
        } else if Self.isEqual(name, "userHandle", in: text) {
          Self.readOnce(&userHandle, in: text, at: &position)
        } else {
          false
        }
      guard isRead else { return false }
    } while PlainText.read(UInt8(ascii: ","), in: text, at: &position)
    return PlainText.read(UInt8(ascii: "}"), in: text, at: &position)
  }

  private mutating func readNoExtensionResults(in text: Span<UInt8>, at position: inout Int) -> Bool {
    guard !hasExtensionResults else { return false }
    hasExtensionResults = true
    return PlainText.read(UInt8(ascii: "{"), in: text, at: &position)
      && PlainText.read(UInt8(ascii: "}"), in: text, at: &position)
  }

  private static func readName(in text: Span<UInt8>, at position: inout Int) -> Range<Int>? {
    PlainText.skipWhiteSpace(in: text, at: &position)
    guard let name = PlainText.readExpected(in: text, at: &position),
      PlainText.read(UInt8(ascii: ":"), in: text, at: &position)
    else { return nil }
    return name
  }

  private static func readOnce(_ place: inout Range<Int>?, in text: Span<UInt8>, at position: inout Int) -> Bool {
    guard place == nil else { return false }
    PlainText.skipWhiteSpace(in: text, at: &position)
    place = PlainText.readExpected(in: text, at: &position)
    return place != nil
  }

  @inline(__always)
  private static func isEqual(_ place: Range<Int>, _ expected: StaticString, in text: Span<UInt8>) -> Bool {
    PlainText.isEqual(text.extracting(place), expected)
  }

  // MARK: Decoding the values

  private func response(in json: Bytes) -> AuthenticationResponse? {
    let text = json.span
    guard let id, let rawID, text.extracting(id).isEqual(to: text.extracting(rawID)),
      let type, Self.isEqual(type, "public-key", in: text),
      let clientDataJSON, let authenticatorData, let signature,
      attachment.map({ PlainText.isPlain(text.extracting($0)) }) ?? true
    else { return nil }
    // One array holds everything but the authenticator data. Client data and authenticator data each start at offset 0
    // of their array, because errors in them report offsets from their beginning.
    var bytes: [UInt8] = []
    var data: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    guard let clientDataJSON = Self.decode(clientDataJSON, of: text, onto: &bytes),
      let id = Self.decode(id, of: text, onto: &bytes),
      let signature = Self.decode(signature, of: text, onto: &bytes),
      let userHandle = Self.decode(userHandle ?? 0..<0, of: text, onto: &bytes),
      let authenticatorData = Self.decode(authenticatorData, of: text, onto: &data),
      let credentialID = try? CredentialID(bytes[id])
    else { return nil }
    var user: UserHandle?
    if !userHandle.isEmpty {
      user = try? UserHandle(bytes[userHandle])
      guard user != nil else { return nil }
    }
    return AuthenticationResponse(
      id: credentialID,
      authenticatorAttachment: attachment.map { place in
        AuthenticatorAttachment(
          rawValue: String(decoding: json.dropFirst(place.lowerBound).prefix(place.count), as: UTF8.self))
      },
      clientDataJSON: bytes[clientDataJSON], authenticatorData: data[authenticatorData], signature: bytes[signature],
      userHandle: user)
  }

  private static func decode(
    _ place: Range<Int>, of text: Span<UInt8>, onto bytes: inout [UInt8]
  ) -> Range<Int>? {
    let start = bytes.count
    return Base64URL.decode(text.extracting(place), onto: &bytes) ? start..<bytes.count : nil
  }
}
