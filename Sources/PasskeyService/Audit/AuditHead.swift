// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

/// The end of the audit chain: the last record's number and hash. Kept elsewhere, it shows later that nothing was cut off.
public struct AuditHead: Hashable, Sendable {
  /// The last record's number; zero where there is none.
  public var sequence: Int64

  /// The last record's hash; zeros where there is none.
  public var hash: [UInt8]

  static let hashByteCount = 32

  /// The end of a chain that has no record yet.
  public static let beginning = Self(sequence: 0, hash: [UInt8](repeating: 0, count: hashByteCount))

  /// Puts together what a store has.
  public init(sequence: Int64, hash: [UInt8]) {
    self.sequence = sequence
    self.hash = hash
  }
}

extension AuditHead: CustomStringConvertible {
  /// The number and the hash in hex.
  public var description: String { "\(sequence) \(Hex.encode(hash[...]))" }
}
