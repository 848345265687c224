// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import WebAuthnRelyingParty
import WebAuthnTypes

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// Registrations with one fault.
struct RegistrationMutants {
  let positive: PositiveCase
  let original: RegistrationAttempt

  init(_ positive: PositiveCase) throws {
    self.positive = positive
    original = try positive.registration()
  }

  typealias RegistrationMutant = Mutant<RegistrationAttempt>

  // MARK: Client data

  func clientData() throws -> [RegistrationMutant] {
    let rule = ClientDataRule(recorded: positive.recorded)
    let faults = try rule.flipped(original.clientDataJSON) + rule.changed(original.clientDataJSON)
    return faults.map { fault in
      let expected = fault.refusal ?? covered(.clientData)
      return Mutant(fault.name, original, expected) { $0.clientDataJSON = fault.text }
    }
  }

  // MARK: Authenticator data

  func authenticatorData() throws -> [RegistrationMutant] {
    let data = original.authenticatorData
    let flips = try data.indices.flatMap { index in
      try (index == 32 ? (0..<8).map { 1 << $0 } : flippedBits(at: index)).compactMap { (bit) -> RegistrationMutant? in
        var flipped = data
        flipped[index] ^= bit
        guard let expected = try expected(flipped, at: index) else { return nil }
        return Mutant("authenticator data: bit \(bit) of byte \(index)", original, expected) {
          $0.authenticatorData = flipped
        }
      }
    }
    let cuts = data.indices.map { count in
      Mutant("authenticator data: \(count) bytes", original, Self.malformed()) {
        $0.authenticatorData = [UInt8](data.prefix(count))
      }
    }
    let extensions = [[0x00], [0xa0], [0xf6], data].map { more in
      Mutant(
        "authenticator data and \(more.count) bytes", original, Self.malformed("authenticator-data.trailing-bytes")
      ) { $0.authenticatorData += more }
    }
    return flips + cuts + extensions
  }

  private static func malformed(_ cause: String? = nil) -> Verdict {
    .refused(.registrationAttestationObjectMalformed, step: 13, cause: cause)
  }

  /// Returns the expected verdict by the position of the byte (§6.1, §6.5.1).
  private func expected(_ flipped: [UInt8], at index: Int) throws -> Verdict? {
    let (credentialID, key) = try original.layout
    switch index {
    case ..<32: return .refused(.registrationRelyingPartyIDMismatch, step: 14)
    case 32: return expected(flags: AuthenticatorFlags(rawValue: flipped[32]))
    case ..<37: return covered(.flagsCounterOrExtensions)
    case ..<53: return covered(.aaguid)
    // A changed length of the credential ID shifts everything after it.
    case ..<55: return Self.malformed()
    case credentialID: return .refused(.registrationCredentialIDMismatch, step: 13)
    default:
      let rest = CBORSequence(flipped[key.lowerBound...])
      let hasExtensions = flipped[32] & 0x80 != 0
      guard rest.lengths.count == (hasExtensions ? 2 : 1), rest.isWhole else { return Self.malformed() }
      guard key.contains(index) else {
        return rest.lastIsMap ? try covered(extensions: flipped[key.upperBound...]) : Self.malformed()
      }
      return expected(key: flipped[key])
    }
  }

  private func expected(flags: AuthenticatorFlags) -> Verdict {
    let before = AuthenticatorFlags(rawValue: original.authenticatorData[32])
    if flags.intersection([.attestedCredentialData, .extensionData])
      != before.intersection([.attestedCredentialData, .extensionData])
    {
      return Self.malformed()
    }
    if !flags.contains(.userPresent), !positive.recorded.isConditional {
      return .refused(.registrationUserNotPresent, step: 15)
    }
    if !flags.contains(.userVerified), positive.requiresUserVerification {
      return .refused(.registrationUserNotVerified, step: 16)
    }
    if flags.contains(.backedUp), !flags.contains(.backupEligible) {
      return .refused(.registrationBackupStateInvalid, step: 17)
    }
    return covered(.flagsCounterOrExtensions)
  }

  /// Returns the verdict of step 20 or, if the key is valid, of the attestation.
  private func expected(key encoded: ArraySlice<UInt8>) -> Verdict {
    let key: COSEKey
    do throws(COSEError) {
      key = try COSEKey(parsing: encoded)
    } catch {
      return .refused(.registrationKeyMalformed, step: 20, cause: error.code.rawValue)
    }
    guard positive.algorithms.contains(key.algorithm) else {
      return .refused(.registrationAlgorithmNotAllowed, step: 20)
    }
    guard let before = try? COSEKey(parsing: original.authenticatorData[original.layout.credentialPublicKey]) else {
      return Self.malformed()
    }
    if key.material == before.material {
      return covered(key.algorithm == before.algorithm ? .flagsCounterOrExtensions : .credentialAlgorithm)
    }
    // A point with one changed coordinate is not on the curve, except with negligible probability.
    if case .ec2 = key.material {
      return .refused(.registrationKeyMalformed, step: 20, cause: "crypto.invalid-key")
    }
    return covered(.credentialKey)
  }

  private var asksForExtensions: Bool { !positive.recorded.extensions.values.isEmpty }

  func covered(_ part: AttestationRule.Part) -> Verdict {
    AttestationRule.verdict(changing: part, of: original, positive.policy.attestation)
  }

  /// Returns the verdict of step 28, after the attestation: an output with a changed name was not requested. The tests of each
  /// extension cover the values of requested outputs, so this expects nothing of them.
  private func covered(extensions encoded: ArraySlice<UInt8>) throws -> Verdict? {
    let before = original.authenticatorData[try original.layout.credentialPublicKey.upperBound...]
    let verdict = covered(.flagsCounterOrExtensions)
    guard verdict == .verified else { return verdict }
    if positive.policy.unrequestedExtensions == .refused, extensionNames(in: encoded) != extensionNames(in: before) {
      return .refused(.registrationExtensionNotRequested, step: 28)
    }
    return asksForExtensions ? nil : verdict
  }
}

/// The encoded names of extension outputs.
func extensionNames(in encoded: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
  (try? CBORValue(parsing: encoded, rules: .wellFormed).map)?.map(\.key.encoded) ?? []
}

/// Concatenated CBOR items.
private struct CBORSequence {
  private(set) var lengths: [Int] = []
  private(set) var isWhole = true
  private(set) var lastIsMap = false

  init(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while !rest.isEmpty {
      var reader = CBORReader(rest, rules: .wellFormed)
      guard let value = try? reader.readValue() else {
        isWhole = false
        return
      }
      lengths.append(value.encoded.count)
      lastIsMap = (try? value.map) != nil
      rest = rest.dropFirst(value.encoded.count)
    }
  }
}
