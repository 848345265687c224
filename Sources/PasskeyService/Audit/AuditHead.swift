// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// The end of the audit chain: the number and hash of the last record. Kept elsewhere, it reveals a later truncation.
public struct AuditHead: Hashable, Sendable {
  /// The number of the last record; zero for an empty chain.
  public var sequence: Int64

  /// The hash of the last record; zeros for an empty chain.
  public var hash: [UInt8]

  static let hashByteCount = 32

  /// The end of an empty chain.
  public static let beginning = Self(sequence: 0, hash: [UInt8](repeating: 0, count: hashByteCount))

  /// Creates a head from its stored fields.
  public init(sequence: Int64, hash: [UInt8]) {
    self.sequence = sequence
    self.hash = hash
  }
}

extension AuditHead: CustomStringConvertible {
  /// The number, and the hash in hexadecimal.
  public var description: String { "\(sequence) \(Hex.encode(hash[...]))" }
}
