// SPDX-License-Identifier: Apache-2.0

import PasskeyAudit
import PasskeyTestSupport
import Testing

@Suite struct CheckCatalogTests {
  @Test func `Checks.md is the output of passkey audit list --markdown`() throws {
    let page = String(decoding: try File.bytes("\(projectFolder)/Lab/Documentation/Audit/Checks.md"), as: UTF8.self)
    #expect(
      page == CheckCatalog(Check.all).markdown, "passkey audit list --markdown >Lab/Documentation/Audit/Checks.md")
  }

  @Test(
    arguments: [
      ("CVE.md", "--advisories", AdvisoryCatalog.markdown),
      ("Standards.md", "--standards", RequirementCatalog.markdown),
    ])
  func `the pages of advisories and standards are outputs of passkey audit list`(
    name: String, option: String, text: String
  ) throws {
    let page = String(decoding: try File.bytes("\(projectFolder)/Lab/Documentation/Audit/\(name)"), as: UTF8.self)
    #expect(page == text, "passkey audit list \(option) >Lab/Documentation/Audit/\(name)")
  }

  @Test func `every check is described completely`() {
    #expect(Check.all.count >= 120)
    #expect(Set(Check.all.map(\.id)).count == Check.all.count)
    for check in Check.all {
      #expect(check.id.hasPrefix("\(check.group.rawValue)."), "\(check.id)")
      #expect(!check.references.isEmpty && !check.rationale.isEmpty && !check.advice.isEmpty, "\(check.id)")
      #expect(check.title.first?.isUppercase == false && !check.title.hasSuffix("."), "\(check.id)")
    }
  }
}
