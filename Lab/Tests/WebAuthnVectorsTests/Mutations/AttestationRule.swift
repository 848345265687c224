// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes

/// The coverage of attestation statements, derived from the verification procedures of WebAuthn §8: the check that a change
/// must fail, or that no check can fail.
enum AttestationRule {
  /// The changed part. No step before the attestation detects the change.
  enum Part {
    case clientData
    case flagsCounterOrExtensions
    case aaguid
    case credentialKey
    case credentialAlgorithm
  }

  static func verdict(
    changing part: Part, of attempt: RegistrationAttempt, _ policy: AttestationPolicy
  ) -> Verdict {
    guard let code = code(changing: part, attempt, policy) else { return .verified }
    return .refused(.registrationAttestationInvalid, step: 22, cause: code.rawValue)
  }

  private static func code(
    changing part: Part, _ attempt: RegistrationAttempt, _ policy: AttestationPolicy
  ) -> AttestationError.Code? {
    switch AttestationFormat(rawValue: attempt.format) {
    case .packed:
      // §8.2, self attestation: alg is compared with the key's algorithm before the signature is verified.
      part == .credentialAlgorithm && attempt.certificates.isEmpty ? .algorithmMismatch : .invalidSignature
    case .androidKey:
      // §8.4: the signature is verified first, and covers everything.
      .invalidSignature
    case .tpm:
      // §8.3: the key in pubArea, then the certificate and the model that it names, then what certInfo covers.
      switch part {
      case .credentialKey: .publicKeyMismatch
      case .aaguid where hasModelExtension(attempt): .aaguidMismatch
      default: .tpmExtraDataMismatch
      }
    case .apple, .androidSafetyNet:
      // §8.8 and §8.5: the nonce covers everything.
      .nonceMismatch
    case .fidoU2F:
      // §8.6: of the authenticator data, only the RP ID hash, the credential ID and the key are signed.
      switch part {
      case .clientData, .credentialKey: .invalidSignature
      case .credentialAlgorithm: .algorithmMismatch
      case .flagsCounterOrExtensions: nil
      // CTAP's mapping of U2F sets the AAGUID to zero.
      case .aaguid: .aaguidNotZero
      }
    case .compound: code(ofMembers: members(attempt).map { code(changing: part, $0, policy) }, policy)
    default:
      // §8.7: nothing is covered.
      nil
    }
  }

  /// §8.9: if all members must be valid, the error of the first invalid one; if one suffices, an error only if all are invalid.
  private static func code(
    ofMembers codes: [AttestationError.Code?], _ policy: AttestationPolicy
  ) -> AttestationError.Code? {
    switch policy.compound {
    case .all: codes.compactMap(\.self).first
    case .any: codes.contains(nil) ? nil : .compoundNoneHolds
    }
  }

  private static func members(_ attempt: RegistrationAttempt) -> [RegistrationAttempt] {
    guard case .array(let items) = attempt.statement else { return [] }
    return items.compactMap { item in
      guard case .map(let member) = item, case .text(let format)? = member["fmt"] else { return nil }
      var attempt = attempt
      attempt.format = format
      attempt.statement = member["attStmt"] ?? [:]
      return attempt
    }
  }

  /// Whether the certificate has the extension id-fido-gen-ce-aaguid.
  private static func hasModelExtension(_ attempt: RegistrationAttempt) -> Bool {
    let identifier: [UInt8] = [0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0xe5, 0x1c, 0x01, 0x01, 0x04]
    guard let leaf = attempt.certificates.first else { return false }
    return leaf.indices.contains { leaf[$0...].starts(with: identifier) }
  }
}
