// SPDX-License-Identifier: Apache-2.0

internal import COSE
internal import SystemCrypto
internal import WebAuthnAttestation
internal import WebAuthnAuthenticator
internal import WebAuthnInspection
internal import WebAuthnTypes
internal import WireFormats

/// Revocation outranks every other outcome: each relying party here accepts attestations without an anchor, and refuses
/// what a list names or may name.
enum RevocationScenarios {
  /// Ways to hide a revoked certificate behind another failure.
  static var hidden: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/revoked-behind-a-decoy", .packed(.es256, .intermediate))
        .withDecoy()
        .accepting([.unanchored]) { (terms, _) throws(CryptoError) in
          terms.revocationLists = [try VectorAuthorities.revocationList(of: [[2]])]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked",
          because: "a decoy stands before the intermediate authority's certificate, which was revoked"),
      RegistrationScenario("attestation-trust/revoked-leaf-behind-a-decoy", .packed(.es256, .intermediate))
        .withDecoy()
        .accepting([.unanchored]) { (terms, values) throws(CryptoError) in
          terms.revocationLists = [
            try VectorAuthorities.revocationList(of: [values.serialNumber], by: VectorAuthorities.intermediate())
          ]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked",
          because: "a decoy stands before the certificate of the authority that revoked the attestation certificate"),
      RegistrationScenario(
        "attestation-trust/revoked-leaf-without-its-issuer", .packed(.es256, .intermediate),
        .intermediateLeftOut(in: .packed)
      )
      .accepting([.unanchored]) { (terms, values) throws(CryptoError) in
        terms.revocationLists = [
          try VectorAuthorities.revocationList(of: [values.serialNumber], by: VectorAuthorities.intermediate())
        ]
      }
      .notAcceptable(
        .certificateRevoked, "certificate.revoked",
        because: "the certificate of the authority that revoked the attestation certificate is left out"),
      RegistrationScenario(
        "attestation-trust/revoked-and-left-out", .packed(.es256, .intermediate), .intermediateLeftOut(in: .packed)
      )
      .accepting([.unanchored]) { (terms, _) throws(CryptoError) in
        terms.revocationLists = [try VectorAuthorities.revocationList(of: [[2]])]
      }
      .notAcceptable(
        .certificateRevoked, "certificate.issuer-omitted",
        because: "the intermediate authority is left out, and its organization revokes certificates"),
      RegistrationScenario(
        "attestation-trust/revoked-and-left-out-and-known", .packed(.es256, .intermediate),
        .intermediateLeftOut(in: .packed)
      )
      .accepting([.unanchored]) { (terms, _) throws(CryptoError) in
        terms.revocationLists = [try VectorAuthorities.revocationList(of: [[2]])]
        terms.knownAuthorities = try VectorAuthorities.intermediate().path
      }
      .notAcceptable(
        .certificateRevoked, "certificate.revoked",
        because: "the intermediate authority is left out; the relying party has its certificate, which was revoked"),
      RegistrationScenario(
        "attestation-trust/left-out-and-known", .packed(.es256, .intermediate), .intermediateLeftOut(in: .packed)
      )
      .demanding { (terms) throws(CryptoError) in terms.knownAuthorities = try VectorAuthorities.intermediate().path },
      RegistrationScenario("attestation-trust/revoked-with-a-new-key", .packed(.es256, .intermediate))
        .withDecoy()
        .accepting([.unanchored]) { (terms, values) throws(CryptoError) in
          terms.revocationLists = [
            try VectorAuthorities.revocationList(
              of: [values.serialNumber], by: VectorAuthorities.intermediate(),
              signedBy: CertificateIssuer(
                name: VectorAuthorities.intermediate().name, key: ScenarioValues.key(of: "Decoy")))
          ]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked",
          because: "the authority has another key by now, and signed the revocation list with that one"),
      RegistrationScenario("attestation-trust/revoked-and-no-anchors", .packed())
        .accepting([.unanchored]) { (terms, values) throws(CryptoError) in
          terms.trustAnchors = nil
          terms.revocationLists = [try VectorAuthorities.revocationList(of: [values.serialNumber])]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked",
          because: "the attestation certificate was revoked, and no anchors are configured"),
      RegistrationScenario("attestation-trust/revoked-and-expired", .packed(), .certificateExpired)
        .accepting([.unanchored]) { (terms, values) throws(CryptoError) in
          terms.revocationLists = [try VectorAuthorities.revocationList(of: [values.serialNumber])]
        }
        .notAcceptable(
          .certificateRevoked, "certificate.revoked", because: "the attestation certificate expired and was revoked"),
      RegistrationScenario(
        "attestation-trust/revoked-member-of-a-compound", .compound([.packed(.es256, .intermediate), .none])
      )
      .withDecoy()
      .accepting([.none, .unanchored]) { (terms, _) throws(CryptoError) in
        terms.policy.compound = .any
        terms.revocationLists = [try VectorAuthorities.revocationList(of: [[2]])]
      }
      .notAcceptable(
        .certificateRevoked, "certificate.revoked",
        because: "one member may fail, but not for a revoked certificate behind a decoy"),
    ]
  }

  /// Google's status lists.
  static var statusLists: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-android-key/not-on-the-status-list", .androidKey)
        .accepting(nil) { (terms, _) in terms.statusLists = [statusList("abc", "REVOKED")] },
      RegistrationScenario("attestation-android-key/on-the-status-list", .androidKey)
        .accepting([.unanchored]) { (terms, values) in
          terms.statusLists = [statusList(Hex.encode(values.serialNumber), "REVOKED")]
        }
        .notAcceptable(.certificateRevoked, because: "Google's status list has the certificate as revoked"),
      RegistrationScenario("attestation-android-key/suspended-on-the-status-list", .androidKey)
        .accepting([.unanchored]) { (terms, values) in
          terms.statusLists = [statusList(Hex.encode(values.serialNumber), "SUSPENDED")]
        }
        .notAcceptable(.certificateRevoked, because: "Google's status list has the certificate as suspended"),
    ]
  }

  /// Lists of rogue authenticators.
  static var rogueLists: [RegistrationScenario] {
    [
      RegistrationScenario("attestation-trust/rogue", .selfSigned)
        .accepting(nil) { (terms, values) throws(CryptoError) in
          terms.rogueLists = [rogueList(try values.privateScalar())]
        }
        .notAcceptable(.authenticatorRogue, because: "a rogue list has the credential's private key")
    ]
  }

  private static func statusList(_ serialNumber: String, _ status: String) -> [UInt8] {
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
  /// Puts a certificate with the intermediate authority's name and another key before that of the authority.
  fileprivate func withDecoy() -> Self {
    making { (draft: inout StatementDraft) throws(CryptoError) in
      guard draft.format == .packed else { return }
      draft.certificates.insert(try VectorAuthorities.decoy(), at: 1)
    }
  }

  /// Has the relying party accept attestations that are anchored so, and know something about the scenario's values.
  fileprivate func accepting(
    _ trust: [CasePolicy.Trust]?,
    _ terms: @escaping @Sendable (inout CaseTerms, ScenarioValues) throws(CryptoError) -> Void
  ) -> Self {
    let (label, algorithm) = (self.label, self.algorithm)
    return demanding { (demanded) throws(CryptoError) in
      demanded.policy.attestationTrust = trust
      try terms(&demanded, ScenarioValues(label, algorithm))
    }
  }
}
