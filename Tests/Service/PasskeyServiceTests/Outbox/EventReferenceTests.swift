// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing

@testable import PasskeyService

/// Compares the reference in Documentation/Events.md with ``NoticeRule/all``. If they differ, the failure shows the reference
/// that the page must contain.
@Suite struct EventReferenceTests {
  @Test func `the payload reference matches the code`() throws {
    let page = String(decoding: try File.bytes("\(projectFolder)/Documentation/Events.md"), as: UTF8.self)
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "<!-- reference -->"))
    let end = try #require(lines.firstIndex(of: "<!-- until here -->"))
    #expect(lines[(start + 1)..<end].joined(separator: "\n") + "\n" == Self.reference)
  }

  @Test func `events are sorted and every rule has members with meanings`() {
    let names = NoticeRule.all.map(\.event.rawValue)
    #expect(names == names.sorted())
    for rule in NoticeRule.all {
      #expect(!rule.members.isEmpty && rule.meaning.hasSuffix("."))
      #expect(rule.members.allSatisfy { !$0.meaning.isEmpty })
    }
  }

  static var reference: String {
    var lines = ["| event | when it is written | members of `data` |", "|---|---|---|"]
    for rule in NoticeRule.all {
      let members = rule.members.map { "`\($0.name)`" }.joined(separator: " ")
      lines.append("| `\(rule.event)` | \(rule.meaning) | \(members) |")
    }
    lines += ["", "| member | value |", "|---|---|"]
    let members = Set(NoticeRule.all.flatMap(\.members)).sorted { $0.name < $1.name }
    lines += members.map { "| `\($0.name)` | \($0.meaning) |" }
    return lines.joined(separator: "\n") + "\n"
  }
}
