// SPDX-License-Identifier: Apache-2.0

import SystemCrypto
import TestSupport
import Testing
import WireFormats

@testable import WebAuthnInspection

@Suite struct InspectorTests {
  @Test func `an RP ID hash is shown with the matching domain of the origin, escaped`() throws {
    #expect(
      try Self.hashNote(origin: "https://sub.raxx.example:8443/x", id: "raxx.example") == "SHA-256 of raxx.example")
    #expect(try Self.hashNote(origin: "https://sub.raxx.example", id: "other.example") == nil)
    #expect(
      try Self.hashNote(origin: "https://\u{1b}[31m\u{202e}", id: "\u{1b}[31m\u{202e}")
        == #"SHA-256 of \u{1b}[31m\u{202e}"#)
  }

  @Test func `an overlong host yields no candidate RP IDs`() throws {
    let longest = String(repeating: "a.", count: 126) + "b"
    #expect(try Self.hashNote(origin: "https://" + longest, id: "b") == "SHA-256 of b")
    #expect(try Self.hashNote(origin: "https://a" + longest, id: "b") == nil)
  }

  private static func hashNote(origin: String, id: String) throws -> String? {
    let clientData = JSON.writeObject { $0.write("origin", .string(origin)) }
    let authenticatorData = Digest.sha256([UInt8](id.utf8)[...]) + [1, 0, 0, 0, 0]
    let response = JSON.writeObject { output in
      output.writeObject("response") {
        $0.write("clientDataJSON", .base64URL(clientData))
        $0.write("authenticatorData", .base64URL(authenticatorData))
        $0.write("signature", "")
      }
    }
    let tree = try Inspection(of: response, as: nil).tree
    let data = tree.children.first?.children.first { $0.name == "authenticatorData" }
    return try #require(data?.children.first).note
  }
}
