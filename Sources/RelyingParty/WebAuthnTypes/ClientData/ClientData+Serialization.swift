// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension ClientData {
  /// Creates client data, serialized as WebAuthn §5.8.1.1 prescribes.
  package init(
    type: ClientDataType, challenge: Challenge, origin: WebOrigin, crossOrigin: Bool = false,
    topOrigin: WebOrigin? = nil
  ) {
    var text = ClientDataWriter()
    text.writeBeginning(type: type, challenge: challenge, origin: origin)
    text.write(crossOrigin ? "true" : "false")
    if let topOrigin { text.writeTopOrigin(topOrigin) }
    text.write("}")
    self.init(
      encoded: text.bytes[...], type: type, challenge: challenge.bytes[...], originUTF8: Bytes(origin.text.utf8),
      crossOrigin: crossOrigin, topOriginUTF8: topOrigin.map { Bytes($0.text.utf8) })
  }
}

/// A writer of the serialization of WebAuthn §5.8.1.1.
private struct ClientDataWriter {
  private(set) var bytes: [UInt8] = []

  mutating func writeBeginning(type: ClientDataType, challenge: Challenge, origin: WebOrigin) {
    write("{\"type\":")
    writeString(type.rawValue)
    write(",\"challenge\":")
    writeString(challenge.description)
    write(",\"origin\":")
    writeString(origin.text)
    write(",\"crossOrigin\":")
  }

  mutating func writeTopOrigin(_ origin: WebOrigin) {
    write(",\"topOrigin\":")
    writeString(origin.text)
  }

  mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes a string as CCDToString (§5.8.1.1) prescribes: every control character is escaped by number.
  private mutating func writeString(_ text: String) {
    write("\"")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): write("\\\"")
      case UInt8(ascii: "\\"): write("\\\\")
      case ..<0x20: write("\\u00\(Hex.encode([byte]))")
      default: bytes.append(byte)
      }
    }
    write("\"")
  }
}

/// A fast parser for client data in the exact form of WebAuthn §5.8.1.1: members in the prescribed order, no white
/// space, no escapes, no further members. It returns nil for any other text, which the JSON parser then handles.
enum SerializedClientData {
  static func read(_ bytes: Bytes) -> ClientData? {
    guard bytes.count <= JSON.maximumMessageSize, let places = Places(in: bytes.span) else { return nil }
    func slice(_ range: Range<Int>) -> Bytes {
      bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound]
    }
    guard let challenge = try? Base64URL.decode(slice(places.challenge)) else { return nil }
    return ClientData(
      encoded: bytes,
      type: ClientDataType(rawValue: String(decoding: slice(places.type), as: UTF8.self)),
      challenge: challenge[...],
      originUTF8: slice(places.origin),
      crossOrigin: places.crossOrigin,
      topOriginUTF8: places.topOrigin.map(slice))
  }

  /// The ranges of the values in the text.
  private struct Places {
    let type: Range<Int>
    let challenge: Range<Int>
    let origin: Range<Int>
    let crossOrigin: Bool
    let topOrigin: Range<Int>?

    init?(in text: Span<UInt8>) {
      var position = 0
      guard PlainText.read("{\"type\":", in: text, at: &position),
        let type = PlainText.readString(in: text, at: &position),
        PlainText.read(",\"challenge\":", in: text, at: &position),
        let challenge = PlainText.readString(in: text, at: &position),
        PlainText.read(",\"origin\":", in: text, at: &position),
        let origin = PlainText.readString(in: text, at: &position),
        PlainText.read(",\"crossOrigin\":", in: text, at: &position)
      else { return nil }
      let crossOrigin = PlainText.read("true", in: text, at: &position)
      guard crossOrigin || PlainText.read("false", in: text, at: &position) else { return nil }
      var topOrigin: Range<Int>?
      if PlainText.read(",\"topOrigin\":", in: text, at: &position) {
        topOrigin = PlainText.readString(in: text, at: &position)
        guard topOrigin != nil else { return nil }
      }
      guard PlainText.read("}", in: text, at: &position), position == text.count else { return nil }
      (self.type, self.challenge, self.origin) = (type, challenge, origin)
      (self.crossOrigin, self.topOrigin) = (crossOrigin, topOrigin)
    }
  }
}
