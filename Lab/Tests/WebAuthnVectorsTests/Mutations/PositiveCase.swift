// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyFormats
import PasskeyTestSupport
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// A recorded ceremony that succeeds, and the relying party with which it does.
struct PositiveCase {
  let recorded: VerificationCase
  let judge: CaseVerifier

  var id: String { recorded.id }
  var policy: CeremonyPolicy { judge.relyingParty.policy }

  /// Whether user verification is required. A step-up requires it regardless of the policy.
  var requiresUserVerification: Bool { policy.userVerification == .required || recorded.purpose != .signIn }

  /// The algorithms of the options.
  var algorithms: [COSEAlgorithm] { policy.algorithms }

  init(_ recorded: VerificationCase) throws {
    self.recorded = recorded
    judge = try CaseVerifier(recorded, now: UnixTime(secondsSince1970: 1_780_000_000))
  }

  /// Returns a judge of the case with another policy and time.
  func judge(at time: UnixTime, _ change: (inout CeremonyPolicy) -> Void) throws -> CaseVerifier {
    let original = judge.relyingParty
    var policy = policy
    change(&policy)
    let relyingParty = try RelyingParty(
      id: original.id, name: original.name, origins: original.origins, policy: policy)
    return CaseVerifier(judge, relyingParty: relyingParty, time: time)
  }
}

/// The files of recorded ceremonies, including those of this project.
enum PositiveCases {
  static let files: [String] = own + (SharedVectors.arePresent ? SharedCasesTests.files : [])

  /// The project's own files in which some case should succeed, under their names in its folder.
  private static var own: [String] {
    let names = (try? File.names(in: "\(projectFolder)/Vectors")) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { folder + $0 }
      .filter { (try? cases(in: $0))?.isEmpty == false }
  }

  private static let folder = "Vectors/"

  /// Every case of a file that should succeed; one on which opinions may differ is a bad witness, and so is one that
  /// cannot be judged here. What is shown of a payment is judged in between (step 12), and has vectors of its own.
  static func cases(in file: String) throws -> [PositiveCase] {
    let bytes = try file.hasPrefix(folder) ? File.bytes("\(projectFolder)/\(file)") : SharedVectors.bytes(file)
    return try CaseFile.cases(in: bytes[...])
      .filter { $0.expectation.verified && !$0.expectation.isOptional && CaseDivergence.of($0) == nil }
      .filter { $0.unavailableAlgorithm == nil }
      .map { try PositiveCase($0) }
  }
}
