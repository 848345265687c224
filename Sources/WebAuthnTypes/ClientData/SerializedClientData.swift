// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// Reads client data that are written exactly as WebAuthn §5.8.1.1 prescribes: its members in their order, nothing behind
/// them, no white space and no escapes. It gives up on everything else, and says nothing about it.
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

  /// Where the values stand.
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
