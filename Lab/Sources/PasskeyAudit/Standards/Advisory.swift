// SPDX-License-Identifier: Apache-2.0

/// A published advisory about the passkeys of a server, a library or a service.
package struct Advisory: Sendable {
  /// The number: that of the CVE Program or of GitHub's advisories.
  package let id: String

  /// The server or the library.
  package let product: String

  /// The first versions without the defect, as the advisory names them; nil if it names none.
  package let fixed: String?

  /// The defect, in our words.
  package let defect: String

  package let coverage: Coverage

  /// Whether an audit finds the defect.
  package enum Coverage: Sendable {
    /// The checks that find it, by ID, and the condition under which they do, if there is one.
    case found([String], if: String? = nil)
    /// Why no check of a live server does.
    case notFound(String)
  }

  init(_ id: String, _ product: String, fixed: String?, _ defect: String, _ coverage: Coverage) {
    self.id = id
    self.product = product
    self.fixed = fixed
    self.defect = defect
    self.coverage = coverage
  }

  /// The checks that find the defect.
  package var checks: [String] {
    if case .found(let checks, _) = coverage { checks } else { [] }
  }

  /// The condition under which the checks find the defect, or why none does; nil if the checks find it in any case.
  package var remark: String? {
    switch coverage {
    case .found(_, let condition): condition
    case .notFound(let reason): reason
    }
  }

  /// The address of the advisory.
  package var link: String {
    id.hasPrefix("CVE-") ? "https://www.cve.org/CVERecord?id=\(id)" : "https://github.com/advisories/\(id)"
  }
}
