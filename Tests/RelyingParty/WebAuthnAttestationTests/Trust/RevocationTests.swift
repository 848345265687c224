// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

/// An attestation with a revoked certificate is refused, and never downgraded to an unanchored one.
@Suite struct RevocationTests {
  private static func statement(_ ceremony: CeremonyForm, _ key: String = "batch") throws -> CBORTree {
    let key = try TestKey.make(key)
    let certificate = try ceremony.certificate(of: key) { $0.serialNumber = [0x51] }
    return ["alg": -7, "sig": .bytes(try key.sign(ceremony.signedBytes[...])), "x5c": [.bytes(certificate)]]
  }

  private static func ceremony(revoking serialNumber: [UInt8] = [0x51]) throws -> CeremonyForm {
    var ceremony = try CeremonyForm()
    ceremony.policy.revocationLists = [try ceremony.root.revocationList(of: serialNumber)]
    return ceremony
  }

  @Test func `a revoked certificate is refused even without anchors`() throws {
    var ceremony = try Self.ceremony()
    for anchors in [TrustAnchors(), TrustAnchors(forEverything: []), TrustAnchors(byFormat: [.tpm: []])] {
      ceremony.policy.trustAnchors = anchors
      expect(.certificateRevoked, "certificate.revoked") { try ceremony.verify(.packed, Self.statement(ceremony)) }
    }
  }

  @Test func `a compound statement cannot evade a revocation`() throws {
    var ceremony = try Self.ceremony()
    ceremony.policy.compound = .any
    ceremony.policy.trustAnchors = TrustAnchors()
    let none: CBORTree = ["fmt": "none", "attStmt": [:]]
    let packed: CBORTree = ["fmt": "packed", "attStmt": try Self.statement(ceremony)]
    for members in [[none, packed], [packed, none]] as [[CBORTree]] {
      expect(.certificateRevoked) { try ceremony.verify(.compound, .array(members)) }
    }
  }

  @Test func `a revoked certificate outranks reports about the model`() throws {
    var ceremony = try Self.ceremony()
    let revoked = MetadataForm.entry(
      roots: [[UInt8](ceremony.root.certificate.der)], MetadataForm.report("REVOKED", "2024-01-01"))
    ceremony.policy.trustAnchors = TrustAnchors(metadata: try MetadataForm(revoked).verify())
    expect(.certificateRevoked) { try ceremony.verify(.packed, Self.statement(ceremony)) }
  }

  @Test func `an omitted issuer is refused if its organization revokes certificates`() throws {
    var ceremony = try Self.ceremony(revoking: [0x77])
    let intermediate = try TestAuthority.root("Intermediate")
    let root = ceremony.root
    ceremony.root = intermediate
    let statement = try Self.statement(ceremony)
    ceremony.root = root
    expect(.certificateRevoked, "certificate.issuer-omitted") { try ceremony.verify(.packed, statement) }
  }

  @Test func `an expired batch certificate is anchored if the policy ignores its expiry`() throws {
    var ceremony = try CeremonyForm()
    let key = try TestKey.make("batch")
    let certificate = try ceremony.certificate(of: key) { $0.notAfter = Moment.y2020 + .seconds(1) }
    let statement: CBORTree = [
      "alg": -7, "sig": .bytes(try key.sign(ceremony.signedBytes[...])), "x5c": [.bytes(certificate)],
    ]
    #expect(try ceremony.verify(.packed, statement).trust.kind == .unanchored)
    ceremony.policy.path.leafDates = .expiryIgnored
    #expect(try ceremony.verify(.packed, statement).trust.kind == .anchored)
  }

  // MARK: Rogue lists

  private static func rogueList(_ secretKey: SecretBytes, since date: String = "2024-06-07") throws -> [UInt8] {
    Array("[{\"sk\":\"\(Base64URL.encode(secretKey.exposedBytes))\",\"date\":\"\(date)\"}]".utf8)
  }

  @Test func `an authenticator with a published private key is refused under every policy`() throws {
    let secret = SecretBytes([UInt8](repeating: 7, count: 32)[...])
    var ceremony = try CeremonyForm()
    let key = try SigningKey(.es256, privateKey: secret)
    let certificate = try ceremony.certificate(of: key)
    let statement: CBORTree = [
      "alg": -7, "sig": .bytes(try key.sign(ceremony.signedBytes[...])), "x5c": [.bytes(certificate)],
    ]
    ceremony.policy.rogueLists = [try RogueList(json: Self.rogueList(secret))]
    expect(.authenticatorRogue, "since 2024-06-07") { try ceremony.verify(.packed, statement) }
    ceremony.policy.compound = .any
    let none: CBORTree = ["fmt": "none", "attStmt": [:]]
    expect(.authenticatorRogue) {
      try ceremony.verify(.compound, [none, ["fmt": "packed", "attStmt": statement]])
    }
    // From the effective date on, and the earliest of several.
    ceremony.policy.rogueLists = [try RogueList(json: Self.rogueList(secret, since: "2030-01-01"))]
    expect(.authenticatorRogue, "since 2030-01-01") { try ceremony.verify(.packed, statement) }
    let twice = try Self.rogueList(secret).dropLast() + [0x2c] + Self.rogueList(secret, since: "2031-01-01").dropFirst()
    ceremony.policy.rogueLists = [try RogueList(json: Array(twice))]
    expect(.authenticatorRogue, "since 2024-06-07") { try ceremony.verify(.packed, statement) }
    // Before the effective date, and for another key.
    ceremony.policy.rogueLists = [try RogueList(json: Self.rogueList(secret, since: "2031-01-01"))]
    #expect(try ceremony.verify(.packed, statement).trust.kind == .anchored)
    let other = SecretBytes([UInt8](repeating: 8, count: 32)[...])
    ceremony.policy.rogueLists = [try RogueList(json: Self.rogueList(other))]
    #expect(try ceremony.verify(.packed, statement).trust.kind == .anchored)
  }

  @Test(arguments: [COSEAlgorithm.es256, .ed25519, .es384, .es512])
  func `a credential with a published private key is refused`(_ algorithm: COSEAlgorithm) throws {
    let counts: [COSEAlgorithm: Int] = [.es384: 48, .es512: 66]
    // A P-521 scalar has 521 of 528 bits.
    let secret = SecretBytes(([0, 1] + [UInt8](repeating: 7, count: (counts[algorithm] ?? 32) - 2))[...])
    var ceremony = try CeremonyForm()
    ceremony.key = try SigningKey(algorithm, privateKey: secret)
    ceremony.policy.rogueLists = [try RogueList(json: Self.rogueList(secret))]
    expect(.authenticatorRogue) { try ceremony.verify(.none, [:]) }
  }

  @Test func `a rogue list must match the hash in the metadata`() throws {
    let list = try Self.rogueList(SecretBytes([UInt8](repeating: 7, count: 32)[...]))
    let hash = Digest.sha256([UInt8](Base64URL.encode(list).utf8)[...])
    func blob(_ more: String) throws -> MetadataBlob {
      try MetadataForm(MetadataForm.entry(MetadataForm.aaguid + more)).verify()
    }
    let good = try blob(",\"rogueListURL\":\"https://a.example\",\"rogueListHash\":\"\(Base64URL.encode(hash))\"")
    #expect(try good.rogueList(json: list, of: good.entries[0]).count == 1)
    expect(.rogueListMismatch, "expected \(Hex.encode(hash))") {
      try good.rogueList(json: Array("[]".utf8), of: good.entries[0])
    }
    // The hash function is that of the token's signature.
    let longHash = Digest.hash([UInt8](Base64URL.encode(list).utf8)[...], with: .sha384)
    var form = try MetadataForm(
      MetadataForm.entry(MetadataForm.aaguid + ",\"rogueListHash\":\"\(Base64URL.encode(longHash))\""))
    form.algorithm = .es384
    let long = try form.verify()
    #expect(try long.rogueList(json: list, of: long.entries[0]).count == 1)
    // A list that is too long is not hashed.
    let limit = 1 << 21
    func padded(_ count: Int) -> [UInt8] { Array("[]".utf8) + [UInt8](repeating: 0x20, count: count - 2) }
    expect(.rogueListMalformed, "\(limit + 1) bytes") {
      try good.rogueList(json: padded(limit + 1), of: good.entries[0])
    }
    expect(.rogueListMismatch) { try good.rogueList(json: padded(limit), of: good.entries[0]) }
    #expect(try RogueList(json: padded(limit)).count == 0)
    expect(.rogueListMalformed, "\(limit + 1) bytes") { try RogueList(json: padded(limit + 1)) }
    let none = try blob("")
    expect(.rogueListMismatch, "no rogueListHash") { try none.rogueList(json: list, of: none.entries[0]) }
  }

  @Test(arguments: [
    "", "{}", "[1]", "[{\"sk\":\"AQ\"}]", "[{\"date\":\"2024-06-07\"}]", "[{\"sk\":\"AQ==\",\"date\":\"2024-06-07\"}]",
    "[{\"sk\":\"AQ\",\"date\":\"2024-6-7\"}]", "[] ]",
  ])
  func `a malformed rogue list is refused`(_ text: String) {
    expect(.rogueListMalformed) { try RogueList(json: Array(text.utf8)) }
  }

  @Test func `an oversized rogue list is refused`() throws {
    func list(_ count: Int) throws -> RogueList {
      let entry = "{\"sk\":\"AQ\",\"date\":\"2024-06-07\"}"
      return try RogueList(json: Array("[\([String](repeating: entry, count: count).joined(separator: ","))]".utf8))
    }
    #expect(try list(10_000).count == 10_000)
    expect(.rogueListMalformed) { try list(10_001) }
    let long = [UInt8](repeating: 0x20, count: RogueList.maximumByteCount + 1)
    expect(.rogueListMalformed, "bytes") { try RogueList(json: long) }
  }
}
