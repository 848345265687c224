// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PasskeyAudit

/// The requirements of standards and the checks that judge them.
struct RequirementTests {
  @Test func `every pattern of a requirement matches a check`() {
    for requirement in Requirement.all {
      for pattern in requirement.patterns {
        #expect(Check.all.contains { Requirement.matches($0.id, pattern) }, "\(requirement.reference): \(pattern)")
      }
    }
  }

  @Test func `every requirement has checks, or says what is not judged`() {
    #expect(Set(Requirement.all.map(\.reference)).count == Requirement.all.count)
    for requirement in Requirement.all {
      #expect(!requirement.checks.isEmpty || requirement.rest != nil, "\(requirement.reference)")
      // A range of sections is one that no check refers to.
      if requirement.section.contains("–") { #expect(requirement.checks.isEmpty, "\(requirement.reference)") }
    }
  }

  @Test func `every reference of a check to V6, V7 or NIST is a requirement on the page`() {
    let known = Set(Requirement.all.map(\.reference))
    for check in Check.all {
      for reference in check.references {
        let isListed = ["ASVS 5.0 6.", "ASVS 5.0 7.", "NIST SP 800-63B-4"].contains { reference.hasPrefix($0) }
        if isListed { #expect(known.contains(reference), "\(check.id): \(reference)") }
      }
    }
  }

  @Test func `every check is mapped, or listed as one of no requirement`() {
    let mapped = Set(Requirement.all.flatMap(\.checks).map(\.id))
    let unmapped = Set(RequirementCatalog.unmapped.map(\.id))
    #expect(mapped.union(unmapped).count == Check.all.count)
    #expect(mapped.isDisjoint(with: unmapped))
    #expect(mapped.count >= 120)
    for id in unmapped { #expect(RequirementCatalog.markdown.contains("`\(id)`"), "\(id)") }
  }

  @Test(
    arguments: [
      ("*.origin-*", "registration.origin-port", true), ("*.origin-*", "registration.cross-origin", false),
      ("enumeration.*", "enumeration.timing", true), ("session.expiry", "session.expiry-declared", false),
      ("*.user-presence", "authentication.user-presence", true), ("state.a*a", "state.a", false),
    ])
  func `a star in a pattern stands for any text`(pattern: String, id: String, matches: Bool) {
    #expect(Requirement.matches(id, pattern) == matches)
  }
}
