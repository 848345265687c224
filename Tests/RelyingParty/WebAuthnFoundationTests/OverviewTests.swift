// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnFoundation
import WebAuthnTypes

/// Runs the code of the module's overview and compares it with the page.
struct OverviewTests {
  @Test func `the conversions of the overview give the expected values`() throws {
    let page = try #require(URL(string: "https://raxx.app/login"))
    let (row, uuid) = (Data([1, 2, 3]), UUID())
    // [shown]
    let origin = try WebOrigin(of: page)
    let expiry = Date(UnixTime.now + .seconds(300))
    let handle = try UserHandle(row)
    let model = AAGUID(uuid)
    // [until here]
    #expect(origin.text == "https://raxx.app")
    #expect(expiry > Date())
    #expect(handle.bytes.elementsEqual([1, 2, 3]))
    #expect(UUID(model) == uuid)
  }

  @Test func `the overview shows this code`() throws {
    let shown = try ShownCode.blocks(
      inDocument:
        "\(projectFolder)/Sources/RelyingParty/WebAuthnFoundation/WebAuthnFoundation.docc/WebAuthnFoundation.md")
    let run = try ShownCode.regions(
      inSource: "\(projectFolder)/Tests/RelyingParty/WebAuthnFoundationTests/OverviewTests.swift")
    #expect(shown == run)
  }
}
