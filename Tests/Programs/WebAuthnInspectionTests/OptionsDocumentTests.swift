// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnInspection
import WebAuthnRelyingParty
import WebAuthnTypes

@Suite struct OptionsDocumentTests {
  private static let creation = #"{"challenge":"AAAA","rp":{"name":"Raxx"},"pubKeyCredParams":[]}"#
  private static let request = #"{"challenge":"AAAA","rpId":"raxx.app"}"#

  private func document(_ text: String) throws -> OptionsDocument {
    try OptionsDocument(json: [UInt8](text.utf8)[...])
  }

  @Test(arguments: [
    (creation, VerificationCase.Ceremony.registration), (#"{"rp":{}}"#, .registration), (request, .authentication),
    (#"{"publicKey":\#(request),"rp":1}"#, .authentication), ("{}", nil),
  ])
  func `the ceremony is recognized by its members`(text: String, ceremony: VerificationCase.Ceremony?) throws {
    #expect(try document(text).ceremony == ceremony)
  }

  @Test func `the options are unwrapped, and the mediation is read`() throws {
    let wrapped = try document("\u{feff}{\"mediation\":\"conditional\",\"publicKey\":\(Self.creation)}")
    #expect(String(decoding: wrapped.options, as: UTF8.self) == Self.creation)
    #expect(wrapped.mediation == .conditional)
    #expect(try document(Self.creation).mediation == .modal)
  }

  @Test(arguments: ["", "[]", "1", #"{"publicKey":"#])
  func `anything but an object is refused`(text: String) {
    #expect { try document(text) } throws: { ($0 as? FormatError)?.code == .optionsMalformed }
  }
}

@Suite struct CaseTallyTests {
  @Test func `skipped cases are named only if there are any`() {
    var tally = CaseTally()
    tally.count(true)
    tally.count(false)
    #expect("\(tally)" == "1 passed, 1 failed" && tally.total == 2)
    tally.skip()
    #expect("\(tally)" == "1 passed, 1 failed, 1 skipped" && tally.total == 3)
  }
}
