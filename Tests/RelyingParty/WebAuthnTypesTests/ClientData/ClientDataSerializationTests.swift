// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct ClientDataSerializationTests {
  private let challenge: Challenge
  private let origin: WebOrigin
  private let top: WebOrigin

  init() throws {
    challenge = try Challenge([UInt8](0..<16))
    origin = try WebOrigin("https://raxx.app")
    top = try WebOrigin("https://example.com")
  }

  @Test func `client data are serialized as the standard prescribes`() {
    let data = ClientData(type: .create, challenge: challenge, origin: origin)
    #expect(
      String(decoding: data.encoded, as: UTF8.self)
        == #"{"type":"webauthn.create","challenge":"AAECAwQFBgcICQoLDA0ODw","origin":"https://raxx.app","crossOrigin":false}"#
    )
    let framed = ClientData(type: .get, challenge: challenge, origin: origin, crossOrigin: true, topOrigin: top)
    #expect(
      String(decoding: framed.encoded, as: UTF8.self)
        == #"{"type":"webauthn.get","challenge":"AAECAwQFBgcICQoLDA0ODw","origin":"https://raxx.app","#
        + #""crossOrigin":true,"topOrigin":"https://example.com"}"#)
  }

  @Test func `control characters are escaped by number and survive a round trip`() throws {
    let type = ClientDataType(rawValue: "a\"b\\c\n\u{7f}é")
    let data = ClientData(type: type, challenge: challenge, origin: origin)
    #expect(String(decoding: data.encoded, as: UTF8.self).hasPrefix(#"{"type":"a\"b\\c\u000a\#u{7f}é","#))
    #expect(try ClientData(parsing: data.encoded).type == type)
  }
}

extension Substring {
  fileprivate var bytes: Bytes { [UInt8](utf8)[...] }
}
