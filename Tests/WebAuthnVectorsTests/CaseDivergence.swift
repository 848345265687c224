// SPDX-License-Identifier: Apache-2.0

import COSE
import SystemCrypto

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// A case of somebody else's that we judge otherwise, and why.
struct CaseDivergence {
  let code: String
  let reason: String

  static func of(_ recorded: VerificationCase) -> Self? {
    if let listed = listed[recorded.id] { return listed }
    let unsupported = (recorded.algorithms ?? []).contains { !supportedAlgorithms.contains($0) }
    return unsupported ? withoutMLDSA : nil
  }

  private static let withoutMLDSA = Self(
    code: "ceremony.configuration-invalid",
    reason: "the libcrypto that runs has no ML-DSA, and nobody can be asked for what cannot be verified")

  private static let listed = [
    "java-webauthn-server/android-safetynet/BasicAttestation": Self(
      code: "registration.attestation-invalid",
      reason: "its response was made in 2022 and the case judges it in 2018: §8.5 has it be recent")
  ]
}
