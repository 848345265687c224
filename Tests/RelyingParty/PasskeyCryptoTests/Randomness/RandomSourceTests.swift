// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct RandomSourceTests {
  private let seed: Bytes = [0x73, 0x65, 0x65, 0x64]

  @Test func `draws depend only on seed and label`() throws {
    let one = RandomSource.seeded(seed, label: "a")
    let two = RandomSource.seeded(seed, label: "a")
    let first = try one.bytes(32)
    #expect(try two.bytes(32) == first)
    #expect(try one.bytes(32) != first)
    #expect(try RandomSource.seeded(seed, label: "b").bytes(32) != first)
    #expect(try RandomSource.seeded([0x00], label: "a").bytes(32) != first)
  }

  @Test func `draw i matches the documented derivation, also if i takes two bytes`() throws {
    let source = RandomSource.seeded(seed, label: "label")
    var draws: [[UInt8]] = []
    for _ in 0..<600 { draws.append(try source.bytes(20)) }
    for (number, salt) in [(0, [0x00]), (1, [0x01]), (255, [0xff]), (256, [0x00, 0x01]), (515, [0x03, 0x02])] {
      let expected = try HKDF.derive(
        from: SecretBytes(seed), salt: salt.map(UInt8.init)[...], info: Array("label".utf8)[...], byteCount: 20)
      #expect(draws[number] == expected.exposedBytes, "\(number)")
    }
    #expect(Set(draws).count == 600)
  }

  @Test func `secret and public draws share one sequence`() throws {
    #expect(
      try RandomSource.seeded(seed).secret(40).exposedBytes == RandomSource.seeded(seed).bytes(40))
  }

  @Test func `splits a draw longer than HKDF's maximum`() throws {
    let long = try RandomSource.seeded(seed).bytes(8161)
    let parts = RandomSource.seeded(seed)
    #expect(try long == parts.bytes(8160) + parts.bytes(1))
  }

  @Test func `copies share one sequence, and a labeled source restarts`() throws {
    let source = RandomSource.seeded(seed, label: "a")
    let copy = source
    let first = try source.bytes(8)
    #expect(try copy.bytes(8) != first)
    #expect(try source.labeled("a").bytes(8) == first)
    #expect(try source.labeled("b").bytes(8) == RandomSource.seeded(seed, label: "b").bytes(8))
  }

  @Test func `a source of fixed draws returns them one by one, then fails`() throws {
    let source = RandomSource.fixed([[1, 2], [3], [4, 5]])
    #expect(source.isSeeded)
    #expect(try source.bytes(2) == [1, 2])
    #expect(try source.labeled("a").secret(1).exposedBytes == [3])
    // A draw of the wrong length is used up.
    for count in [3, 2] {
      let error = #expect(throws: PasskeyCryptoError.self) { try source.bytes(count) }
      #expect(error?.code == .randomnessUnavailable)
    }
  }

  @Test func `a key agreement uses the fixed draw as its scalar`() throws {
    let scalar = [UInt8](repeating: 7, count: 32)
    #expect(
      try KeyAgreement(random: .fixed([scalar])).publicKey
        == KeyAgreement(privateScalar: SecretBytes(scalar)).publicKey)
  }

  @Test func `an empty draw is empty and counts as a draw`() throws {
    let source = RandomSource.seeded(seed)
    #expect(try source.bytes(0).isEmpty)
    #expect(try source.bytes(8) != RandomSource.seeded(seed).bytes(8))
  }

  @Test func `the system's source does not repeat itself`() throws {
    let draws = try (0..<100).map { _ in try RandomSource.system.bytes(16) }
    let secrets = try (0..<100).map { _ in try RandomSource.system.secret(16).exposedBytes }
    #expect(Set(draws + secrets).count == 200)
    #expect(try RandomSource.system.bytes(0).isEmpty)
    #expect(!RandomSource.system.isSeeded && !RandomSource.system.labeled("a").isSeeded)
    #expect(RandomSource.seeded(seed).isSeeded)
  }
}
