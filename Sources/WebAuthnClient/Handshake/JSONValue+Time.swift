// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension JSONValue {
  /// Returns a time member, given as an RFC 3339 string or as seconds since 1970. Returns nil if it is missing or
  /// malformed.
  func time(_ name: String) -> Timestamp? {
    guard let value = try? self[name] else { return nil }
    if let text = try? value.string { return try? Timestamp(rfc3339: text) }
    return (try? value.int64).map { Timestamp(secondsSince1970: $0) }
  }
}
