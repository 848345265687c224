// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyProfiles
internal import PasskeyTesting
internal import WebAuthnClient
internal import WebAuthnTypes
internal import WebAuthnVectors

// Faults in the attestation statements of each format (WebAuthn §8), for servers that ask for attestation.

extension Check {
  static let attestationChecks: [Check] = [
    attestation(
      "packed-signature", "a `packed` statement with an invalid signature", "§8.2", .packed(),
      .signatureBitFlipped(in: .packed)),
    attestation(
      "packed-model", "a `packed` statement whose certificate is for another model", "§8.2.1", .packed(),
      .modelOfAnother, severity: .low, advice: "Compare the AAGUID in the certificate with the authenticator data's."),
    attestation(
      "tpm-signature", "a `tpm` statement with an invalid signature", "§8.3", .tpm(), .signatureBitFlipped(in: .tpm)),
    attestation(
      "tpm-ceremony", "a `tpm` statement of another ceremony", "§8.3", .tpm(), .tpmExtraData,
      advice: "Compare `extraData` in certInfo with the hash of authenticator data and client data."),
    attestation(
      "tpm-key", "a `tpm` statement about another key", "§8.3", .tpm(), .tpmPublicAreaOfAnotherKey,
      advice: "Compare the key in pubArea with the credential's key."),
    attestation(
      "tpm-certificate", "a `tpm` statement whose certificate names a subject", "§8.3.1", .tpm(), .subjectNotEmpty,
      severity: .low, advice: "Verify the requirements for certificates of TPM attestation keys."),
    attestation(
      "android-key-signature", "an `android-key` statement with an invalid signature", "§8.4", .androidKey,
      .signatureBitFlipped(in: .androidKey)),
    attestation(
      "android-key-ceremony", "an `android-key` statement of another ceremony", "§8.4", .androidKey,
      .androidChallenge, advice: "Compare the challenge in the key description with the hash of the client data."),
    attestation(
      "android-key-key", "an `android-key` statement about another key", "§8.4", .androidKey, .attestedForAnotherKey,
      advice: "Compare the key in the certificate with the credential's key."),
    attestation(
      "safetynet-signature", "an `android-safetynet` statement with an invalid signature", "§8.5",
      .androidSafetyNet(), .safetyNetSignature),
    attestation(
      "safetynet-ceremony", "an `android-safetynet` statement of another ceremony", "§8.5", .androidSafetyNet(),
      .safetyNetNonce, advice: "Compare the nonce with the hash of authenticator data and client data."),
    attestation(
      "safetynet-certificate", "an `android-safetynet` statement of another host", "§8.5", .androidSafetyNet(),
      .hostOfAnother, advice: "Require a certificate for attest.android.com."),
    attestation(
      "safetynet-integrity", "an `android-safetynet` statement about a device that failed the tests", "§8.5",
      .androidSafetyNet(), .safetyNetProfile, severity: .low, advice: "Require `ctsProfileMatch` to be true."),
    attestation(
      "apple-ceremony", "an `apple` statement of another ceremony", "§8.8", .apple, .attestedInAnotherCeremony,
      advice: "Compare the nonce in the certificate with the hash of authenticator data and client data."),
    attestation(
      "apple-key", "an `apple` statement about another key", "§8.8", .apple, .certificateForAnotherKey,
      advice: "Compare the key in the certificate with the credential's key."),
    attestation(
      "u2f-signature", "a `fido-u2f` statement with an invalid signature", "§8.6", .fidoU2F,
      .signatureBitFlipped(in: .fidoU2F)),
    attestation(
      "u2f-certificate", "a `fido-u2f` statement whose certificate is not for a P-256 key", "§8.6", .fidoU2F,
      .certificateOnAnotherCurve, severity: .low, advice: "Require a key on P-256 in the certificate."),
    attestation(
      "compound-invalid", "a `compound` statement without a valid member", "§8.9", .compound([.packed(), .tpm()]),
      .attestedInAnotherCeremony, advice: "Verify each member, and require as many as your policy says."),
    attestation(
      "compound-count", "a `compound` statement with one member", "§8.9", .compound([.packed(), .tpm()]),
      .compoundOfOne, severity: .low, advice: "Require at least two members."),
  ]

  private static func attestation(
    _ name: String, _ what: String, _ section: String, _ kind: AttestationKind, _ fault: Fault,
    severity: Severity = .medium,
    advice: String = "Verify the signature over the bytes that the format defines, with the first certificate's key."
  ) -> Check {
    Check(
      id: "registration.\(name)", title: "rejects a registration with \(what)",
      references: ["WebAuthn §7.1 step 22", "WebAuthn \(section)"], severity: severity,
      rationale: "A client can claim any model of authenticator, although the server restricts or records models.",
      advice: advice
    ) { (world) in
      let (begun, passkey, control) = try await world.attestedRegistration(kind, [])
      guard try !world.refused(control, begun) else {
        throw CannotTell("the server refuses a valid statement of the format, too: \(control.shortened)")
      }
      world.keep(control, begun, passkey)
      let (other, forged, reply) = try await world.attestedRegistration(kind, [fault])
      if world.accepted(reply, other) { world.keep(reply, other, forged) }
      return try await world.judge(
        reply, other, by: forged, "The server accepted the registration with status \(reply.status).")
    }
  }
}

extension AuditWorld {
  /// Sends a registration that a fictitious manufacturer attests.
  ///
  /// - Throws: ``CannotTell`` if the options do not ask for attestation.
  fileprivate func attestedRegistration(
    _ kind: AttestationKind, _ faults: [Fault]
  ) async throws -> (BegunCeremony, AuditPasskey, ServerReply) {
    let begun = try await begin(.registerOptions, name: newName())
    guard !["", "none"].contains(begun.attestation ?? "") else {
      throw CannotTell("the options ask for no attestation, so the server may ignore statements")
    }
    let passkey = try AuditPasskey(userHandle: begun.userHandle ?? [])
    var response = registration(begun, by: passkey)
    response.kind = .attestedRegistration(passkey.key, kind, at: now)
    // U2F has no models.
    if kind.format != .fidoU2F { response.authenticatorData.credential?.aaguid = Self.model }
    return (begun, passkey, try await finish(begun, response.json(faults)))
  }

  /// A model that no manufacturer has.
  private static let model = AAGUID(unchecked: [UInt8](repeating: 0xa0, count: 16))
}

extension BegunCeremony {
  /// The value of `attestation`.
  fileprivate var attestation: String? { (try? options["attestation"]?.string) ?? nil }
}
