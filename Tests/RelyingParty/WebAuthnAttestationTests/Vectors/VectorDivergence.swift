// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import WebAuthnAttestation
import WebAuthnTypes

/// Intentional differences between this module and the shared vectors, with their reasons.
struct VectorDivergence: Sendable {
  let code: AttestationError.Code

  /// The policy change under which they agree, if any.
  let relax: (@Sendable (inout AttestationPolicy) -> Void)?

  static let of: [String: VectorDivergence] = {
    let java = "java-webauthn-server"
    var divergences: [String: VectorDivergence] = [
      // The response claims a creation time three years after the time of verification.
      "\(java)/android-safetynet/BasicAttestation": Self(code: .safetyNetTime) { $0.safetyNetTime = .ignored },
      // RS1 is for TPMs only; the vectors leave it open.
      "\(java)/packed/BasicAttestationRs1": Self(code: .legacyHash, relax: nil),
    ]
    divergences["\(java)/packed/SelfAttestationRs1"] = Self(code: .legacyHash, relax: nil)
    return divergences
  }()

  /// The code of an error that a vector may expect.
  static func code(of error: any Error) -> String? {
    switch error {
    case let error as AttestationError: error.code.rawValue
    case let error as FormatError: error.code.rawValue
    case let error as COSEError: error.code.rawValue
    default: nil
    }
  }

  enum Refusal: Sendable {
    case code(AttestationError.Code)
    /// The attestation object cannot be parsed.
    case malformed(WireError.Code)
    /// The fault is outside the attestation, and a higher module detects it.
    case above
  }

  static let refusals: [String: Refusal] = [
    "w3c-main/android-key.ES256/registration-empty-lists": .code(.androidKeyOrigin),
    "go-webauthn/android-key/TestSpecVectors_AndroidKeyES256": .code(.malformedExtension),
    "go-webauthn/android-safetynet/safetyNetTestBuildJWT": .code(.invalidSignature),
    "java-webauthn-server/android-safetynet/WrongHostname": .code(.safetyNetHostName),
    "java-webauthn-server/android-safetynet/FalseCtsProfileMatch": .code(.safetyNetProfile),
    "java-webauthn-server/packed/BasicAttestationWithWrongAaguidExtension": .code(.aaguidMismatch),
    "java-webauthn-server/none/Default-indefinite-length": .malformed(.cborIndefiniteLength),
    "webauthn-swift/negative/challenge": .above,
  ]
}
