// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// Authentications with one fault. Where the key is known, each mutant also exists with a valid signature over the changed
/// data, so that the signature check does not mask the check under test.
struct AuthenticationMutants {
  let positive: PositiveCase
  let original: AuthenticationAttempt

  init(_ positive: PositiveCase) throws {
    self.positive = positive
    original = try positive.authentication()
  }

  typealias AuthenticationMutant = Mutant<AuthenticationAttempt>

  static let unsigned = Verdict.refused(
    .authenticationSignatureInvalid, step: 21, cause: PasskeyCryptoError.Code.invalidSignature.rawValue)

  // MARK: Client data

  func clientData() throws -> [AuthenticationMutant] {
    let rule = ClientDataRule(recorded: positive.recorded)
    // Payments are compared member by member, which PaymentChecksTests covers.
    let flips = rule.isPayment ? [] : rule.flipped(original.clientDataJSON)
    let faults = try flips + rule.changed(original.clientDataJSON)
    return try faults.flatMap { fault in
      try mutants(fault.name, fault.refusal) { $0.clientDataJSON = fault.text }
    }
  }

  // MARK: Authenticator data

  func authenticatorData() throws -> [AuthenticationMutant] {
    let data = original.authenticatorData
    // The tests of each extension cover the values of requested outputs.
    let asksForExtensions = !positive.recorded.extensions.values.isEmpty
    let flips = try data.indices.filter { $0 < 37 || !asksForExtensions }.flatMap { index in
      try (index == 32 ? (0..<8).map { 1 << $0 } : flippedBits(at: index)).flatMap { bit in
        var flipped = data
        flipped[index] ^= bit
        return try mutants("authenticator data: bit \(bit) of byte \(index)", refusal(of: flipped, at: index)) {
          $0.authenticatorData = flipped
        }
      }
    }
    let cuts = try data.indices.flatMap { count in
      try mutants("authenticator data: \(count) bytes", Self.malformed()) {
        $0.authenticatorData = [UInt8](data.prefix(count))
      }
    }
    let extensions = try [[0x00], [0xa0], [0xf6], data].flatMap { more in
      try mutants(
        "authenticator data and \(more.count) bytes", Self.malformed("authenticator-data.trailing-bytes")
      ) { $0.authenticatorData += more }
    }
    return flips + cuts + extensions
  }

  private static func malformed(_ cause: String? = nil) -> Verdict {
    .refused(.authenticationAuthenticatorDataMalformed, step: 7, cause: cause)
  }

  /// Returns the refusal by the position of the byte (§6.1); nil where only the signature detects the change.
  private func refusal(of flipped: [UInt8], at index: Int) -> Verdict? {
    switch index {
    case ..<32: return .refused(.authenticationRelyingPartyIDMismatch, step: 15)
    case 32: return refusal(of: AuthenticatorFlags(rawValue: flipped[32]))
    case ..<37: return nil
    default:
      let isMap = (try? CBORValue(parsing: flipped[37...], rules: .wellFormed).map) != nil
      return isMap ? nil : Self.malformed()
    }
  }

  private func refusal(of flags: AuthenticatorFlags) -> Verdict? {
    let before = AuthenticatorFlags(rawValue: original.authenticatorData[32])
    if flags.intersection([.attestedCredentialData, .extensionData])
      != before.intersection([.attestedCredentialData, .extensionData])
    {
      return Self.malformed()
    }
    if !flags.contains(.userPresent) { return .refused(.authenticationUserNotPresent, step: 16) }
    if !flags.contains(.userVerified), positive.requiresUserVerification {
      return .refused(.authenticationUserNotVerified, step: 17)
    }
    if flags.contains(.backedUp), !flags.contains(.backupEligible) {
      return .refused(.authenticationBackupStateInvalid, step: 18)
    }
    let wasEligible = original.credential.record.backupEligible
    if positive.policy.backupEligibilityChange == .refuse, flags.contains(.backupEligible) != wasEligible {
      return .refused(.authenticationBackupEligibilityChanged, step: 19)
    }
    return nil
  }

  // MARK: The signature

  func signatures() throws -> [AuthenticationMutant] {
    let key = try COSEKey(parsing: original.credential.record.publicKey)
    return SignatureFault.all(of: original.signature, by: key).map { fault in
      Mutant("signature: \(fault.name)", original, fault.isValid ? .verified : Self.unsigned) {
        $0.signature = fault.signature
      }
    }
  }

  // MARK: The record

  func records() throws -> [AuthenticationMutant] {
    let encoded = original.credential.record.publicKey
    let faults = try KeyFault.all(of: encoded[...]).map { fault in
      let expected: Verdict =
        switch fault.refusal {
        case nil: .verified
        case .shape(let cause)?: .refused(.authenticationKeyMalformed, step: 21, cause: cause)
        case .point?: .refused(.authenticationSignatureInvalid, step: 21, cause: "crypto.invalid-key")
        }
      return Mutant("record: \(fault.name)", original, expected) {
        $0.credential.record.publicKey = fault.encoded
      }
    }
    let key = try COSEKey(parsing: encoded)
    let other = try SigningKey.generate(key.algorithm, random: .seeded([4], label: "another credential"))
    let others = [
      Mutant("record: another key", original, Self.unsigned) {
        $0.credential.record.publicKey = other.publicKey.encoded
      },
      try Mutant("record: of another credential", original, .refused(.authenticationCredentialMismatch, step: 6)) {
        $0.credential.record.id = try CredentialID([1])
      },
      try Mutant("record: of another user", original, .refused(.authenticationUserHandleMismatch, step: 6)) {
        $0.credential.user = try UserHandle([0xff, 0xfe, 0xfd])
      },
      try Mutant("response: another credential", original, anotherCredential) {
        $0.response.id = try CredentialID(
          $0.response.id.bytes.dropLast() + [$0.response.id.bytes.last.map { ~$0 } ?? 0])
      },
      try Mutant("response: another user handle", original, .refused(.authenticationUserHandleMismatch, step: 6)) {
        $0.response.userHandle = try UserHandle([0xff, 0xfe, 0xfd])
      },
    ]
    return faults + others
  }

  /// Returns the mutant with the recorded signature, and one with a new signature.
  private func mutants(
    _ name: String, _ refusal: Verdict?, _ corrupt: (inout AuthenticationAttempt) -> Void
  ) throws -> [AuthenticationMutant] {
    let plain = Mutant(name, original, refusal ?? Self.unsigned, corrupt)
    guard original.signingKey != nil else { return [plain] }
    var attempt = original
    corrupt(&attempt)
    try attempt.sign()
    let expected = refusal ?? refusalBehindSignature(attempt) ?? .verified
    return [plain, Mutant("\(name), signed", original, expected) { $0 = attempt }]
  }

  /// Step 22: if the policy demands it, the counter must have increased or be unused (§6.1.1).
  private func refusalBehindSignature(_ attempt: AuthenticationAttempt) -> Verdict? {
    let received = attempt.authenticatorData[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    let stored = attempt.credential.record.signCount
    guard positive.policy.signCount == .refuse, received <= stored, (received, stored) != (0, 0) else { return nil }
    return .refused(.authenticationSignCountNotGreater, step: 22)
  }

  /// Step 5 applies only where the options named credentials. Otherwise step 6 detects that the record has another ID.
  private var anotherCredential: Verdict {
    if case .knownBefore(_, let credentials) = original.identification, !credentials.isEmpty {
      return .refused(.authenticationCredentialNotAllowed, step: 5)
    }
    return .refused(.authenticationCredentialMismatch, step: 6)
  }
}
