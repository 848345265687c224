// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// One file of the Wycheproof project: groups of signatures, each group with its key. The only place that knows how such
/// a file is written.
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

  /// A string of hex digits for ML-DSA, and for the others an object that is not needed beside the DER.
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
    self = try JSONDecoder().decode(Self.self, from: Data(SharedVectors.bytes("wycheproof/\(name)")))
  }
}
