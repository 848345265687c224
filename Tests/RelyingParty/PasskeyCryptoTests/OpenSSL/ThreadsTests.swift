// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Concurrent use from more threads than processors.
@Suite struct ThreadsTests {
  private let message = Array("the message".utf8)[...]

  @Test func `one prepared key of each type verifies on many threads`() throws {
    let signers = try supportedAlgorithms.map { try TestKeys.key($0) }
    let keys = try signers.map { try VerifyingKey($0.publicKey) }
    let signatures = try signers.map { try $0.sign(message)[...] }
    let failures = Threads.run(8) { (thread) in
      for round in 0..<60 {
        let index = (thread + round) % keys.count
        let other = signatures[(index + 1) % signatures.count]
        try keys[index].verify(signatures[index], over: message)
        if (try? keys[index].verify(other, over: message)) != nil {
          throw PasskeyCryptoError(.libraryFailure, "accepted")
        }
      }
    }
    #expect(failures.isEmpty)
  }

  @Test func `valid and invalid keys on many threads do not interfere`() throws {
    let signers = try (0..<12).map { try SigningKey.generate(.es256, random: .seeded([UInt8($0)])) }
    let signatures = try signers.map { try $0.sign(message)[...] }
    let zeros = [UInt8](repeating: 0, count: 32)[...]
    let bad = try COSEKey(algorithm: .es256, material: .ec2(curve: .p256, x: zeros, y: zeros))
    let failures = Threads.run(8) { (thread) in
      for round in 0..<100 {
        let index = (thread * 5 + round) % signers.count
        try signers[index].publicKey.verify(signatures[index], over: message)
        let next = (index + 1) % signers.count
        if (try? signers[next].publicKey.verify(signatures[index], over: message)) != nil {
          throw PasskeyCryptoError(.libraryFailure, "accepted")
        }
        if (try? bad.verify(signatures[index], over: message)) != nil {
          throw PasskeyCryptoError(.libraryFailure, "accepted")
        }
        guard LibCrypto.errorQueueIsEmpty else { throw PasskeyCryptoError(.libraryFailure, "errors left behind") }
      }
    }
    #expect(failures.isEmpty)
  }

  @Test func `hashing, sealing, deriving, agreeing and signing run concurrently`() throws {
    let digest = Digest.sha256(message)
    let key = SecretBytes(digest)
    let tag = HMAC.tag(of: message, key: key)
    let agreement = try KeyAgreement(random: .seeded([0x01]))
    let shared = try agreement.sharedSecret(with: agreement.publicKey)
    let signer = try TestKeys.key(.es256)
    let signature = try signer.sign(message, .deterministic)
    let failures = Threads.run(8) { (_) in
      for _ in 0..<40 {
        let box = try SealedBox.seal(message, key: key, random: .system)
        guard Digest.sha256(message) == digest, HMAC.tag(of: message, key: key) == tag,
          try box.open(key: key).exposedBytes == Array(message),
          try agreement.sharedSecret(with: agreement.publicKey) == shared,
          try signer.sign(message, .deterministic) == signature
        else { throw PasskeyCryptoError(.libraryFailure, "another result") }
      }
    }
    #expect(failures.isEmpty)
  }

  @Test func `one key signs different messages on many threads`() throws {
    let keys = try [COSEAlgorithm.es256, .rs256, .ps256].map { try TestKeys.key($0) }
    let failures = Threads.run(8) { (thread) in
      for round in 0..<40 {
        let key = keys[(thread + round) % keys.count]
        let own = [UInt8(thread), UInt8(round)][...]
        let signature = try key.sign(own)[...]
        try key.publicKey.verify(signature, over: own)
        if (try? key.publicKey.verify(signature, over: message)) != nil {
          throw PasskeyCryptoError(.libraryFailure, "accepted")
        }
      }
    }
    #expect(failures.isEmpty)
  }

  @Test func `a seeded source returns each draw once across threads`() throws {
    let source = RandomSource.seeded([0x09])
    let reference = RandomSource.seeded([0x09])
    let expected = try Set((0..<800).map { _ in try reference.bytes(16) })
    let drawn = Collected<[UInt8]>()
    let failures = Threads.run(8) { (_) in
      for _ in 0..<100 { drawn.add(try source.bytes(16)) }
    }
    #expect(failures.isEmpty)
    #expect(drawn.all.count == 800 && Set(drawn.all) == expected)
  }
}
