// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// An audit record as stored, not verified yet.
public struct FiledAuditRecord: Sendable {
  /// The index keys that the record is filed under.
  public var filing: AuditFiling

  /// The stored bytes.
  public var encoded: Bytes

  /// Creates a filed record from a store's row.
  public init(filing: AuditFiling, encoded: Bytes) {
    self.filing = filing
    self.encoded = encoded
  }
}
