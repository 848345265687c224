// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import PasskeyTesting
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnTypes

/// Revoked certificates and authenticators. Each relying party here accepts unanchored attestations, but still refuses every
/// certificate that a list names or could name.
enum RevocationScenarios {
  private static let belowRoot = RegistrationGroup("attestation-trust/", .packed())
  private static let belowIntermediate = RegistrationGroup("attestation-trust/", .packed(.es256, .intermediate))

  /// Attempts to hide a revoked certificate behind another error.
  static var hidden: [RegistrationScenario] {
    [
      belowIntermediate("revoked-behind-a-decoy")
        .withDecoy()
        .accepting([.unanchored]) { (settings, _) throws(PasskeyCryptoError) in try settings.revokeIntermediate() }
        .revoked(because: "the intermediate authority's certificate was revoked; a decoy precedes it"),
      belowIntermediate("revoked-leaf-behind-a-decoy")
        .withDecoy()
        .accepting([.unanchored]) { (settings, values) throws(PasskeyCryptoError) in
          try settings.revoke(values.serialNumber, by: VectorAuthorities.intermediate())
        }
        .revoked(because: "the attestation certificate was revoked; a decoy precedes its issuer's certificate"),
      belowIntermediate("revoked-leaf-without-its-issuer", .intermediateLeftOut(in: .packed))
        .accepting([.unanchored]) { (settings, values) throws(PasskeyCryptoError) in
          try settings.revoke(values.serialNumber, by: VectorAuthorities.intermediate())
        }
        .revoked(because: "the attestation certificate was revoked; its issuer's certificate is missing"),
      belowIntermediate("revoked-and-left-out", .intermediateLeftOut(in: .packed))
        .accepting([.unanchored]) { (settings, _) throws(PasskeyCryptoError) in try settings.revokeIntermediate() }
        .notAcceptable(
          .certificateRevoked, "certificate.issuer-omitted",
          because: "the intermediate authority's certificate is missing and could be the one that was revoked"),
      belowIntermediate("revoked-and-left-out-and-known", .intermediateLeftOut(in: .packed))
        .accepting([.unanchored]) { (settings, _) throws(PasskeyCryptoError) in
          try settings.revokeIntermediate()
          settings.knownAuthorities = try VectorAuthorities.intermediate().path
        }
        .revoked(
          because: "the intermediate authority's certificate is missing; the relying party knows it, and it was revoked"
        ),
      belowIntermediate("left-out-and-known", .intermediateLeftOut(in: .packed))
        .configuring { (settings) throws(PasskeyCryptoError) in
          settings.knownAuthorities = try VectorAuthorities.intermediate().path
        },
      belowIntermediate("revoked-with-a-new-key")
        .withDecoy()
        .accepting([.unanchored]) { (settings, values) throws(PasskeyCryptoError) in
          let issuer = try VectorAuthorities.intermediate()
          let successor = CertificateIssuer(name: issuer.name, key: try ScenarioValues.key(of: "Decoy"))
          try settings.revoke(values.serialNumber, by: issuer, signedBy: successor)
        }
        .revoked(
          because: "the attestation certificate was revoked; its issuer signed the revocation list with a new key"),
      belowRoot("revoked-and-no-anchors")
        .accepting([.unanchored]) { (settings, values) throws(PasskeyCryptoError) in
          settings.trustAnchors = nil
          try settings.revoke(values.serialNumber)
        }
        .revoked(because: "the attestation certificate was revoked, and no anchors are configured"),
      belowRoot("revoked-and-expired", .certificateExpired)
        .accepting([.unanchored]) { (settings, values) throws(PasskeyCryptoError) in
          try settings.revoke(values.serialNumber)
        }
        .revoked(because: "the attestation certificate was revoked, and has expired"),
      belowRoot("revoked-member-of-a-compound", by: .compound([.packed(.es256, .intermediate), .none]))
        .withDecoy()
        .accepting([.none, .unanchored]) { (settings, _) throws(PasskeyCryptoError) in
          settings.policy.compound = .any
          try settings.revokeIntermediate()
        }
        .revoked(because: "a member has a revoked certificate behind a decoy, which outweighs a valid member"),
    ]
  }

  /// Google's status lists.
  static var statusLists: [RegistrationScenario] {
    [
      AndroidKeyScenarios.androidKey("not-on-the-status-list")
        .accepting(nil) { (settings, _) in settings.statusLists = [statusList("abc", "REVOKED")] },
      AndroidKeyScenarios.androidKey("on-the-status-list")
        .accepting([.unanchored]) { (settings, values) in
          settings.statusLists = [statusList(Hex.encode(values.serialNumber), "REVOKED")]
        }
        .notAcceptable(.certificateRevoked, because: "the certificate is revoked on Google's status list"),
      AndroidKeyScenarios.androidKey("suspended-on-the-status-list")
        .accepting([.unanchored]) { (settings, values) in
          settings.statusLists = [statusList(Hex.encode(values.serialNumber), "SUSPENDED")]
        }
        .notAcceptable(.certificateRevoked, because: "the certificate is suspended on Google's status list"),
    ]
  }

  /// Lists of rogue authenticators.
  static var rogueLists: [RegistrationScenario] {
    [
      belowRoot("rogue", by: .selfSigned)
        .accepting(nil) { (settings, values) throws(PasskeyCryptoError) in
          settings.rogueLists = [rogueList(try values.privateScalar())]
        }
        .notAcceptable(.authenticatorRogue, because: "the credential's private key is on a rogue list")
    ]
  }

  static func statusList(_ serialNumber: String, _ status: String) -> [UInt8] {
    JSON.writeObject { (list) in
      list.writeObject("entries") { (entries) in
        entries.writeObject(serialNumber) { (entry) in
          entry.write("status", .string(status))
          entry.write("reason", "KEY_COMPROMISE")
        }
      }
    }
  }

  private static func rogueList(_ secretKey: [UInt8]) -> [UInt8] {
    JSON.writeArray { (list) in
      list.writeObject { (entry) in
        entry.write("sk", .base64URL(secretKey[...]))
        entry.write("date", "2025-01-01")
      }
    }
  }
}

extension CaseSettings {
  /// Configures an authority's revocation list with one certificate; the root's by default.
  fileprivate mutating func revoke(
    _ serialNumber: [UInt8], by issuer: CertificateIssuer? = nil, signedBy signer: CertificateIssuer? = nil
  ) throws(PasskeyCryptoError) {
    revocationLists = [try VectorAuthorities.revocationList(of: [serialNumber], by: issuer, signedBy: signer)]
  }

  /// Configures the root's revocation list with the intermediate authority's certificate.
  mutating func revokeIntermediate() throws(PasskeyCryptoError) { try revoke([2]) }
}

extension RegistrationScenario {
  /// Inserts a certificate with the intermediate authority's name and another key before the authority's.
  fileprivate func withDecoy() -> Self {
    modifying(StatementDraft.self) { (draft) throws(PasskeyCryptoError) in
      guard draft.format == .packed else { return }
      draft.certificates.insert(try VectorAuthorities.decoy(), at: 1)
    }
  }

  /// Sets the acceptable trust, and configures the relying party with the scenario's random values.
  fileprivate func accepting(
    _ trust: [CasePolicy.Trust]?,
    _ settings: @escaping @Sendable (inout CaseSettings, ScenarioValues) throws(PasskeyCryptoError) -> Void
  ) -> Self {
    let (label, algorithm) = (self.label, self.algorithm)
    return configuring { (demanded) throws(PasskeyCryptoError) in
      demanded.policy.attestationTrust = trust
      try settings(&demanded, ScenarioValues(label, algorithm))
    }
  }
}
