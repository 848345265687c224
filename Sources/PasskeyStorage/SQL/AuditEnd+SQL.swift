// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService

extension AuditEnd {
  /// Reads the row with the end of the chain, which always exists.
  static let reading = "SELECT sequence, hash, seal FROM audit_head WHERE id = 1"

  init(_ row: SQLRow?) throws(StorageError) {
    guard let row else { throw StorageError(.corrupt, "the end of the audit trail is not there") }
    self.init(
      head: AuditHead(sequence: try row.integer(0), hash: Array(try row.bytes(1))),
      seal: row.isNull(2) ? .missing : .tag(Array(try row.bytes(2))))
  }

  var writing: SQLStatement {
    let tag: SQLValue = if case .tag(let tag) = seal { .bytes(tag[...]) } else { .null }
    return SQLStatement(
      "UPDATE audit_head SET sequence = $1, hash = $2, seal = $3 WHERE id = 1",
      [.integer(head.sequence), .bytes(head.hash[...]), tag])
  }
}
