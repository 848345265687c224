// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The list of all checks.
package struct CheckCatalog {
  package let checks: [Check]

  package init(_ checks: [Check]) {
    self.checks = checks
  }

  /// Rows of a table: id, severity and title.
  package var rows: [[String]] { checks.map { [$0.id, $0.severity.rawValue, $0.title] } }

  /// The list as a JSON object.
  package var json: [UInt8] {
    JSON.writeObject { (object) in
      object.writeArray("checks") { (items) in
        for check in checks {
          items.writeObject { (item) in
            item.write("id", check.id)
            item.write("group", check.group.rawValue)
            item.write("title", check.title)
            item.writeArray("references") { (texts) in for text in check.references { texts.write(text) } }
            item.write("severity", check.severity.rawValue)
            item.write("rationale", check.rationale)
            item.write("advice", check.advice)
            item.writeArray("advisories") { (texts) in for id in check.advisories { texts.write(id) } }
          }
        }
      }
    }
  }

  /// Returns a link to a check on the page, from a page beside it.
  static func link(_ id: String) -> String {
    "[`\(id)`](Checks.md#\(id.filter { $0 != "." }))"
  }

  /// The list as a page in Markdown.
  package var markdown: String {
    let introduction = """
      # The checks of an audit

      `passkey audit list --markdown` prints this page; a test compares the two. [The guide](Guide.md) describes how to run \
      an audit. [Advisories](CVE.md) lists the published advisories that it finds, [Standards](Standards.md) the requirements \
      that it judges. Every check passes, fails, or cannot tell with a reason.

      \(checks.count) checks in \(CheckGroup.allCases.count) groups:

      | group | checks |
      |---|---:|
      \(CheckGroup.allCases.map { (group) in "| [\(group.rawValue)](#\(group.rawValue)) | \(checks.count { $0.group == group }) |" }
        .joined(separator: "\n"))
      """
    let sections = CheckGroup.allCases.map { (group) in
      let entries = checks.filter { $0.group == group }.map { (check) in
        """
        ### `\(check.id)`

        The server \(check.title). Severity: **\(check.severity)**. \(check.references.joined(separator: ", ")).

        - Why: \(check.rationale)
        - Advice: \(check.advice)\(advisories(of: check))
        """
      }
      return (["## \(group.rawValue)", group.introduction] + entries).joined(separator: "\n\n")
    }
    return ([introduction] + sections).joined(separator: "\n\n") + "\n"
  }

  /// A line with the advisories about servers that a check finds.
  private func advisories(of check: Check) -> String {
    let ids = check.advisories
    return ids.isEmpty ? "" : "\n- Advisories: [\(ids.joined(separator: ", "))](CVE.md)"
  }
}

extension CheckGroup {
  /// The common ground of the checks in the group.
  fileprivate var introduction: String {
    switch self {
    case .registration: "Invalid registrations, each with one fault, which the server has to refuse."
    case .authentication: "Invalid sign-ins, each with one fault, which the server has to refuse."
    case .state: "Challenges and pending ceremonies: replay, mixing, expiry and parallel use."
    case .session: "Sessions after a sign-in: their identifiers, their cookies and tokens, and their end."
    case .enumeration: "What a stranger learns about accounts from responses, their sizes and their times."
    case .limits: "Limits for requests, and whether a stranger can lock out the owner of an account."
    case .stepUp: "Confirmations of single actions with a passkey."
    case .http: "The HTTP interface: other origins, header fields, methods, malformed messages and TLS."
    case .documents: "Documents below /.well-known that browsers and systems read."
    case .management: "The management of passkeys and the account by its owner."
    }
  }
}
