// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import TestSupport
import Testing
import WebAuthnRelyingParty
import WireFormats

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// The project's own vectors are what the generator makes, and behave as they say.
struct VectorFileTests {
  static let folder = "\(projectFolder)/Vectors"

  /// Made once: RSA keys take a while.
  static let made: [String: [UInt8]] = Dictionary(
    uniqueKeysWithValues: VectorFile.all.map { ($0.topic, (try? $0.text()) ?? []) })

  static let topics = VectorFile.all.map(\.topic)

  static func cases(_ topic: String) throws -> [VerificationCase] {
    try CaseFile.cases(in: File.bytes("\(folder)/\(topic).json")[...])
  }

  @Test(arguments: topics) func `the file in the repository is the one that the generator makes`(topic: String) throws {
    #expect(try File.bytes("\(Self.folder)/\(topic).json") == Self.made[topic], "passkey vectors generate ours")
  }

  @Test(arguments: topics) func `every case behaves as it says, with code, step and causes`(topic: String) throws {
    for recorded in try Self.cases(topic) {
      let verdict = CaseVerdict(of: recorded, now: Timestamp(secondsSince1970: 0))
      let comparison = CaseComparison(verdict, with: recorded.expectation)
      #expect(comparison.isAsExpected, "\(recorded.id): \(comparison.differences)")
      guard !recorded.expectation.verified else { continue }
      // A refusal says all that there is to say, and no step means before the first.
      #expect(recorded.expectation.code != nil && recorded.expectation.causes != nil, "\(recorded.id)")
      #expect(recorded.expectation.step == verdict.refusal?.step, "\(recorded.id)")
      #expect(try recorded.expectation.members.require("why").string.isEmpty == false, "\(recorded.id)")
    }
  }

  @Test func `cases of an algorithm that this libcrypto has not are known for what they are`() throws {
    let cases = try Self.cases("algorithms-ml-dsa")
    let here = supportedAlgorithms.contains(.mlDSA44)
    #expect(cases.count == 9)
    #expect(cases.allSatisfy { ($0.unavailableAlgorithm == nil) == here })
    #expect(try Self.cases("algorithms").allSatisfy { $0.unavailableAlgorithm == nil })
  }

  @Test func `every file of the folder is made by the generator`() throws {
    let names = try File.names(in: Self.folder).filter { $0.hasSuffix(".json") && $0 != "schema.json" }
    let known = Set(Self.topics).union(["algorithms-ml-dsa"])
    #expect(Set(names.map { String($0.dropLast(".json".count)) }).subtracting(known).isEmpty)
  }

  @Test func `every case has an id of its own, that begins with its topic`() throws {
    var seen: Set<String> = []
    for topic in Self.topics {
      for recorded in try Self.cases(topic) {
        #expect(seen.insert(recorded.id).inserted, "\(recorded.id)")
        // Where this libcrypto has ML-DSA, its cases are among the topics, in a file of their own.
        let named = topic == "algorithms-ml-dsa" ? "algorithms" : topic
        #expect(recorded.id.split(separator: "/").first.map(String.init) == named, "\(recorded.id)")
      }
    }
  }

  @Test func `every step of a refusal is judged after those before it`() throws {
    for topic in Self.topics {
      for recorded in try Self.cases(topic) {
        guard let step = recorded.expectation.step else { continue }
        let verdict = CaseVerdict(of: recorded, now: Timestamp(secondsSince1970: 0))
        // Everything before the fault is right: a refusal is by its own step, and not by luck at an earlier one.
        let failed = verdict.steps.compactMap { (entry) -> Int? in
          guard case .failed = entry.outcome else { return nil }
          return entry.step
        }
        #expect(failed == [step], "\(recorded.id)")
        #expect(Set(verdict.steps.map(\.step)) == Set(1...step), "\(recorded.id)")
      }
    }
  }
}
