// SPDX-License-Identifier: Apache-2.0

public import WireFormats

extension ClientData {
  /// Makes client data as a client does, serialised by WebAuthn §5.8.1.1.
  public init(
    type: ClientDataType, challenge: Challenge, origin: Origin, crossOrigin: Bool = false, topOrigin: Origin? = nil
  ) {
    var text = ClientDataWriter()
    text.writeBeginning(type: type, challenge: challenge, origin: origin)
    text.write(crossOrigin ? "true" : "false")
    if let topOrigin { text.writeTopOrigin(topOrigin) }
    text.write("}")
    self.init(
      encoded: text.bytes[...], type: type, challenge: challenge.bytes, originUTF8: [UInt8](origin.text.utf8)[...],
      crossOrigin: crossOrigin, topOriginUTF8: topOrigin.map { [UInt8]($0.text.utf8)[...] })
  }

  /// Whether `bytes` are client data of this type for this challenge and origin: the limited verification algorithm
  /// (WebAuthn §5.8.1.2) where it decides, and otherwise a full parse, so that the answer is that of the full parse.
  ///
  /// Where a top origin is given, the caller was in a frame of another origin; where none is, it was not. A client that
  /// wrote before Level 3 does not name the top origin; `requiresTopOrigin` says whether that is a fault.
  ///
  /// No says only that; ``init(parsing:)`` tells what is otherwise.
  public static func matches(
    _ bytes: Bytes, type: ClientDataType, challenge: Challenge, origin: Origin, topOrigin: Origin? = nil,
    requiresTopOrigin: Bool = true
  ) -> Bool {
    var expected = ClientDataWriter(capacity: bytes.count)
    expected.writeBeginning(type: type, challenge: challenge, origin: origin)
    if let topOrigin {
      expected.write("true")
      if requiresTopOrigin || bytes.dropFirst(expected.bytes.count).starts(with: ClientDataWriter.topOriginName.utf8) {
        expected.writeTopOrigin(topOrigin)
      }
    } else {
      expected.write("false")
    }
    // Behind a comma the algorithm looks no further. What stands there may be no JSON, or say a member again, so only
    // the end of the text is taken for a yes.
    expected.write("}")
    if bytes == expected.bytes[...], bytes.count <= JSON.maximumMessageSize { return true }

    guard let clientData = try? ClientData(parsing: bytes), clientData.type == type,
      clientData.challenge == challenge.bytes, origin.isSerialized(as: clientData.originUTF8)
    else { return false }
    return clientData.isWithin(topOrigin, requiresTopOrigin: requiresTopOrigin)
  }

  private func isWithin(_ topOrigin: Origin?, requiresTopOrigin: Bool) -> Bool {
    guard let topOrigin else { return crossOrigin != true && topOriginUTF8 == nil }
    guard let topOriginUTF8 else { return crossOrigin == true && !requiresTopOrigin }
    return crossOrigin == true && topOrigin.isSerialized(as: topOriginUTF8)
  }
}

/// Writes the pieces of §5.8.1.1.
private struct ClientDataWriter {
  static let topOriginName = ",\"topOrigin\":"

  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  mutating func writeBeginning(type: ClientDataType, challenge: Challenge, origin: Origin) {
    write("{\"type\":")
    writeString(type.rawValue)
    write(",\"challenge\":")
    writeString(challenge.description)
    write(",\"origin\":")
    writeString(origin.text)
    write(",\"crossOrigin\":")
  }

  mutating func writeTopOrigin(_ origin: Origin) {
    write(Self.topOriginName)
    writeString(origin.text)
  }

  mutating func write(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// The function CCDToString: unlike other JSON it escapes every control character by number.
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
