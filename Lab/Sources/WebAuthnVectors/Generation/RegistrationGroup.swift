// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyTesting

/// The registrations that share the beginning of their ids and an attestation. Called with the rest of an id, it makes one.
///
/// ```swift
/// let packed = RegistrationGroup("attestation-packed/", .packed())
/// packed("certificate-of-mail", .certificateOfMail).refused(.certificatePurpose)
/// ```
struct RegistrationGroup: Sendable {
  private let prefix: String
  private let attestation: AttestationKind

  init(_ prefix: String, _ attestation: AttestationKind = .none) {
    self.prefix = prefix
    self.attestation = attestation
  }

  /// Makes a scenario with these faults, for a credential of this algorithm; `attestation` replaces that of the group.
  func callAsFunction(
    _ name: String, for algorithm: COSEAlgorithm = .es256, by attestation: AttestationKind? = nil, _ faults: Fault...
  ) -> RegistrationScenario {
    RegistrationScenario(prefix + name, algorithm, attestation ?? self.attestation, faults)
  }
}
