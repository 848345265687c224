// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension JSONValue {
  /// A moment: a text of RFC 3339, or a number of seconds since 1970; nil where there is none.
  func time(_ name: String) -> Timestamp? {
    guard let value = try? self[name] else { return nil }
    if let text = try? value.string { return try? Timestamp(rfc3339: text) }
    return (try? value.int64).map { Timestamp(secondsSince1970: $0) }
  }
}
