// SPDX-License-Identifier: Apache-2.0

internal import PasskeyService
internal import WebAuthnTypes
internal import WireFormats

/// A value that both databases store the same way.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes(Bytes)

  static func fixed(_ value: some FixedBytes) -> Self { .bytes(value.bytes[...]) }
  static func opaque<Value: OpaqueBytes>(_ value: Value?) -> Self { value.map { .bytes($0.bytes) } ?? .null }

  /// Text stored as bytes, because it may contain NUL, which PostgreSQL's text type rejects.
  static func utf8(_ text: String) -> Self { .bytes([UInt8](text.utf8)[...]) }
  static func time(_ time: Timestamp?) -> Self { time.map { .integer($0.secondsSince1970) } ?? .null }

  static func flag(_ flag: Bool) -> Self { .integer(flag ? 1 : 0) }
}
