// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WireFormats

/// Real JSON texts from the shared vectors.
@Suite(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)"))
struct JSONRealTextTests {
  @Test(arguments: ["w3c-level3.json", "w3c-keys.json", "cbor-rfc8949.json", "wycheproof/ed25519_test.json"])
  func `a vector file is unchanged in meaning after rewriting`(path: String) throws {
    let text = try SharedVectors.bytes(path)
    let compact = JSON.write(.value(try JSON.parse(text, maximumSize: .max)))
    let again = try JSON.parse(compact, maximumSize: .max)
    #expect(JSON.write(.value(again)) == compact)
    #expect(compact.count < text.count)
  }

  @Test func `reads the metadata BLOB of FIDO`() throws {
    let blob = try SharedVectors.bytes("mds/blob-no122-2024-12.jwt")
    let parts = blob.split(separator: UInt8(ascii: "."))
    try #require(parts.count == 3)
    let payload = try Base64URL.decode(parts[1])
    #expect(throws: WireError(.jsonTooLarge, at: JSON.maximumMessageSize)) { try JSON.parse(payload) }
    let root = try JSON.parse(payload, maximumSize: 10_000_000)
    #expect(try root.require("no").int64 == 122)
    let certificates = try JSON.parse(Base64URL.decode(parts[0])).require("x5c").array
    for certificate in certificates { #expect(try certificate.base64.first == 0x30) }
    for entry in try root.require("entries").array {
      #expect(try entry.require("statusReports").array.contains { try $0.require("status").string != "" })
    }
  }
}
