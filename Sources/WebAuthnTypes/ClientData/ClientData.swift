// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What a client says about a ceremony, in JSON (WebAuthn §5.8.1). A signature covers its bytes, which are kept.
///
/// Limits: those of ``/WireFormats/JSON``. Members that are not known are ignored, as the standard demands; so is
/// `tokenBinding`, which Level 3 only reserves. `crossOrigin` and `topOrigin` count as absent where they are null.
public struct ClientData: Hashable, Sendable {
  /// The bytes as they came.
  public let encoded: Bytes

  /// For what it was made.
  public let type: ClientDataType

  /// The challenge, decoded.
  public let challenge: Bytes

  /// The UTF-8 of the origin, as it came: ``Origin/isSerialized(as:)`` compares it.
  public let originUTF8: Bytes

  /// Whether the caller was in a frame of another origin, where the client says so.
  public let crossOrigin: Bool?

  /// The UTF-8 of the topmost frame's origin, where the client names it.
  public let topOriginUTF8: Bytes?

  /// The origin as it came.
  public var origin: String { String(decoding: originUTF8, as: UTF8.self) }

  /// The topmost frame's origin, where the client names it.
  public var topOrigin: String? { topOriginUTF8.map { String(decoding: $0, as: UTF8.self) } }

  /// Reads client data that are all of `bytes`.
  ///
  /// Text that is written as §5.8.1.1 prescribes, which is nearly all there is, needs no JSON parser. The result is the
  /// same: what the quick way does not know goes the other.
  public init(parsing bytes: Bytes) throws(FormatError) {
    if let clientData = SerializedClientData.read(bytes) {
      self = clientData
    } else {
      try self.init(parsingAsJSON: bytes)
    }
  }

  init(
    encoded: Bytes, type: ClientDataType, challenge: Bytes, originUTF8: Bytes, crossOrigin: Bool?, topOriginUTF8: Bytes?
  ) {
    self.encoded = encoded
    self.type = type
    self.challenge = challenge
    self.originUTF8 = originUTF8
    self.crossOrigin = crossOrigin
    self.topOriginUTF8 = topOriginUTF8
  }
}
