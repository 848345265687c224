// SPDX-License-Identifier: Apache-2.0

/// A requirement of a standard, and the checks that judge it.
package struct Requirement: Sendable {
  /// A standard whose requirements the page lists.
  package enum Standard: String, CaseIterable, Sendable {
    case asvs = "ASVS 5.0"
    case nist = "NIST SP 800-63B-4"
  }

  package let standard: Standard

  /// The number, or a range of numbers that no check judges.
  package let section: String

  /// The levels that have the requirement: those of the ASVS, or of authentication assurance.
  package let level: String

  /// The requirement, in our words.
  package let text: String

  /// The IDs of checks that judge it beside those that refer to it. `*` stands for any text.
  package let patterns: [String]

  /// The part that no check judges; nil if checks judge the whole.
  package let rest: String?

  init(
    _ standard: Standard, _ section: String, _ level: String, _ text: String, by patterns: [String] = [],
    notJudged rest: String? = nil
  ) {
    self.standard = standard
    self.section = section
    self.level = level
    self.text = text
    self.patterns = patterns
    self.rest = rest
  }

  /// The text by which a check refers to the requirement.
  package var reference: String { "\(standard.rawValue) \(standard == .nist ? "§" : "")\(section)" }

  /// The checks that judge the requirement.
  package var checks: [Check] {
    Check.all.filter { (check) in
      check.references.contains(reference) || patterns.contains { Self.matches(check.id, $0) }
    }
  }

  /// Whether an ID matches a pattern.
  package static func matches(_ id: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return id == pattern }
    guard id.hasPrefix(first), id.hasSuffix(last), id.utf8.count >= first.utf8.count + last.utf8.count else {
      return false
    }
    var rest = id.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
