// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnRelyingParty
internal import WebAuthnTypes

/// The comparison of a verdict with the expectation of its case.
package struct CaseComparison: Sendable {
  /// One line for each difference; empty where the verdict is as expected.
  package private(set) var differences: [String] = []

  /// Whether the verdict is as expected.
  package var isAsExpected: Bool { differences.isEmpty }

  /// Compares a verdict with the expectation of its case.
  package init(_ verdict: CaseVerdict, with expectation: VerificationCase.Expectation) {
    if expectation.isOptional { return }
    guard verdict.isVerified == expectation.verified else {
      differences = [
        expectation.verified
          ? "expected verified, got refused: \(verdict.refusal?.description ?? "")" : "expected refused, got verified"
      ]
      return
    }
    switch verdict.outcome {
    case .refused(let refusal): compare(refusal, with: expectation)
    case .registered(let result): compare(result, with: expectation.members)
    case .authenticated(let result): compare(result, with: expectation.members)
    }
  }

  private mutating func compare(_ refusal: CaseVerdict.Refusal, with expectation: VerificationCase.Expectation) {
    if let code = expectation.code { compare("code", refusal.code, code) }
    if let step = expectation.step { compare("step", "\(refusal.step ?? 0)", "\(step)") }
    if let causes = expectation.causes {
      compare("causes", refusal.causes.joined(separator: ", "), causes.joined(separator: ", "))
    }
  }

  private mutating func compare(_ result: VerifiedRegistration, with members: JSONValue) {
    let record = result.credential.record
    compareBytes("credentialId", record.id.bytes, members)
    compareBytes("publicKey", record.publicKey, members)
    compare("algorithm", (try? COSEKey(parsing: record.publicKey)).map { "\($0.algorithm.rawValue)" } ?? "", members)
    compare("aaguid", "\(result.aaguid)", members)
    compare("signCount", "\(record.signCount)", members)
    compareFlags(result.flags, members)
    guard let attestation = try? members["attestation"] else { return }
    compare("format", result.attestation.format.rawValue, attestation)
    // A certificate does not say which type of attestation it is for, so a case can leave the type open.
    if (try? attestation["type"]?.string) != "unknown" {
      compare("type", result.attestation.type.rawValue, attestation)
    }
    compare("trust", result.attestation.trust.kind.rawValue, attestation)
    if let expected = try? attestation["tolerated"]?.array.map({ try $0.string }) {
      let found = result.attestation.tolerances.map(\.rawValue)
      compare("tolerated", found.joined(separator: ", "), expected.joined(separator: ", "))
    }
  }

  private mutating func compare(_ result: VerifiedAuthentication, with members: JSONValue) {
    compare("signCount", "\(result.credential.record.signCount)", members)
    compareFlags(result.flags, members)
    compareBytes("userHandle", result.user.bytes, members)
    compare("userVerificationIsFactor", "\(result.userVerification == .factor)", members)
    compare("suspiciousCounter", "\(result.counter.isSuspicious)", members)
    compare("backupEligibilityChanged", "\(result.backup.eligibilityChanged)", members)
    compare("steppedUp", "\(result.stepUp != nil)", members)
  }

  private mutating func compareFlags(_ flags: AuthenticatorFlags, _ members: JSONValue) {
    compare("userVerified", "\(flags.contains(.userVerified))", members)
    compare("backupEligible", "\(flags.contains(.backupEligible))", members)
    compare("backedUp", "\(flags.contains(.backedUp))", members)
  }

  private mutating func compareBytes(_ name: String, _ bytes: [UInt8], _ members: JSONValue) {
    compare(name, Base64URL.encode(bytes), members)
  }

  /// Compares a member that the case specifies; ignores every other.
  private mutating func compare(_ name: String, _ found: String, _ members: JSONValue) {
    guard let member = try? members[name]?.unlessNull else { return }
    compare(name, found, (try? member.string) ?? String(decoding: member.encoded, as: UTF8.self))
  }

  private mutating func compare(_ name: String, _ found: String, _ expected: String) {
    if found != expected { differences.append("\(name): expected \(expected), got \(found)") }
  }
}

extension AttestationOutcome.Trust {
  /// The trust as the case format names it.
  fileprivate var kind: CasePolicy.Trust {
    switch self {
    case .none: .none
    case .self: .self
    case .anchored: .anchored
    case .unanchored: .unanchored
    }
  }
}
