// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import Testing
import WebAuthnTypes

@Suite struct ExtensionValueTests {
  @Test func `every kind of value survives a round trip`() throws {
    let text = #"{"a":null,"b":[true,-1.5,3,"x",{}],"c":{"d":"é"}}"#
    let extensions = try decode(ClientExtensions.self, from: text)
    #expect(extensions["a"] == .null)
    #expect(extensions["b"] == [true, .number(-1.5), 3, "x", [:]])
    #expect(extensions["c"]?["d"]?.string == "é")
    #expect(extensions["b"]?.array?[2].number == 3)
    #expect(extensions["x"] == nil)
    #expect(try decode(ClientExtensions.self, from: encode(extensions)) == extensions)
  }

  @Test func `NaN and infinity are written as null`() throws {
    var options = RequestOptions(challenge: try Challenge([UInt8](0..<16)), relyingPartyID: nil)
    options.extensions = ["x": .number(.nan), "y": .number(.infinity), "z": .number(1e21)]
    let text = String(decoding: options.json, as: UTF8.self)
    #expect(text.hasSuffix(#""extensions":{"x":null,"y":null,"z":1e+21}}"#))
  }
}
