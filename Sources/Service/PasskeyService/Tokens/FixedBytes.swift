// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
public import PasskeyFormats

/// An opaque, fixed-length byte string with its own type, so that different kinds cannot be confused.
///
/// Its text form is base64url, in paths, responses and logs: none of these values is a secret.
public protocol FixedBytes: Hashable, Sendable, CustomStringConvertible {
  /// The length in bytes.
  static var byteCount: Int { get }

  /// The bytes.
  var bytes: [UInt8] { get }

  /// Creates a value from bytes whose length is already checked.
  init(unchecked bytes: [UInt8])
}

extension FixedBytes {
  /// Creates a value from bytes. Returns nil if their number is wrong.
  @usableFromInline package init?(_ bytes: Bytes) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(unchecked: [UInt8](bytes))
  }

  /// Creates a value from bytes. Returns nil if their number is wrong.
  @inlinable
  package init?(_ bytes: some Collection<UInt8>) {
    self.init(Bytes(bytes))
  }

  /// Parses the text of ``description``. Returns nil if it is invalid.
  public init?(_ text: String) {
    guard let bytes = try? Base64URL.decode(text) else { return nil }
    self.init(bytes)
  }

  /// The bytes in base64url.
  public var description: String { Base64URL.encode(bytes) }
}

/// Random bytes with a timestamp prefix, like the UUIDs of RFC 9562 §5.7, so that newer values sort after older ones.
///
/// A store keeps its index sorted by key. Each fully random key changes a different page of the index. Rising keys that
/// are created at the same time change only its last page. The order need not be exact.
enum TimeOrderedBytes {
  /// The length of the timestamp prefix: seconds, and a fraction of a second.
  static let prefixByteCount = 6

  static func draw(_ count: Int, at time: UnixTime, _ random: RandomSource) throws(ServiceError) -> [UInt8] {
    // A seeded source must give reproducible values, so only the given time enters the prefix.
    timePrefix(time, random.isSeeded ? 0 : fraction) + (try random.draw(count - prefixByteCount))
  }

  /// Returns the prefix for a time: its seconds, and a fraction of a second.
  static func timePrefix(_ time: UnixTime, _ fraction: UInt16 = 0) -> [UInt8] {
    let moment = UInt64(UInt32(truncatingIfNeeded: time.secondsSince1970)) << 16 | UInt64(fraction)
    return (0..<prefixByteCount).map { (index) in
      UInt8(truncatingIfNeeded: moment >> UInt64(8 * (prefixByteCount - 1 - index)))
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
