// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import PasskeyTestSupport
import Testing

@testable import PasskeyDelivery

/// Keys for tests of push services.
enum PushKeys {
  static func pem(_ key: SigningKey) throws -> SecretBytes {
    SecretBytes(utf8: PEM.text("PRIVATE KEY", try key.pkcs8.exposedBytes))
  }

  static func es256(_ seed: UInt8) throws -> SigningKey { try .generate(.es256, random: .seeded([seed])) }

  /// A service account of Google, with changed members.
  static func serviceAccount(_ change: (inout [String: String]) -> Void = { _ in }) throws -> FCMServiceAccount {
    let key = try SigningKey.generate(.rs256, random: .seeded([9]))
    var members = [
      "type": "service_account", "project_id": "raxx-1", "private_key_id": "k1",
      "private_key": String(decoding: try PushKeys.pem(key).exposedBytes, as: UTF8.self),
      "client_email": "push@raxx-1.iam.example", "token_uri": "https://oauth2.example/token",
    ]
    change(&members)
    let json = JSON.writeObject { (object: inout JSONObjectWriter) in
      for (name, text) in members.sorted(by: { $0.key < $1.key }) { object.write(name, text) }
    }
    return try FCMServiceAccount(json: SecretBytes(json))
  }

  /// Verifies a token's signature and returns its header and claims.
  static func open(_ token: String, by key: SigningKey) throws -> (header: JSONValue, claims: JSONValue) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    try #require(parts.count == 3)
    var signature = try Base64URL.decode(parts[2])
    if key.algorithm == .es256 {
      try #require(signature.count == 64)
      signature = try #require(ECDSASignature(r: signature.prefix(32), s: signature.suffix(32))).der
    }
    try VerifyingKey(key.publicKey).verify(signature, over: Array("\(parts[0]).\(parts[1])".utf8))
    return (try JSON.parse(try Base64URL.decode(parts[0])), try JSON.parse(try Base64URL.decode(parts[1])))
  }
}

struct JSONWebTokenTests {
  @Test func `a token has its algorithm, its key and its claims, whatever they contain`() throws {
    let keys = [try PushKeys.es256(1), try .generate(.rs256, random: .system)]
    try PropertyRuns.check(default: 200) { (generator) in
      let text = MailTextTests.randomText(&generator, upTo: 60)
      let number = Int64.random(in: .min ... .max, using: &generator)
      for key in keys {
        let token = try JSONWebToken(key: key, keyID: text).text { (claims) in
          claims.write("text", text)
          claims.write("number", .integer(number))
        }
        #expect(token.utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.".utf8.contains($0) })
        let (header, claims) = try PushKeys.open(token, by: key)
        #expect(try header.require("alg").string == (key.algorithm == .es256 ? "ES256" : "RS256"))
        #expect(try header.require("kid").string.utf8.elementsEqual(text.utf8))
        #expect(try claims.require("text").string.utf8.elementsEqual(text.utf8))
        #expect(try claims.require("number").integer(Int64.self) == number)
      }
    }
  }

  @Test func `a key of another type, or no key, is refused`() throws {
    let rsa = try PushKeys.pem(try .generate(.rs256, random: .system))
    let ec = try PushKeys.pem(try PushKeys.es256(1))
    let twice = SecretBytes(ec.exposedBytes + ec.exposedBytes)
    for (algorithm, pem) in [
      (.es256, rsa), (.rs256, ec), (.es256, twice), (.es256, SecretBytes(utf8: "")), (.es256, SecretBytes(utf8: "key")),
    ] as [(COSEAlgorithm, SecretBytes)] {
      let error = #expect(throws: DeliveryError.self) { _ = try JSONWebToken.key(algorithm, pem: pem) }
      #expect(error?.code == .keyInvalid)
      #expect(error?.detail?.contains("BEGIN") == false)
    }
  }
}
