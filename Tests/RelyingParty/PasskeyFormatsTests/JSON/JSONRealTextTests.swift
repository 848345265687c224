// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Long JSON texts: our own vectors and, where they are present, the shared ones.
@Suite struct JSONRealTextTests {
  static let own = ["registration", "codecs/cbor", "codecs/ecdsa-es256", "w3c/tpm.ES256"].map { "Vectors/\($0).json" }
  static let shared = ["w3c-level3.json", "w3c-keys.json", "cbor-rfc8949.json", "wycheproof/ed25519_test.json"]

  @Test(arguments: own + (SharedVectors.arePresent ? shared : []))
  func `a vector file is unchanged in meaning after rewriting`(path: String) throws {
    let text = try Self.own.contains(path) ? File.bytes("\(projectFolder)/\(path)") : SharedVectors.bytes(path)
    let compact = JSON.write(.value(try JSON.parse(text, maximumSize: .max)))
    let again = try JSON.parse(compact, maximumSize: .max)
    #expect(JSON.write(.value(again)) == compact)
    #expect(compact.count < text.count)
  }

  @Test(arguments: SharedVectors.arePresent ? [7, 122] : [7]) func `reads a metadata BLOB`(number: Int64) throws {
    let blob =
      try number == 7
      ? File.bytes("\(projectFolder)/Examples/artifacts/metadata.jwt")
      : SharedVectors.bytes("mds/blob-no122-2024-12.jwt")
    let parts = blob.split(separator: UInt8(ascii: "."))
    try #require(parts.count == 3)
    let payload = try Base64URL.decode(parts[1])
    if payload.count > JSON.maximumMessageSize {
      #expect(throws: WireError(.jsonTooLarge, at: JSON.maximumMessageSize)) { try JSON.parse(payload) }
    }
    let root = try JSON.parse(payload, maximumSize: 10_000_000)
    #expect(try root.require("no").int64 == number)
    let certificates = try JSON.parse(Base64URL.decode(parts[0])).require("x5c").array
    for certificate in certificates { #expect(try certificate.base64.first == 0x30) }
    for entry in try root.require("entries").array {
      #expect(try entry.require("statusReports").array.allSatisfy { try $0.require("status").string != "" })
    }
  }
}
