// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnInspection

/// The problems and remarks for options and responses with null members and values of other types.
struct InspectorOptionsTests {
  private func lines(_ text: String, as kind: ArtifactKind? = nil) throws -> String {
    try Inspection(of: [UInt8](text.utf8), as: kind).text()
  }

  @Test func `creation options show what a browser refuses and what it reads`() throws {
    let text = #"""
      {"rp":{"id":null,"name":"Raxx"},"user":{"id":"AQ","name":null,"displayName":"Ada"},"challenge":"AAECAw",
      "pubKeyCredParams":[{"type":"public-key","alg":"-7"}],"timeout":null,"excludeCredentials":null,
      "authenticatorSelection":{"authenticatorAttachment":null},"hints":["hybrid"]}
      """#
    #expect(
      try lines(text, as: .creationOptions) == #"""
        creation options  (278 bytes)
          rp
            id: null
              note: a browser reads "null"
            name: "Raxx"
          user
            id: AQ
            name: null
              note: a browser reads "null"
            displayName: "Ada"
          challenge: AAECAw
          pubKeyCredParams
            [0]
              type: "public-key"
              alg: "-7"
                note: a browser reads -7
          timeout: null
            note: a browser reads 0
          excludeCredentials: null
            error: json.wrong-type at offset 195: a browser throws TypeError: expected an array
          authenticatorSelection
            authenticatorAttachment: null
              note: a browser reads "null", as if it were absent
          hints
            [0]: "hybrid"

        """#)
  }

  @Test(arguments: [
    (#"{"challenge":"!"}"#, "base64.invalid-character at offset 14: a browser throws EncodingError"),
    (#"{"rpId":"raxx.app"}"#, "options.missing-member at offset 0: a browser throws TypeError: challenge is missing"),
    (#"{"challenge":"AQ","hints":{}}"#, "throws TypeError"),
    (#"{"challenge":"AQ","rpId":"app!"}"#, "relying-party-id.invalid at offset 25: a browser throws SecurityError"),
    (#"{"challenge":"AQ","rpId":null}"#, "offset 25: a browser throws SecurityError: no page has the domain \"null\""),
    (#"{"challenge":"AQ","extensions":{"credProps":true}}"#, "throws NotSupportedError: it is for registrations"),
  ])
  func `request options that a browser refuses have a problem`(text: String, problem: String) throws {
    let inspection = try Inspection(of: [UInt8](text.utf8), as: .requestOptions)
    #expect(inspection.tree.problemCount == 1)
    let found = try #require(inspection.tree.firstProblem).problem.description
    #expect(found.contains(problem))
  }

  @Test func `options with values that a browser only converts have no problem`() throws {
    let text = #"{"challenge":12345678,"rpId":["raxx.app"],"userVerification":null,"extensions":null,"other":null}"#
    #expect(try Inspection(of: [UInt8](text.utf8), as: .requestOptions).tree.isFlawless)
  }

  @Test func `null members of responses count as absent, as they do in a verification`() throws {
    let whole = try File.bytes("\(projectFolder)/Examples/artifacts/authentication-response.json")
    let nulls = String(decoding: whole, as: UTF8.self).replacing(
      /"userHandle": ?"[^"]*"/, with: #""userHandle":null,"attestationObject":null"#)
    let inspection = try Inspection(of: [UInt8](nulls.utf8))
    #expect(nulls.contains(#""userHandle":null"#))
    #expect(inspection.kind == .authenticationResponse)
    #expect(inspection.tree.isFlawless)
    let missing = try Inspection(of: [UInt8](nulls.replacing(/"signature": ?"[^"]*"/, with: #""signature":null"#).utf8))
    #expect(!missing.tree.isFlawless)
  }
}
