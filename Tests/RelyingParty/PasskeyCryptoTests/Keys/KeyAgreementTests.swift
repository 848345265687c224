// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct KeyAgreementTests {
  // RFC 5903 §8.1.
  private let i = hex("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433")
  private let gix = hex("dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180")
  private let giy = hex("5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3")
  private let r = hex("c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53")
  private let grx = hex("d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63")
  private let gry = hex("56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab")
  private let girx = hex("d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de")

  @Test func `matches the shared point of RFC 5903`() throws {
    let initiator = try KeyAgreement(privateScalar: SecretBytes(i))
    let responder = try KeyAgreement(privateScalar: SecretBytes(r))
    #expect(initiator.publicKey == (try agreementKey(gix, giy)))
    #expect(responder.publicKey == (try agreementKey(grx, gry)))
    #expect(try initiator.sharedSecret(with: responder.publicKey).exposedBytes == girx)
    #expect(try responder.sharedSecret(with: initiator.publicKey).exposedBytes == girx)
  }

  @Test func `two generated keys agree, and a seed reproduces its key`() throws {
    let one = try KeyAgreement(random: .system)
    let two = try KeyAgreement(random: .system)
    #expect(one.publicKey != two.publicKey)
    #expect(try one.sharedSecret(with: two.publicKey) == two.sharedSecret(with: one.publicKey))
    #expect(
      try KeyAgreement(random: .seeded([0x01])).publicKey == KeyAgreement(random: .seeded([0x01])).publicKey)
  }

  @Test func `rejects a point off the curve and remains usable`() throws {
    LibCrypto.clearErrors()
    let key = try KeyAgreement(privateScalar: SecretBytes(i))
    var y = gry
    y[31] ^= 1
    let off = try agreementKey(grx, y)
    #expect(throws: PasskeyCryptoError(.invalidKey)) { try key.sharedSecret(with: off) }
    let zero = [UInt8](repeating: 0, count: 32)
    let infinity = try agreementKey(zero, zero)
    #expect(throws: PasskeyCryptoError(.invalidKey)) { try key.sharedSecret(with: infinity) }
    #expect(try key.sharedSecret(with: agreementKey(grx, gry)).exposedBytes == girx)
    #expect(LibCrypto.errorQueueIsEmpty)
  }

  @Test func `rejects a signature key`() throws {
    let key = try KeyAgreement(privateScalar: SecretBytes(i))
    let signer = try COSEKey(algorithm: .es256, material: .ec2(curve: .p256, x: grx[...], y: gry[...]))
    #expect(throws: PasskeyCryptoError(.keyMismatch, "ES256 key cannot be used for key agreement")) {
      try key.sharedSecret(with: signer)
    }
  }

  @Test func `rejects an invalid scalar`() {
    #expect(throws: PasskeyCryptoError(.invalidKey, "the scalar is not between zero and the order")) {
      try KeyAgreement(privateScalar: SecretBytes([UInt8](repeating: 0, count: 32)))
    }
    #expect(throws: PasskeyCryptoError(.invalidKey, "a scalar of 33 bytes")) {
      try KeyAgreement(privateScalar: SecretBytes([UInt8](repeating: 1, count: 33)))
    }
  }

  private func agreementKey(_ x: [UInt8], _ y: [UInt8]) throws -> COSEKey {
    try COSEKey(algorithm: .ecdhESHKDF256, material: .ec2(curve: .p256, x: x[...], y: y[...]))
  }
}
