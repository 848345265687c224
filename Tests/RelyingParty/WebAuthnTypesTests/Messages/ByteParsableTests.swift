// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnTypes

@Suite struct ByteParsableTests {
  @Test func `an array is parsed like a slice`() throws {
    let bytes = [UInt8](repeating: 7, count: 32) + [0x01, 0, 0, 0, 5]
    #expect(try AuthenticatorData(parsing: bytes).signCount == 5)
    #expect(throws: FormatError(.authenticatorDataTrailingBytes, at: 37)) {
      try AuthenticatorData(parsing: bytes + [0])
    }
  }

  @Test func `JSON is parsed from a string and from an array, and written as both`() throws {
    let text = #"{"challenge":"AAECAwQFBgcICQoLDA0ODw","userVerification":"required"}"#
    let options = try RequestOptions(json: text)
    #expect(options.userVerification == .required)
    #expect(try RequestOptions(json: [UInt8](text.utf8)) == options)
    #expect(options.jsonText == text)
    #expect(String(decoding: options.json, as: UTF8.self) == text)
  }
}
