// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// {1: 2, 3: -7, -1: 1, -2: h'…32 bytes…', -3: h'…32 bytes…'}       in CTAP2 canonical form, 77 bytes

extension COSEKey {
  /// Reads an ES256 key that is written as CTAP2 prescribes, as nearly every key of a passkey is. It gives up on
  /// everything else, and says nothing about it.
  ///
  /// All that is not a coordinate is the same in each such key, so it is compared and not read. The result is that of the
  /// full reading.
  init?(plainES256 bytes: Bytes) {
    guard bytes.count == Self.plainES256ByteCount else { return nil }
    let x = bytes.dropFirst(Self.beginning.count).prefix(Self.coordinateByteCount)
    let y = bytes.suffix(Self.coordinateByteCount)
    guard bytes.prefix(Self.beginning.count) == Self.beginning[...],
      bytes[x.endIndex..<y.startIndex] == Self.betweenCoordinates[...]
    else { return nil }
    self.init(unchecked: .ec2(curve: .p256, x: x, y: y), for: .es256)
  }

  private static let beginning: [UInt8] = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]
  private static let betweenCoordinates: [UInt8] = [0x22, 0x58, 0x20]
  private static let coordinateByteCount = 32
  private static let plainES256ByteCount = beginning.count + betweenCoordinates.count + 2 * coordinateByteCount
}
