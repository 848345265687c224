// SPDX-License-Identifier: Apache-2.0

/// How often each name occurs, for reports about parts of a file that are not transferred.
///
/// Limits:
///   64 names, of which the first 64 characters are kept  [a file may contain any number; a person reads the report]
package struct NameTally: Equatable, Sendable {
  private var counts: [String: Int] = [:]

  /// Creates an empty tally.
  package init() {}

  private static let maximumNameCount = 64
  private static let maximumNameLength = 64

  /// The name under which names beyond the limit are counted.
  package static let otherNames = "(other names)"

  /// The names, sorted, with their counts.
  package var entries: [(name: String, count: Int)] {
    counts.sorted { (left, right) in left.key < right.key }.map { (name, count) in (name, count) }
  }

  /// Whether no name was counted.
  package var isEmpty: Bool { counts.isEmpty }

  /// The count of a name.
  package subscript(name: String) -> Int { counts[name] ?? 0 }

  mutating func add(_ name: String, count: Int = 1) {
    let name = String(name.prefix(Self.maximumNameLength))
    let isListed = counts[name] != nil || counts.count < Self.maximumNameCount
    counts[isListed ? name : Self.otherNames, default: 0] += count
  }

  /// Adds the counts of another tally.
  package mutating func add(_ other: NameTally) {
    for (name, count) in other.entries { add(name, count: count) }
  }
}
