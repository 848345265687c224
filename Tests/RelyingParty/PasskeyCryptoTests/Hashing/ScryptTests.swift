// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct ScryptTests {
  /// RFC 7914 §12, except the last vector, which needs a gigabyte.
  struct Vector: Sendable {
    let passphrase: String
    let salt: String
    let cost: Scrypt.Cost
    let key: String
  }

  @Test(arguments: [
    Vector(
      passphrase: "", salt: "", cost: Scrypt.Cost(n: 16, r: 1, p: 1),
      key: """
        77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
        fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
        """),
    Vector(
      passphrase: "password", salt: "NaCl", cost: Scrypt.Cost(n: 1024, r: 8, p: 16),
      key: """
        fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
        2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
        """),
    Vector(
      passphrase: "pleaseletmein", salt: "SodiumChloride", cost: Scrypt.Cost(n: 16384, r: 8, p: 1),
      key: """
        7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
        d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
        """),
  ])
  func `matches the keys of RFC 7914`(vector: Vector) throws {
    let key = try Scrypt.derive(
      from: SecretBytes(utf8: vector.passphrase), salt: Array(vector.salt.utf8), cost: vector.cost, byteCount: 64)
    #expect(key.exposedBytes == hex(vector.key))
  }

  @Test(arguments: [
    Scrypt.Cost(n: 0, r: 8, p: 1), Scrypt.Cost(n: 1, r: 8, p: 1), Scrypt.Cost(n: 1000, r: 8, p: 1),
    Scrypt.Cost(n: -16, r: 8, p: 1), Scrypt.Cost(n: .min, r: 8, p: 1), Scrypt.Cost(n: 16, r: 0, p: 1),
    Scrypt.Cost(n: 16, r: 8, p: 0), Scrypt.Cost(n: 16, r: 1 << 20, p: 1 << 10), Scrypt.Cost(n: 16, r: .max, p: .max),
    Scrypt.Cost(n: 1 << 16, r: 1, p: 1),
  ])
  func `rejects invalid cost parameters`(cost: Scrypt.Cost) {
    #expect(cost.memoryByteCount == nil)
    #expect(throws: PasskeyCryptoError(.invalidParameter, "scrypt with N=\(cost.n), r=\(cost.r), p=\(cost.p)")) {
      try Scrypt.derive(from: SecretBytes([]), salt: [], cost: cost, byteCount: 32)
    }
  }

  @Test func `rejects a cost above the memory limit before allocating`() throws {
    let cost = Scrypt.Cost(n: 16, r: 8, p: 1)
    let memory = 128 * 8 * (16 + 2 + 1)
    #expect(cost.memoryByteCount == memory)
    _ = try Scrypt.derive(from: SecretBytes([]), salt: [], cost: cost, byteCount: 32, memoryLimit: memory)
    #expect(
      throws: PasskeyCryptoError(.memoryLimitExceeded, "scrypt needs \(memory) bytes, the limit is \(memory - 1)")
    ) {
      try Scrypt.derive(from: SecretBytes([]), salt: [], cost: cost, byteCount: 32, memoryLimit: memory - 1)
    }
    #expect(Scrypt.Cost(n: 1 << 62, r: 8, p: 1).memoryByteCount == .max)
    #expect(throws: PasskeyCryptoError.self) {
      try Scrypt.derive(from: SecretBytes([]), salt: [], cost: Scrypt.Cost(n: 1 << 62, r: 8, p: 1), byteCount: 32)
    }
  }

  @Test(arguments: [0, -1, 1 << 20 + 1]) func `rejects an empty or oversized key`(count: Int) {
    #expect(throws: PasskeyCryptoError(.invalidLength, "scrypt output of \(count) bytes")) {
      try Scrypt.derive(
        from: SecretBytes([]), salt: [], cost: Scrypt.Cost(n: 16, r: 1, p: 1), byteCount: count)
    }
  }
}
