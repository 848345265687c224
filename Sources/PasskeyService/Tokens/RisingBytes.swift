// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// Random bytes behind the moment at which they were drawn, as RFC 9562 §5.7 makes UUIDs: what is made later is stored
/// behind what was made earlier.
///
/// A store keeps an index in the order of its keys. Keys that are chance alone change a page of it each, all over it; of
/// those that rise, what comes at the same time changes the last page together. The order need not be exact.
enum RisingBytes {
  /// How many bytes tell the moment: seconds, and a fraction of one.
  static let momentByteCount = 6

  static func draw(_ count: Int, at time: Timestamp, _ random: RandomSource) throws(ServiceError) -> [UInt8] {
    // What is drawn from a seed follows from that, and from the time that was given.
    moment(time, random.isSeeded ? 0 : fraction) + (try random.draw(count - momentByteCount))
  }

  /// The bytes of a moment: its seconds, and a fraction of one.
  static func moment(_ time: Timestamp, _ fraction: UInt16 = 0) -> [UInt8] {
    let moment = UInt64(UInt32(truncatingIfNeeded: time.secondsSince1970)) << 16 | UInt64(fraction)
    return (0..<momentByteCount).map { (index) in
      UInt8(truncatingIfNeeded: moment >> UInt64(8 * (momentByteCount - 1 - index)))
    }
  }

  /// What has passed of a second, in 65,536 parts. It is another clock's second, which begins anew somewhere within the
  /// given one: an index then has two places to grow at.
  private static var fraction: UInt16 {
    let attoseconds = (ContinuousClock.now - start).components.attoseconds
    return UInt16(truncatingIfNeeded: attoseconds / (1_000_000_000_000_000_000 / 65_536))
  }

  private static let start = ContinuousClock.now
}
