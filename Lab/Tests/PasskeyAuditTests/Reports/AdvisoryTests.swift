// SPDX-License-Identifier: Apache-2.0

import FaultyRelyingParty
import Testing

@testable import PasskeyAudit

/// The published advisories and the checks that find them.
struct AdvisoryTests {
  @Test func `every check that an advisory names exists, and the faulty relying party has its defect`() {
    let checks = Set(Check.all.map(\.id))
    let faults = Set(RelyingPartyFault.all.map(\.check))
    for advisory in Advisory.all {
      #expect(checks.isSuperset(of: advisory.checks), "\(advisory.id)")
      #expect(faults.isSuperset(of: advisory.checks), "\(advisory.id)")
      #expect(Set(advisory.checks).count == advisory.checks.count, "\(advisory.id)")
    }
  }

  @Test func `every advisory has a number, a defect, and either checks or a reason`() {
    #expect(Advisory.all.count >= 30)
    #expect(Set(Advisory.all.map(\.id)).count == Advisory.all.count)
    for advisory in Advisory.all {
      let isCVE = advisory.id.wholeMatch(of: /CVE-202[1-6]-\d{4,6}/) != nil
      let isGHSA = advisory.id.wholeMatch(of: /GHSA(-[23456789cfghjmpqrvwx]{4}){3}/) != nil
      #expect(isCVE || isGHSA, "\(advisory.id)")
      #expect(advisory.defect.hasSuffix(".") && !advisory.product.isEmpty, "\(advisory.id)")
      switch advisory.coverage {
      case .found(let checks, _): #expect(!checks.isEmpty, "\(advisory.id)")
      case .notFound(let reason): #expect(reason.hasSuffix("."), "\(advisory.id)")
      }
      for text in [advisory.product, advisory.fixed ?? "", advisory.defect] { #expect(!text.contains("|")) }
    }
  }

  @Test func `checks name the advisories that they find`() throws {
    let check = try #require(Check.all.first { $0.id == "authentication.ids-disagree" })
    #expect(check.advisories == ["CVE-2026-0723"])
  }
}
