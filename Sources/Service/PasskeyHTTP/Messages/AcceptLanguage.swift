// SPDX-License-Identifier: Apache-2.0

/// The field `Accept-Language` (RFC 9110 §12.5.4).
package enum AcceptLanguage {
  // 16 ranges [browsers send the languages of their settings, some two to five]
  private static let maximumCount = 16

  /// Returns the languages of a field without their regions, such as `de` for `de-AT`, the preferred one first.
  package static func languages(in field: String) -> [String] {
    let ranges = field.split(separator: ",").prefix(maximumCount).compactMap {
      (range) -> (name: String, quality: Double)? in
      let parts = range.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
      guard let tag = parts.first else { return nil }
      let name = String(tag.prefix { $0 != "-" })
      guard 2...3 ~= name.utf8.count, name.utf8.allSatisfy({ 0x61...0x7a ~= $0 }) else { return nil }
      let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      return quality > 0 ? (name, quality) : nil
    }
    return ranges.enumerated().sorted { (one, other) in
      (other.element.quality, one.offset) < (one.element.quality, other.offset)
    }.map(\.element.name)
  }
}
