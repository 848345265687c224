// SPDX-License-Identifier: Apache-2.0

/// The list of all requirements, as a page in Markdown.
package enum RequirementCatalog {
  /// The checks that judge none of the requirements.
  package static var unmapped: [Check] {
    let mapped = Set(Requirement.all.flatMap(\.checks).map(\.id))
    return Check.all.filter { !mapped.contains($0.id) }
  }

  package static var markdown: String {
    let rest = unmapped
    let groups = CheckGroup.allCases.compactMap { (group) -> String? in
      let checks = rest.filter { $0.group == group }
      guard !checks.isEmpty else { return nil }
      return "| \(group.rawValue) | \(checks.map { CheckCatalog.link($0.id) }.joined(separator: ", ")) |"
    }
    return """
      # Checks and standards

      `passkey audit list --standards` prints this page; a test compares the two. It says which requirements of OWASP \
      ASVS 5.0 (V6 and V7) and NIST SP 800-63B-4 (for AAL2 and AAL3) the [checks](Checks.md) judge, in our words, and \
      what they do not judge.

      A passed check shows that a server did not have one defect when it was audited. It is no proof of conformance, \
      which needs the texts of the standards, documents, and a person who reads both.

      ## OWASP ASVS 5.0, V6 and V7

      | section | level | requirement | checks | not judged |
      |---|---|---|---|---|
      \(rows(.asvs))

      ## NIST SP 800-63B-4

      For a server with passkeys only, AAL2 needs user verification in every ceremony, and a new sign-in after a day. \
      AAL3 also needs a policy that admits only hardware keys that cannot be synced, by their attestation, and shorter \
      sessions.

      | section | levels | requirement | checks | not judged |
      |---|---|---|---|---|
      \(rows(.nist))

      ## Checks of none of these

      They follow WebAuthn, other chapters of the ASVS, and the RFCs that [their descriptions](Checks.md) name.

      | group | checks |
      |---|---|
      \(groups.joined(separator: "\n"))

      """
  }

  private static func rows(_ standard: Requirement.Standard) -> String {
    Requirement.all.filter { $0.standard == standard }.map { (requirement) in
      let checks = requirement.checks.map { CheckCatalog.link($0.id) }.joined(separator: ", ")
      let cells = [
        requirement.section, requirement.level, requirement.text, checks.isEmpty ? "–" : checks,
        requirement.rest ?? "–",
      ]
      return "| \(cells.joined(separator: " | ")) |"
    }.joined(separator: "\n")
  }
}
