// SPDX-License-Identifier: Apache-2.0

import WebAuthnAttestation
import WebAuthnRelyingParty
import WebAuthnTypes
import WireFormats

/// What a statement covers, read out of the verification procedures of WebAuthn §8: which of their checks a change must
/// fail, or that none can.
enum AttestationRule {
  /// What was changed, and nothing before the attestation minds.
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
      // §8.2, for an attestation by the key itself: alg is compared with the key's before the signature is judged.
      part == .credentialAlgorithm && attempt.certificates.isEmpty ? .algorithmMismatch : .invalidSignature
    case .androidKey:
      // §8.4: the signature is judged first, and covers everything.
      .invalidSignature
    case .tpm:
      // §8.3: the key in pubArea, then the certificate and the model that it names, then what certInfo covers.
      switch part {
      case .credentialKey: .publicKeyMismatch
      case .aaguid where namesModel(attempt): .aaguidMismatch
      default: .tpmExtraDataMismatch
      }
    case .apple, .androidSafetyNet:
      // §8.8 and §8.5: the nonce covers everything.
      .nonceMismatch
    case .fidoU2F:
      // §8.6: of the authenticator data only the RP ID's hash, the credential id and the key are signed.
      switch part {
      case .clientData, .credentialKey: .invalidSignature
      case .credentialAlgorithm: .algorithmMismatch
      case .flagsCounterOrExtensions: nil
      // CTAP's mapping of U2F writes an AAGUID of zeros.
      case .aaguid: .aaguidNotZero
      }
    case .compound: code(ofMembers: members(attempt).map { code(changing: part, $0, policy) }, policy)
    default:
      // §8.7: nothing is covered.
      nil
    }
  }

  /// §8.9: where all must hold, the first that minds; where one is enough, none does when all mind.
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
  private static func namesModel(_ attempt: RegistrationAttempt) -> Bool {
    let identifier: [UInt8] = [0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0xe5, 0x1c, 0x01, 0x01, 0x04]
    guard let leaf = attempt.certificates.first else { return false }
    return leaf.indices.contains { leaf[$0...].starts(with: identifier) }
  }
}
