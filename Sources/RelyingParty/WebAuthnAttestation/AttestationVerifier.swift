// SPDX-License-Identifier: Apache-2.0

package import PasskeyCOSE
internal import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnTypes

/// A verifier of attestation statements in every format of WebAuthn Level 3 §8, which also assesses their trust.
///
/// Create one from the configuration and keep it. It is safe to use from any number of threads.
///
/// ```swift
/// var policy = AttestationPolicy()
/// policy.trustAnchors = TrustAnchors(metadata: blob)
/// policy.acceptableTrust = .anchored
/// let verifier = AttestationVerifier(policy: policy)
/// ```
package struct AttestationVerifier: Sendable {
  /// The requirements and the trusted authorities.
  package let policy: AttestationPolicy

  /// The supported formats: all that WebAuthn §8 defines.
  package static let formats: Set<AttestationFormat> = [
    .none, .packed, .tpm, .androidKey, .androidSafetyNet, .apple, .fidoU2F, .compound,
  ]

  /// Creates a verifier.
  package init(policy: AttestationPolicy = AttestationPolicy()) {
    self.policy = policy
  }

  /// Runs the format's verification procedure and assesses the trust (§7.1 steps 22 to 24).
  ///
  /// `credentialPublicKey` must be the parsed key from `authenticatorData`.
  ///
  /// `statusTime`, if later than `time`, is the time at which status reports about the model are evaluated. To reassess
  /// a stored credential, pass the registration time as `time`, and the current time as `statusTime`.
  ///
  /// - Returns: The outcome. It may be unanchored if the policy accepts that.
  /// - Throws: The code of an invalid statement, such as `attestation.statement-not-empty` or
  ///   `attestation.invalid-signature`; or of a trust that the policy refuses, such as
  ///   `attestation.unanchored-not-acceptable`.
  package func verify(
    _ statement: CBORValue,
    format: AttestationFormat,
    authenticatorData: AuthenticatorData,
    credentialPublicKey: COSEKey,
    clientDataHash: some ByteSource,
    at time: UnixTime,
    statusTime: UnixTime? = nil
  ) throws(AttestationError) -> AttestationOutcome {
    let clientDataHash = clientDataHash.slice
    let ceremony = try AttestedCeremony(
      authenticatorData: authenticatorData, credentialPublicKey: credentialPublicKey, clientDataHash: clientDataHash,
      time: time, statusTime: statusTime)
    let outcome = try verify(statement, format, of: ceremony)
    try policy.models.require(outcome, of: ceremony)
    return outcome
  }

  private func verify(
    _ statement: CBORValue, _ format: AttestationFormat, of ceremony: AttestedCeremony
  ) throws(AttestationError) -> AttestationOutcome {
    guard format == .compound else { return try verifySingle(statement, format, of: ceremony) }
    try requireAcceptable(format)
    return try CompoundAttestation(parsing: statement).verify(by: self, of: ceremony)
  }

  /// Verifies a whole attestation object in the same way.
  ///
  /// - Returns: The outcome. It may be unanchored if the policy accepts that.
  /// - Throws: The code of an invalid statement, such as `attestation.statement-not-empty` or
  ///   `attestation.invalid-signature`; or of a trust that the policy refuses, such as
  ///   `attestation.unanchored-not-acceptable`.
  package func verify(
    _ object: AttestationObject, credentialPublicKey: COSEKey, clientDataHash: some ByteSource, at time: UnixTime,
    statusTime: UnixTime? = nil
  ) throws(AttestationError) -> AttestationOutcome {
    let clientDataHash = clientDataHash.slice
    return try verify(
      object.statement, format: object.format, authenticatorData: object.authenticatorData,
      credentialPublicKey: credentialPublicKey, clientDataHash: clientDataHash, at: time, statusTime: statusTime)
  }

  /// Verifies a statement that is not compound.
  func verifySingle(
    _ statement: CBORValue, _ format: AttestationFormat, of ceremony: AttestedCeremony
  ) throws(AttestationError) -> AttestationOutcome {
    try requireAcceptable(format)
    let verified = try procedure(statement, format, ceremony)
    // A key that Android's key store certified may sign certificates itself. It must not attest in any other format.
    for issuer in verified.certificates.dropFirst() {
      try issuer.requireNoForeignExtension(except: format == .androidKey ? .androidKeyDescription : nil)
    }
    return try policy.assess(verified, format, of: ceremony)
  }

  private func procedure(
    _ statement: CBORValue, _ format: AttestationFormat, _ ceremony: AttestedCeremony
  ) throws(AttestationError) -> VerifiedStatement {
    switch format {
    case .none: try NoneAttestation(parsing: statement).verify()
    case .packed: try PackedAttestation(parsing: statement).verify(of: ceremony, policy.modelTolerances)
    case .tpm:
      try TPMAttestation(parsing: statement).verify(of: ceremony, policy.legacyHash, policy.modelTolerances)
    case .androidKey:
      try AndroidKeyAttestation(parsing: statement).verify(of: ceremony, policy.androidKeyAuthorizations)
    case .androidSafetyNet: try SafetyNetAttestation(parsing: statement).verify(of: ceremony, policy.safetyNetTime)
    case .apple: try AppleAttestation(parsing: statement).verify(of: ceremony)
    case .fidoU2F: try FIDOU2FAttestation(parsing: statement).verify(of: ceremony, policy.modelTolerances)
    default: throw AttestationError(.unsupportedFormat, format.rawValue)
    }
  }

  private func requireAcceptable(_ format: AttestationFormat) throws(AttestationError) {
    guard policy.acceptableFormats?.contains(format) ?? true else {
      throw AttestationError(.formatNotAcceptable, format.rawValue)
    }
  }
}
