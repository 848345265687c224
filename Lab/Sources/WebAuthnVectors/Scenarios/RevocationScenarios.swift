// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyCrypto
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnTypes

/// Revoked certificates and authenticators. Each relying party here accepts unanchored attestations, but still refuses every
/// certificate that a list names or could name.
enum RevocationScenarios {
  /// Attempts to hide a revoked certificate behind another error.
  static var hidden: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/revoked-behind-a-decoy", .packed(.es256, .intermediate))
        .withDecoy()
        .accepting([.unanchored]) { (settings, _) throws(PasskeyCryptoError) in
          settings.revocationLists = [try VectorAuthorities.revocationList(of: [[2]])]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked",
          because: "the intermediate authority's certificate was revoked; a decoy precedes it"),
      RegistrationScenario("attestation-trust/revoked-leaf-behind-a-decoy", .packed(.es256, .intermediate))
        .withDecoy()
        .accepting([.unanchored]) { (settings, values) throws(PasskeyCryptoError) in
          settings.revocationLists = [
            try VectorAuthorities.revocationList(of: [values.serialNumber], by: VectorAuthorities.intermediate())
          ]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked",
          because: "the attestation certificate was revoked; a decoy precedes its issuer's certificate"),
      RegistrationScenario(
        "attestation-trust/revoked-leaf-without-its-issuer", .packed(.es256, .intermediate),
        .intermediateLeftOut(in: .packed)
      )
      .accepting([.unanchored]) { (settings, values) throws(PasskeyCryptoError) in
        settings.revocationLists = [
          try VectorAuthorities.revocationList(of: [values.serialNumber], by: VectorAuthorities.intermediate())
        ]
      }
      .notAcceptable(
        .certificateRevoked, "certificate.revoked",
        because: "the attestation certificate was revoked; its issuer's certificate is missing"),
      RegistrationScenario(
        "attestation-trust/revoked-and-left-out", .packed(.es256, .intermediate), .intermediateLeftOut(in: .packed)
      )
      .accepting([.unanchored]) { (settings, _) throws(PasskeyCryptoError) in
        settings.revocationLists = [try VectorAuthorities.revocationList(of: [[2]])]
      }
      .notAcceptable(
        .certificateRevoked, "certificate.issuer-omitted",
        because: "the intermediate authority's certificate is missing and could be the one that was revoked"),
      RegistrationScenario(
        "attestation-trust/revoked-and-left-out-and-known", .packed(.es256, .intermediate),
        .intermediateLeftOut(in: .packed)
      )
      .accepting([.unanchored]) { (settings, _) throws(PasskeyCryptoError) in
        settings.revocationLists = [try VectorAuthorities.revocationList(of: [[2]])]
        settings.knownAuthorities = try VectorAuthorities.intermediate().path
      }
      .notAcceptable(
        .certificateRevoked, "certificate.revoked",
        because: "the intermediate authority's certificate is missing; the relying party knows it, and it was revoked"),
      RegistrationScenario(
        "attestation-trust/left-out-and-known", .packed(.es256, .intermediate), .intermediateLeftOut(in: .packed)
      )
      .configuring { (settings) throws(PasskeyCryptoError) in
        settings.knownAuthorities = try VectorAuthorities.intermediate().path
      },
      RegistrationScenario("attestation-trust/revoked-with-a-new-key", .packed(.es256, .intermediate))
        .withDecoy()
        .accepting([.unanchored]) { (settings, values) throws(PasskeyCryptoError) in
          settings.revocationLists = [
            try VectorAuthorities.revocationList(
              of: [values.serialNumber], by: VectorAuthorities.intermediate(),
              signedBy: CertificateIssuer(
                name: VectorAuthorities.intermediate().name, key: ScenarioValues.key(of: "Decoy")))
          ]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked",
          because: "the attestation certificate was revoked; its issuer signed the revocation list with a new key"),
      RegistrationScenario("attestation-trust/revoked-and-no-anchors", .packed())
        .accepting([.unanchored]) { (settings, values) throws(PasskeyCryptoError) in
          settings.trustAnchors = nil
          settings.revocationLists = [try VectorAuthorities.revocationList(of: [values.serialNumber])]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked",
          because: "the attestation certificate was revoked, and no anchors are configured"),
      RegistrationScenario("attestation-trust/revoked-and-expired", .packed(), .certificateExpired)
        .accepting([.unanchored]) { (settings, values) throws(PasskeyCryptoError) in
          settings.revocationLists = [try VectorAuthorities.revocationList(of: [values.serialNumber])]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked",
          because: "the attestation certificate was revoked, and has expired"),
      RegistrationScenario(
        "attestation-trust/revoked-member-of-a-compound", .compound([.packed(.es256, .intermediate), .none])
      )
      .withDecoy()
      .accepting([.none, .unanchored]) { (settings, _) throws(PasskeyCryptoError) in
        settings.policy.compound = .any
        settings.revocationLists = [try VectorAuthorities.revocationList(of: [[2]])]
      }
      .notAcceptable(
        .certificateRevoked, "certificate.revoked",
        because: "a member has a revoked certificate behind a decoy, which outweighs a valid member"),
    ]
  }

  /// Google's status lists.
  static var statusLists: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-android-key/not-on-the-status-list", .androidKey)
        .accepting(nil) { (settings, _) in settings.statusLists = [statusList("abc", "REVOKED")] },
      RegistrationScenario("attestation-android-key/on-the-status-list", .androidKey)
        .accepting([.unanchored]) { (settings, values) in
          settings.statusLists = [statusList(Hex.encode(values.serialNumber), "REVOKED")]
        }
        .notAcceptable(.certificateRevoked, because: "the certificate is revoked on Google's status list"),
      RegistrationScenario("attestation-android-key/suspended-on-the-status-list", .androidKey)
        .accepting([.unanchored]) { (settings, values) in
          settings.statusLists = [statusList(Hex.encode(values.serialNumber), "SUSPENDED")]
        }
        .notAcceptable(.certificateRevoked, because: "the certificate is suspended on Google's status list"),
    ]
  }

  /// Lists of rogue authenticators.
  static var rogueLists: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/rogue", .selfSigned)
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

extension RegistrationScenario {
  /// Inserts a certificate with the intermediate authority's name and another key before the authority's.
  fileprivate func withDecoy() -> Self {
    modifying { (draft: inout StatementDraft) throws(PasskeyCryptoError) in
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
