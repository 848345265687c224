// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// What a session is called, in lists and in the audit trail: not its token, and nothing can be done with it alone. It
/// begins with the moment at which the session was opened, for the sake of the store's order.
public struct SessionID: FixedBytes {
  /// The bytes.
  public let bytes: [UInt8]

  /// As many as a UUID has.
  public static let byteCount = 16

  /// Takes bytes whose number was checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(at time: Timestamp, random: RandomSource) throws(ServiceError) {
    bytes = try RisingBytes.draw(Self.byteCount, at: time, random)
  }
}
