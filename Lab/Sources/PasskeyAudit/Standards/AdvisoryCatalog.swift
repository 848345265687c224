// SPDX-License-Identifier: Apache-2.0

/// The list of all advisories, as a page in Markdown.
package enum AdvisoryCatalog {
  package static var markdown: String {
    let (found, others) = (Advisory.all.filter { !$0.checks.isEmpty }, Advisory.all.filter { $0.checks.isEmpty })
    return """
      # Advisories that an audit finds

      `passkey audit list --advisories` prints this page; a test compares the two. It lists published advisories since \
      2021 that concern the passkeys of a server, a library or a service, and the checks that find the defect at a live \
      server. The search was on 2026-11-30; the list is not complete. Versions are those that the advisory names.

      A check finds the kind of defect, at endpoints that the profile describes; it knows no products and no versions. \
      Each is proven: the [faulty relying party](../../FaultyRelyingParty/README.md) has the defect as a switch of the \
      same name, and tests expect that this check fails, and no other. No product was audited for this page.

      \(Advisory.all.count) advisories, of which checks find \(found.count).

      ## Found

      | advisory | product | fixed in | defect | found by |
      |---|---|---|---|---|
      \(found.map { row($0, checks(of: $0)) }.joined(separator: "\n"))

      ## Not found

      | advisory | product | fixed in | defect | why not |
      |---|---|---|---|---|
      \(others.map { row($0, $0.remark ?? "") }.joined(separator: "\n"))

      """
  }

  private static func row(_ advisory: Advisory, _ last: String) -> String {
    let cells = [
      "[\(advisory.id)](\(advisory.link))", advisory.product, advisory.fixed ?? "–", advisory.defect, last,
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  private static func checks(of advisory: Advisory) -> String {
    let links = advisory.checks.map(CheckCatalog.link).joined(separator: ", ")
    return links + (advisory.remark.map { ", if \($0)" } ?? "")
  }
}
