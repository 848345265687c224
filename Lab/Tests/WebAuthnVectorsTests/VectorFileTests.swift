// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyTestSupport
import Testing
import WebAuthnRelyingParty

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// The files in Vectors/ are what the generator makes, and each case has its expected verdict.
struct VectorFileTests {
  static let folder = "\(projectFolder)/Vectors"

  /// The files of the generator, made once because RSA keys are slow.
  static let made: [String: [UInt8]] = Dictionary(
    uniqueKeysWithValues: VectorFile.all.map { ($0.topic, (try? $0.text()) ?? []) })

  static let topics = VectorFile.all.map(\.topic)

  static func cases(_ topic: String) throws -> [VerificationCase] {
    try CaseFile.cases(in: File.bytes("\(folder)/\(topic).json")[...])
  }

  @Test(arguments: topics) func `the generator makes the file in the repository`(topic: String) throws {
    #expect(try File.bytes("\(Self.folder)/\(topic).json") == Self.made[topic], "passkey vectors generate ours")
  }

  @Test(arguments: topics) func `every case has its expected verdict, with code, step and causes`(topic: String) throws
  {
    for recorded in try Self.cases(topic) {
      let verdict = CaseVerdict(of: recorded, now: UnixTime(secondsSince1970: 0))
      let comparison = CaseComparison(verdict, with: recorded.expectation)
      #expect(comparison.isAsExpected, "\(recorded.id): \(comparison.differences)")
      guard !recorded.expectation.verified else { continue }
      // Refusals specify code and causes; a missing step means before the first step.
      #expect(recorded.expectation.code != nil && recorded.expectation.causes != nil, "\(recorded.id)")
      #expect(recorded.expectation.step == verdict.refusal?.step, "\(recorded.id)")
      #expect(try recorded.expectation.members.require("why").string.isEmpty == false, "\(recorded.id)")
    }
  }

  @Test func `no case needs an algorithm that this build lacks`() throws {
    let cases = try Self.cases("algorithms-ml-dsa")
    #expect(cases.count == 9)
    #expect(cases.allSatisfy { $0.unavailableAlgorithm == nil })
    #expect(try Self.cases("algorithms").allSatisfy { $0.unavailableAlgorithm == nil })
  }

  @Test func `the generator makes every file of the folder`() throws {
    let names = try File.names(in: Self.folder).filter { $0.hasSuffix(".json") && $0 != "schema.json" }
    #expect(Set(names.map { String($0.dropLast(".json".count)) }).subtracting(Self.topics).isEmpty)
  }

  @Test func `case ids are unique and begin with the topic`() throws {
    var seen: Set<String> = []
    for topic in Self.topics {
      for recorded in try Self.cases(topic) {
        #expect(seen.insert(recorded.id).inserted, "\(recorded.id)")
        let named = topic == "algorithms-ml-dsa" ? "algorithms" : topic
        #expect(recorded.id.split(separator: "/").first.map(String.init) == named, "\(recorded.id)")
      }
    }
  }

  @Test func `the step of a refusal is the first that failed`() throws {
    for topic in Self.topics {
      for recorded in try Self.cases(topic) {
        guard let step = recorded.expectation.step else { continue }
        let verdict = CaseVerdict(of: recorded, now: UnixTime(secondsSince1970: 0))
        // All steps before the expected one pass, so no earlier step refuses by accident.
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
