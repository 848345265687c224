// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnTypes

@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct ServerDiagnosisTests {
  @Test(arguments: [
    ("https://raxx.app", "raxx.app"), ("http://localhost:8080", "localhost"), ("https://localhost:8443", "localhost"),
    ("http://shop.localhost:8080", "localhost"),
  ])
  func `an origin without a port, or on this machine, is no problem`(origin: String, id: String) throws {
    let finding = try ServerDiagnosis.finding(for: WebOrigin(origin), using: RelyingPartyID(id))
    #expect(finding.verdict == .ok && finding.hint == nil)
  }

  @Test func `another origin with a port is a warning`() throws {
    let finding = try ServerDiagnosis.finding(
      for: WebOrigin("https://raxx.app:8443"), using: RelyingPartyID("raxx.app"))
    #expect(finding.verdict == .warning)
    #expect(finding.hint == "use another origin, such as https://raxx.app")
  }

  @Test(arguments: [(61, "61 s"), (119, "119 s"), (120, "2 min"), (7_199, "119 min"), (259_200, "3 days")])
  func `a difference of the clocks has a unit that people read`(seconds: UInt64, text: String) {
    #expect(ServerDiagnosis.text(seconds) == text)
  }
}
