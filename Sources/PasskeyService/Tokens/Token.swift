// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// A secret that its owner shows and nobody else has: of a session, of its renewal, or of a confirmed act.
///
/// It leaves the server once, in the answer that makes it, and is not kept there: what is stored is its ``digest``. It is
/// never printed. It begins with the moment at which it was made, for the sake of the store's order.
public struct Token: Sendable {
  private let bytes: [UInt8]

  /// How many bytes each has [as many as its hash; 26 of them are random, and none can be guessed].
  public static let byteCount = 32

  /// What the store has in its place.
  public var digest: TokenDigest { TokenDigest(of: bytes[...], keeping: RisingBytes.momentByteCount) }

  /// The secret itself, in base64url, for whoever may have it.
  public var exposedText: String { Base64URL.encode(bytes) }

  /// Reads what somebody shows; whatever has not the form of a token is nil.
  public init?(_ text: String) {
    guard let bytes = try? Base64URL.decode(text), bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  init(at time: Timestamp, random: RandomSource) throws(ServiceError) {
    bytes = try RisingBytes.draw(Self.byteCount, at: time, random)
  }

  /// The successor of a token that was shown at a moment, for a purpose: the same whenever it is derived, and not to be
  /// derived without the key.
  init(of purpose: String, succeeding token: Token, at time: Timestamp, key: SecretBytes) {
    var message = ByteWriter()
    message.write([UInt8]("passkey successor 1 \(purpose)".utf8))
    message.write(UInt64(bitPattern: time.secondsSince1970))
    message.write(token.bytes)
    let moment = RisingBytes.moment(time)
    bytes = moment + HMAC.tag(of: message.bytes[...], key: key).prefix(Self.byteCount - moment.count)
  }
}

extension Token: CustomStringConvertible, CustomReflectable {
  /// That it is one, and not which.
  public var description: String { "a token" }

  /// Nothing to see, for `dump` and for failing tests.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension RandomSource {
  /// Draws bytes, with this floor's error.
  func draw(_ count: Int) throws(ServiceError) -> [UInt8] {
    do throws(CryptoError) {
      return try bytes(count)
    } catch {
      throw ServiceError(.randomnessUnavailable, cause: .crypto(error))
    }
  }

  /// Draws an identifier.
  func draw<Identifier: FixedBytes>(_: Identifier.Type) throws(ServiceError) -> Identifier {
    Identifier(unchecked: try draw(Identifier.byteCount))
  }
}
