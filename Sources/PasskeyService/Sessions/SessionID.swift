// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// The identifier of a session in lists and in the audit trail. It is not a token and grants no access. It begins with
/// the time when the session was opened, so that the store can append to its index.
public struct SessionID: FixedBytes {
  /// The bytes.
  public let bytes: [UInt8]

  /// The length, the same as a UUID's.
  public static let byteCount = 16

  /// Creates an ID from bytes whose length is already checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  init(at time: Timestamp, random: RandomSource) throws(ServiceError) {
    bytes = try RisingBytes.draw(Self.byteCount, at: time, random)
  }
}
