// SPDX-License-Identifier: Apache-2.0

import Foundation
import PasskeyTestSupport

/// A file of the Wycheproof project, or of our own in its format: groups of signatures with one key each.
struct WycheproofFile: Decodable {
  let testGroups: [Group]

  struct Group: Decodable {
    let publicKeyDer: String?
    let publicKey: PublicKey
    let sha: String?
    let mgfSha: String?
    let sLen: Int?
    let tests: [Test]
  }

  /// A hex string for ML-DSA; for other algorithms an object, which is not needed beside the DER.
  struct PublicKey: Decodable {
    let bytes: [UInt8]?

    init(from decoder: any Decoder) throws {
      bytes = (try? decoder.singleValueContainer().decode(String.self)).map(hex)
    }
  }

  struct Test: Decodable {
    let tcId: Int
    let comment: String
    let flags: [String]
    let msg: String
    let sig: String
    let ctx: String?
    let result: Verdict
  }

  enum Verdict: String, Decodable {
    case valid, invalid, acceptable
  }

  init(_ name: String) throws {
    let bytes =
      try name.hasPrefix("Vectors/")
      ? File.bytes("\(projectFolder)/\(name)") : SharedVectors.bytes("wycheproof/\(name)")
    self = try JSONDecoder().decode(Self.self, from: Data(bytes))
  }
}
