// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WebAuthnTypes
import WireFormats

@Suite struct ClientDataSerializationTests {
  private let challenge: Challenge
  private let origin: Origin
  private let top: Origin

  init() throws {
    challenge = try Challenge([UInt8](0..<16))
    origin = try Origin("https://raxx.app")
    top = try Origin("https://example.com")
  }

  @Test func `a client's text is that of the standard`() {
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

  @Test func `what must be escaped is escaped by number, and read again`() throws {
    let type = ClientDataType(rawValue: "a\"b\\c\n\u{7f}é")
    let data = ClientData(type: type, challenge: challenge, origin: origin)
    #expect(String(decoding: data.encoded, as: UTF8.self).hasPrefix(#"{"type":"a\"b\\c\u000a\#u{7f}é","#))
    #expect(try ClientData(parsing: data.encoded).type == type)
  }

  @Test func `the text that was expected matches`() {
    let data = ClientData(type: .get, challenge: challenge, origin: origin)
    #expect(ClientData.matches(data.encoded, type: .get, challenge: challenge, origin: origin))
    let framed = ClientData(type: .get, challenge: challenge, origin: origin, crossOrigin: true, topOrigin: top)
    #expect(ClientData.matches(framed.encoded, type: .get, challenge: challenge, origin: origin, topOrigin: top))
  }

  @Test func `another type, challenge, origin or frame does not`() throws {
    let data = ClientData(type: .get, challenge: challenge, origin: origin).encoded
    #expect(!ClientData.matches(data, type: .create, challenge: challenge, origin: origin))
    #expect(!ClientData.matches(data, type: .get, challenge: try Challenge([UInt8](1..<17)), origin: origin))
    #expect(!ClientData.matches(data, type: .get, challenge: challenge, origin: top))
    #expect(!ClientData.matches(data, type: .get, challenge: challenge, origin: origin, topOrigin: top))
    let framed = ClientData(type: .get, challenge: challenge, origin: origin, crossOrigin: true, topOrigin: top).encoded
    #expect(!ClientData.matches(framed, type: .get, challenge: challenge, origin: origin))
    #expect(!ClientData.matches(framed, type: .get, challenge: challenge, origin: origin, topOrigin: origin))
  }

  @Test func `a client that does not name the top origin matches where that is allowed`() {
    let data = ClientData(type: .get, challenge: challenge, origin: origin, crossOrigin: true).encoded
    #expect(!ClientData.matches(data, type: .get, challenge: challenge, origin: origin, topOrigin: top))
    #expect(
      ClientData.matches(
        data, type: .get, challenge: challenge, origin: origin, topOrigin: top, requiresTopOrigin: false))
  }

  @Test func `what the limited algorithm cannot tell, the parser tells`() {
    let text = String(decoding: ClientData(type: .get, challenge: challenge, origin: origin).encoded, as: UTF8.self)
    func matches(_ ending: String) -> Bool {
      let bytes = (text.dropLast() + ending).bytes
      return ClientData.matches(bytes, type: .get, challenge: challenge, origin: origin)
    }
    #expect(matches(#","other":1}"#))
    // Behind a comma the algorithm of the standard would take all of these.
    #expect(!matches(","))
    #expect(!matches(#","origin":"https://evil.example"}"#))
    #expect(!matches(#","topOrigin":"https://evil.example"}"#))
  }

  @Test(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
  func `recorded client data match what they were recorded for`() throws {
    var count = 0
    for ceremony in try RecordedCeremony.all() {
      let bytes = try ceremony.clientData()
      let data = try ClientData(parsing: bytes)
      guard data.challenge == ceremony.challenge.bytes, data.topOrigin == nil, data.crossOrigin != true else {
        continue
      }
      let type: ClientDataType = ceremony.isRegistration ? .create : .get
      let hasOrigin = try ceremony.origins.contains { text in
        try ClientData.matches(bytes, type: type, challenge: ceremony.challenge, origin: Origin(text))
      }
      #expect(hasOrigin == ceremony.origins.contains(data.origin), "\(ceremony.id)")
      count += hasOrigin ? 1 : 0
    }
    #expect(count > 100)
  }
}

extension Substring {
  fileprivate var bytes: Bytes { [UInt8](utf8)[...] }
}
