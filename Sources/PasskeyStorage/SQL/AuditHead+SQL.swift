// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension AuditHead {
  /// The row that the trail's end is kept in, which is always there.
  static let reading = "SELECT sequence, hash FROM audit_head WHERE id = 1"

  init(_ row: SQLRow?) throws(StorageError) {
    guard let row else { throw StorageError(.corrupt, "the end of the audit trail is not there") }
    self.init(sequence: try row.integer(0), hash: Array(try row.bytes(1)))
  }

  var writing: SQLStatement {
    SQLStatement(
      "UPDATE audit_head SET sequence = $1, hash = $2 WHERE id = 1", [.integer(sequence), .bytes(hash[...])])
  }
}
