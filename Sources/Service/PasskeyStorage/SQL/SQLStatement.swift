// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// A statement in the SQL subset that SQLite and PostgreSQL share, with parameters `$1`, `$2` and so on.
///
/// PostgreSQL infers parameter types from context. A parameter compared with an integer literal would be inferred as a
/// shorter integer than the eight bytes sent.
package struct SQLStatement: Sendable {
  package let text: String
  package let values: [SQLValue]

  /// Whether the statement is the store's, not one of the embedding server.
  package let isOwn: Bool

  package init(_ text: String, _ values: [SQLValue] = [], isOwn: Bool = true) {
    self.text = text
    self.values = values
    self.isOwn = isOwn
  }
}

extension SQLStatement {
  /// Marks a scrub of the files as due, in the transaction that deletes personal data.
  package static let markScrubDue = SQLStatement("UPDATE scrubs SET due = due + 1 WHERE id = 1")
}

/// A value that both databases store the same way.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes(Bytes)

  package static func opaque<Value: OpaqueBytes>(_ value: Value?) -> Self {
    value.map { .bytes($0.bytes[...]) } ?? .null
  }

  /// Text stored as bytes, because it may contain NUL, which PostgreSQL's text type rejects.
  package static func utf8(_ text: String) -> Self { .bytes([UInt8](text.utf8)[...]) }
  package static func time(_ time: UnixTime?) -> Self { time.map { .integer($0.secondsSince1970) } ?? .null }

  package static func text(_ text: String?) -> Self { text.map { .text($0) } ?? .null }

  package static func flag(_ flag: Bool) -> Self { .integer(flag ? 1 : 0) }
}
