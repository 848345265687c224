// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// A record as a store has it, of which nothing is believed yet.
public struct FiledAuditRecord: Sendable {
  /// Under what it was found.
  public var filing: AuditFiling

  /// What is kept there.
  public var encoded: Bytes

  /// Puts together what a store has.
  public init(filing: AuditFiling, encoded: Bytes) {
    self.filing = filing
    self.encoded = encoded
  }
}
