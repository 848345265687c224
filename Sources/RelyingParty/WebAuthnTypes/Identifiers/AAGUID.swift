// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The identifier of an authenticator model (WebAuthn §6.5.1): 16 bytes, written like a UUID.
public struct AAGUID: Hashable, Sendable {
  /// The 16 bytes.
  public let bytes: [UInt8]

  /// The all-zero identifier, which means that the model is not disclosed.
  package static let zero = Self(unchecked: [UInt8](repeating: 0, count: byteCount))

  /// The length of every AAGUID.
  package static let byteCount = 16

  /// Creates an identifier from 16 bytes; nil for any other length.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.init(unchecked: bytes)
  }

  /// Parses the text form of a UUID, in either case; nil if malformed.
  public init?(uuid text: String) {
    let groups = text.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12], let bytes = try? Hex.decode(groups.joined()) else {
      return nil
    }
    self.init(bytes)
  }

  /// Creates an identifier from exactly 16 bytes.
  package init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }
}

extension AAGUID: CustomStringConvertible {
  /// The identifier in the text form of a UUID, in lower case.
  public var description: String {
    let digits = bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 0xf)]] }
    let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
    return groups.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
  }

  private static let digits = [UInt8]("0123456789abcdef".utf8)
}
