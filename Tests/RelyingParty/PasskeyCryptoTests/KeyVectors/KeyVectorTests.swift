// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Keys of seeded sources: our own vectors and, where they are present, those of WebAuthn Level 3.
@Suite struct KeyVectorTests {
  @Test(arguments: KeyVector.Source.available) func `a seeded source reproduces the draws`(
    source: KeyVector.Source
  ) throws {
    var drawn = 0
    for vector in try source.vectors {
      let random = RandomSource.seeded(source.seed.utf8, label: vector.label)
      for draw in vector.draws {
        #expect(try random.bytes(draw.count) == draw, "\(vector.label)")
        drawn += 1
      }
    }
    #expect(drawn >= source.drawCount)
  }

  @Test(arguments: KeyVector.Source.available) func `generates the keys from their draws`(
    source: KeyVector.Source
  ) throws {
    let vectors = try source.vectors.filter(\.hasKeyAfterChallenge)
    #expect(vectors.count == source.generatedCount)
    for vector in vectors {
      let random = RandomSource.seeded(source.seed.utf8, label: vector.label)
      _ = try random.bytes(32)  // the challenge
      let key = try SigningKey.generate(vector.algorithm, random: random)
      #expect(key.publicKey == (try vector.key()).publicKey, "\(vector.label)")
    }
  }

  @Test(arguments: KeyVector.Source.available) func `reproduces deterministic signatures bit for bit`(
    source: KeyVector.Source
  ) throws {
    var count = 0
    for vector in try source.vectors {
      for (message, signature) in vector.signatures {
        let key = try vector.key()
        #expect(try key.sign(message, .deterministic) == signature, "\(vector.label)")
        try key.publicKey.verify(signature, over: message)
        try VerifyingKey(key.publicKey).verify(signature, over: message)
        count += 1
      }
    }
    #expect(count == source.signatureCount)
  }
}

/// A key, the draws that made it, and deterministic signatures with it.
struct KeyVector {
  let label: String
  let algorithm: COSEAlgorithm
  var draws: [[UInt8]]
  /// Whether the key is drawn right after a challenge of 32 bytes.
  var hasKeyAfterChallenge: Bool
  var key: () throws -> SigningKey
  var signatures: [(message: [UInt8], signature: [UInt8])]

  /// The vectors of one origin, with their numbers, to detect skipped ones.
  enum Source: CaseIterable {
    case own, standard

    static let available = SharedVectors.arePresent ? allCases : [.own]

    var seed: String { self == .own ? "passkey codec vectors" : "WebAuthn test vectors" }
    var drawCount: Int { self == .own ? 6 : 151 }
    var generatedCount: Int { self == .own ? 3 : 5 }
    var signatureCount: Int { self == .own ? 9 : 16 }

    var vectors: [KeyVector] {
      get throws { try self == .own ? KeyVector.own() : W3CKeys.keyVectors() }
    }
  }

  private static func own() throws -> [KeyVector] {
    let files: [(String, COSEAlgorithm)] = [("es256", .es256), ("es384", .es384), ("es512", .es512)]
    return try files.map { (name, algorithm) in
      let path = "Vectors/codecs/ecdsa-\(name).json"
      let file = try JSON.parse(File.bytes("\(projectFolder)/\(path)"))
      let secret = hex(try file.require("privateKey").string)
      let tests = try WycheproofFile(path).testGroups.flatMap(\.tests).filter { $0.flags.contains("RFC6979") }
      return KeyVector(
        label: try file.require("algorithm").string, algorithm: algorithm,
        draws: try file.require("draws").array.map { hex(try $0.string) }, hasKeyAfterChallenge: true,
        key: { try SigningKey(algorithm, privateKey: SecretBytes(secret)) },
        signatures: tests.map { (hex($0.msg), hex($0.sig)) })
    }
  }
}
