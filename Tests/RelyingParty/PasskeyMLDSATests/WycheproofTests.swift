// SPDX-License-Identifier: Apache-2.0

import Foundation
import PasskeyTestSupport
import Testing

@testable import PasskeyMLDSA

/// Wycheproof's cases of verification, those with a context included.
@Suite(.enabled(if: SharedVectors.arePresent, "\(SharedVectors.absence)")) struct WycheproofTests {
  private struct File: Decodable {
    let numberOfTests: Int
    let testGroups: [Group]

    struct Group: Decodable {
      let publicKey: String
      let tests: [Case]
    }

    struct Case: Decodable {
      let tcId: Int
      let comment: String
      let msg: String
      let ctx: String?
      let sig: String
      let result: String
    }
  }

  @Test(arguments: zip(ParameterSet.all, [44, 65, 87]))
  func `judges every signature as Wycheproof does`(named: ParameterSet.Named, number: Int) throws {
    let bytes = try SharedVectors.bytes("wycheproof/mldsa_\(number)_verify_test.json")
    let file = try JSONDecoder().decode(File.self, from: Data(bytes))
    var count = 0
    for group in file.testGroups {
      let key = try? PublicKey(named.parameters, hex(group.publicKey))
      for test in group.tests {
        let outcome = key.map { $0.refusal(of: hex(test.sig), over: hex(test.msg), context: hex(test.ctx ?? "")) }
        #expect((outcome == .some(nil)) == (test.result == "valid"), "\(test.tcId) \(test.comment)")
        count += 1
      }
    }
    #expect(count == file.numberOfTests)
  }
}
