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
      guard SerializedClientData.read("{\"type\":", in: text, at: &position),
        let type = readString(in: text, at: &position),
        SerializedClientData.read(",\"challenge\":", in: text, at: &position),
        let challenge = readString(in: text, at: &position),
        SerializedClientData.read(",\"origin\":", in: text, at: &position),
        let origin = readString(in: text, at: &position),
        SerializedClientData.read(",\"crossOrigin\":", in: text, at: &position)
      else { return nil }
      let crossOrigin = SerializedClientData.read("true", in: text, at: &position)
      guard crossOrigin || SerializedClientData.read("false", in: text, at: &position) else { return nil }
      var topOrigin: Range<Int>?
      if SerializedClientData.read(",\"topOrigin\":", in: text, at: &position) {
        topOrigin = readString(in: text, at: &position)
        guard topOrigin != nil else { return nil }
      }
      guard SerializedClientData.read("}", in: text, at: &position), position == text.count else { return nil }
      (self.type, self.challenge, self.origin) = (type, challenge, origin)
      (self.crossOrigin, self.topOrigin) = (crossOrigin, topOrigin)
    }
  }

  /// Steps over `expected`, or stays.
  private static func read(_ expected: String, in text: Span<UInt8>, at position: inout Int) -> Bool {
    let expected = expected.utf8Span.span
    guard expected.count <= text.count - position else { return false }
    for place in expected.indices where text[position + place] != expected[place] { return false }
    position += expected.count
    return true
  }

  /// Steps over a string of plain ASCII and its quotation marks, and returns where its characters are.
  private static func readString(in text: Span<UInt8>, at position: inout Int) -> Range<Int>? {
    guard position < text.count, text[position] == UInt8(ascii: "\"") else { return nil }
    let start = position + 1
    var end = start
    while end < text.count {
      switch text[end] {
      case UInt8(ascii: "\""):
        position = end + 1
        return start..<end
      case UInt8(ascii: "\\"), ..<0x20, 0x80...: return nil
      default: end += 1
      }
    }
    return nil
  }
}
