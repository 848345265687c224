// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import WebAuthnAttestation
import WebAuthnTypes

/// The checks of attestation statements (WebAuthn §8), if the options ask for attestation.
struct AttestationCheck {
  /// The fault of a statement: its format and the code of the error, with the end of the ID of the fault that omits
  /// the check.
  private static let omissions: [String: String] = [
    "packed attestation.invalid-signature": "packed-signature",
    "packed attestation.aaguid-mismatch": "packed-model",
    "tpm attestation.invalid-signature": "tpm-signature",
    "tpm attestation.tpm-extra-data-mismatch": "tpm-ceremony",
    "tpm attestation.public-key-mismatch": "tpm-key",
    "tpm attestation.certificate-subject": "tpm-certificate",
    "android-key attestation.invalid-signature": "android-key-signature",
    "android-key attestation.android-challenge-mismatch": "android-key-ceremony",
    "android-key attestation.public-key-mismatch": "android-key-key",
    "android-safetynet attestation.invalid-signature": "safetynet-signature",
    "android-safetynet attestation.nonce-mismatch": "safetynet-ceremony",
    "android-safetynet attestation.safetynet-host-name": "safetynet-certificate",
    "android-safetynet attestation.safetynet-profile": "safetynet-integrity",
    "apple attestation.nonce-mismatch": "apple-ceremony",
    "apple attestation.public-key-mismatch": "apple-key",
    "fido-u2f attestation.invalid-signature": "u2f-signature",
    "fido-u2f attestation.algorithm-mismatch": "u2f-certificate",
    "compound attestation.invalid-signature": "compound-invalid",
    "compound attestation.compound-member-count": "compound-count",
  ]

  /// Returns the end of the ID of the fault that omits the failed check; nil for a valid statement.
  func failure(
    of object: AttestationObject, _ key: COSEKey, _ clientData: Bytes, at time: UnixTime
  ) throws -> String? {
    do {
      _ = try AttestationVerifier().verify(
        object, credentialPublicKey: key, clientDataHash: Digest.sha256(clientData), at: time)
      return nil
    } catch {
      if error.code == .unsupportedFormat { return "format-unknown" }
      if error.code == .statementNotEmpty { return "none-statement" }
      guard let name = Self.omissions["\(object.format.rawValue) \(error.code.rawValue)"] else { throw error }
      return name
    }
  }
}
