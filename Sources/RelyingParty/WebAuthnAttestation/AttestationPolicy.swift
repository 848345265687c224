// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
public import WebAuthnTypes

/// The attestation that a relying party accepts, and the authorities that it trusts.
///
/// The default policy trusts no authority and accepts every valid statement; the outcome states that it is not
/// anchored. To require more, configure anchors and restrict ``acceptableTrust``.
public struct AttestationPolicy: Sendable {
  /// The trusted authorities.
  public var trustAnchors = TrustAnchors()

  /// The trust levels that are accepted.
  public var acceptableTrust: AcceptableTrust = .anything

  /// The accepted formats; nil accepts every supported one. It applies to the members of a compound statement too.
  public var acceptableFormats: Set<AttestationFormat>?

  /// The model statuses that are refused, anchored or not.
  ///
  /// The claimed model is sufficient for a refusal, even without proof.
  package var refusedStatuses: Set<AuthenticatorStatus> = AuthenticatorStatus.compromised.union([.revoked])

  /// The requirements for the model and its metadata.
  public var models = ModelRequirements()

  /// The validation policy of certificate paths.
  package var path = CertificatePathPolicy()

  /// Revocation lists of attestation authorities.
  package var revocationLists: [RevocationList] = []

  /// Google's status lists.
  package var statusLists: [AttestationStatusList] = []

  /// Rogue lists of the metadata service.
  package var rogueLists: [RogueList] = []

  /// Known intermediate authorities. They are candidates for a path but not trusted. A statement cannot hide a revoked
  /// authority by omitting a certificate that is listed here.
  public var knownAuthorities: [X509Certificate] = []

  /// The formats in which signatures over SHA-1 are accepted.
  package var legacyHash = LegacyHash.inTPMStatements

  /// Whether a `packed` statement may contain the anchor of its own path.
  package var anchorInPackedStatement = AnchorInStatement.accepted

  /// The models whose attestation may deviate from its format.
  package var modelTolerances = ModelTolerances.known

  /// The authorization lists that may prove an Android key's origin and purpose.
  package var androidKeyAuthorizations = AndroidKeyAuthorizations.softwareOrTrustedEnvironment

  /// The validation of `android-key` certificate paths that end at one of Google's roots.
  package var androidKeyPath = AndroidKeyPath.asGoogleVerifies

  /// The requirements for Android keys and the devices that hold them.
  package var androidKeyRequirements = AndroidKeyRequirements()

  /// The accepted age of a SafetyNet response.
  package var safetyNetTime = SafetyNetTime.within(.seconds(60), tolerance: .seconds(10))

  /// How many members of a compound statement must be valid.
  package var compound = CompoundMembers.all

  /// Creates a policy that trusts no authority and accepts every valid statement, except from models with a refused
  /// status.
  public init() {}

  /// Adds a certificate revocation list of an attestation authority. A revoked certificate is refused regardless of
  /// ``acceptableTrust``, even if the statement omits its issuer.
  ///
  /// A statement without a path to an anchor is also refused if a list of its issuer's organization revokes
  /// certificates, because an omitted issuer may be among them. Add the issuers to ``knownAuthorities`` to resolve
  /// this.
  /// - Throws: `certificate.revocation-list-malformed` or `certificate.revocation-list-unsupported`.
  public mutating func addRevocationList(der: [UInt8]) throws(PasskeyCryptoError) {
    revocationLists.append(try RevocationList(der: der))
  }

  /// Adds Google's status list. An `android-key` certificate on it is refused.
  /// - Throws: `attestation.status-list-malformed`.
  public mutating func addStatusList(json: [UInt8]) throws(AttestationError) {
    statusLists.append(try AttestationStatusList(json: json))
  }

  /// Adds a rogue list of the metadata service. An authenticator whose key is on it is refused.
  /// - Throws: `metadata.rogue-list-malformed`.
  public mutating func addRogueList(json: [UInt8]) throws(AttestationError) {
    rogueLists.append(try RogueList(json: json))
  }

  /// The formats in which signatures over SHA-1 are accepted.
  package enum LegacyHash: String, Sendable {
    /// In TPM statements: most Windows machines sign them with RS1. The TPM chooses nearly all of the hashed data, so a
    /// precomputed collision is useless.
    case inTPMStatements = "in-tpm-statements"
    /// In no format.
    case inNoFormat = "nowhere"
  }

  /// Whether a statement may contain the anchor of its own path. An attestation certificate that is itself an anchor is
  /// always accepted.
  package enum AnchorInStatement: Sendable {
    /// It may.
    case accepted
    /// It may not: the anchor is not part of the path that the statement proves (RFC 5280 §6.1).
    case refused
  }

  /// The authorization lists that may prove an Android key's origin and purpose (§8.4).
  package enum AndroidKeyAuthorizations: String, Sendable {
    /// The union of both lists.
    case softwareOrTrustedEnvironment = "software-or-trusted-environment"
    /// The hardware-enforced list only. The attestation and the key must be in secure hardware.
    case trustedEnvironmentOnly = "trusted-environment-only"
  }

  /// The accepted age of a SafetyNet response.
  package enum SafetyNetTime: Sendable {
    /// At most this age; clocks may differ by the tolerance.
    case within(Duration, tolerance: Duration)
    /// Any age; the certificates must still be valid at the time of verification.
    case ignored
  }

  /// How many members of a compound statement must be valid (§8.9).
  package enum CompoundMembers: String, Sendable {
    /// Every one.
    case all
    /// At least one.
    case any
  }
}
