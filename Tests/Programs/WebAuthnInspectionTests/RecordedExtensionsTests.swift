// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnInspection

/// Cases with extension inputs.
@Suite struct RecordedExtensionsTests {
  @Test func `the step reports the output of a requested extension`() throws {
    let verdict = try judge(asked: #"{"credProps":true}"#, outputs: #"{"credProps":{"rk":true}}"#)
    #expect(verdict.isVerified)
    #expect(
      verdict.steps.map(String.init(describing:)).contains(
        "28. pass  the outputs are well formed: the client says credProps (discoverable), the authenticator nothing"))
  }

  @Test func `a malformed output of a requested extension is reported`() throws {
    let outputs = #"{"credProps":{"rk":1}}"#
    let verdict = try judge(asked: #"{"credProps":true}"#, outputs: outputs)
    #expect(verdict.isVerified)
    #expect(
      CeremonyReport.facts(of: verdict).last
        == "malformed client output: credProps, client-extensions.invalid-member (credProps.rk) at offset 0")
    let json = String(decoding: CeremonyReport.json(of: verdict, .registration, withSteps: false), as: UTF8.self)
    #expect(json.contains(#""malformedExtensions":["credProps"]"#))
    let other = try judge(asked: "{}", outputs: outputs)
    #expect(other.isVerified)
    #expect(!CeremonyReport.facts(of: other).contains { $0.hasPrefix("malformed") })
  }

  @Test func `a case whose extensions are not an object is refused`() {
    #expect(throws: (any Error).self) { try judge(asked: "1", outputs: "{}") }
  }

  private func judge(asked: String, outputs: String) throws -> CaseVerdict {
    let text = String(decoding: try File.bytes("\(projectFolder)/Examples/artifacts/cases.json"), as: UTF8.self)
      .replacing(#""clientExtensionResults": {}"#, with: #""clientExtensionResults":\#(outputs)"#)
      .replacing(#""ceremony": "registration""#, with: #""ceremony":"registration","extensions":\#(asked)"#)
    let cases = try CaseFile.cases(in: [UInt8](text.utf8)[...])
    let recorded = try #require(cases.first { $0.id == "example/registration" })
    return CaseVerdict(of: recorded, now: UnixTime(secondsSince1970: 1_780_000_000))
  }
}
