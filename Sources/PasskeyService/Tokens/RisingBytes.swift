// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// Random bytes with a timestamp prefix, like the UUIDs of RFC 9562 §5.7, so that newer values sort after older ones.
///
/// A store keeps its index sorted by key. Each fully random key changes a different page of the index. Rising keys that
/// are created at the same time change only its last page. The order need not be exact.
enum RisingBytes {
  /// The length of the timestamp prefix: seconds, and a fraction of a second.
  static let momentByteCount = 6

  static func draw(_ count: Int, at time: Timestamp, _ random: RandomSource) throws(ServiceError) -> [UInt8] {
    // A seeded source must give reproducible values, so only the given time enters the prefix.
    moment(time, random.isSeeded ? 0 : fraction) + (try random.draw(count - momentByteCount))
  }

  /// Returns the prefix for a time: its seconds, and a fraction of a second.
  static func moment(_ time: Timestamp, _ fraction: UInt16 = 0) -> [UInt8] {
    let moment = UInt64(UInt32(truncatingIfNeeded: time.secondsSince1970)) << 16 | UInt64(fraction)
    return (0..<momentByteCount).map { (index) in
      UInt8(truncatingIfNeeded: moment >> UInt64(8 * (momentByteCount - 1 - index)))
    }
  }

  /// The fraction of the current second in units of 1/65,536. It comes from another clock, whose second starts at some
  /// point within the given one, so an index grows at two places.
  private static var fraction: UInt16 {
    let attoseconds = (ContinuousClock.now - start).components.attoseconds
    return UInt16(truncatingIfNeeded: attoseconds / (1_000_000_000_000_000_000 / 65_536))
  }

  private static let start = ContinuousClock.now
}
