// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto
import TestSupport
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

@testable import passkey

/// A recorded ceremony that succeeds, and the relying party with which it does.
struct PositiveCase {
  let recorded: VerificationCase
  let policy: CeremonyPolicy
  let relyingParty: RelyingParty
  let time: Timestamp

  var id: String { recorded.id }
  var requiresUserVerification: Bool { policy.userVerification == .required }

  /// The algorithms that are asked for.
  var algorithms: [COSEAlgorithm] { policy.algorithms }

  init(_ recorded: VerificationCase) throws {
    self.recorded = recorded
    time = recorded.time ?? Timestamp(secondsSince1970: 1_780_000_000)
    var policy = CeremonyPolicy()
    policy.userVerification = UserVerificationRequirement(rawValue: recorded.userVerification)
    policy.algorithms = recorded.algorithms ?? supportedAlgorithms.filter { $0 != .rs1 }
    if recorded.relyingParty.allowsCrossOrigin {
      policy.embedding = .allowed(topOrigins: try recorded.relyingParty.topOrigins.map { try Origin($0) })
    }
    if recorded.time == nil { policy.attestation.safetyNetTime = .notJudged }
    if let anchors = recorded.trustAnchors {
      policy.attestation.trustAnchors = TrustAnchors(
        forEverything: try anchors.map { try Certificate(der: $0[...]) })
      policy.attestation.acceptableTrust = [.noAttestation, .selfAttestation, .anchored]
    }
    self.policy = policy
    relyingParty = try Self.relyingParty(of: recorded, policy)
  }

  /// The same relying party with another policy.
  func relyingParty(_ change: (inout CeremonyPolicy) -> Void) throws -> RelyingParty {
    var policy = policy
    change(&policy)
    return try Self.relyingParty(of: recorded, policy)
  }

  private static func relyingParty(of recorded: VerificationCase, _ policy: CeremonyPolicy) throws -> RelyingParty {
    try RelyingParty(
      id: RelyingPartyID(recorded.relyingParty.id), name: recorded.relyingParty.id,
      origins: recorded.relyingParty.origins.map { try Origin($0) }, policy: policy)
  }
}

/// The files in which there are recorded ceremonies, those of the project among them.
enum PositiveCases {
  static let files: [String] =
    [
      "w3c-level3.json", "peers/go-webauthn.json", "peers/java-webauthn-server.json", "peers/webauthn-ruby.json",
      "peers/webauthn-swift.json", "peers/webauthn4j.json",
    ] + own

  /// The project's own files of cases, under their names in its folder.
  private static var own: [String] {
    let names = (try? File.names(in: "\(projectFolder)/Vectors")) ?? []
    return names.filter { $0.hasSuffix(".json") && (try? cases(in: folder + $0)) != nil }.map { folder + $0 }
  }

  private static let folder = "Vectors/"

  /// Every case of a file that should succeed; one on which opinions may differ is a bad witness.
  static func cases(in file: String) throws -> [PositiveCase] {
    let bytes = try file.hasPrefix(folder) ? File.bytes("\(projectFolder)/\(file)") : SharedVectors.bytes(file)
    return try CaseFile.cases(in: bytes[...], named: file)
      .filter { $0.expectation.verified && !$0.expectation.isOptional && CaseDivergence.of($0) == nil }
      .map { try PositiveCase($0) }
  }
}
