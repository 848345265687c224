// SPDX-License-Identifier: Apache-2.0

public import SystemCrypto
public import WebAuthnTypes

/// The attestation that a relying party accepts, and the authorities that it trusts. Chosen once, at configuration.
///
/// The default policy trusts no authority and accepts every valid statement; the outcome states that it is not anchored.
/// For more, configure anchors and narrow ``acceptableTrust``.
public struct AttestationPolicy: Sendable {
  /// The authorities that are believed.
  public var trustAnchors = TrustAnchors()

  /// How well an attestation must be anchored.
  public var acceptableTrust: AcceptableTrust = .anything

  /// The formats that are accepted; nil is every one that can be verified. It holds for a compound's members as well.
  public var acceptableFormats: Set<AttestationFormat>?

  /// The states of an authenticator's model for which it is turned away, anchored or not.
  ///
  /// A model that says of itself that it is broken is believed, even without proof.
  public var refusedStatuses: Set<AuthenticatorStatus> = AuthenticatorStatus.compromised.union([.revoked])

  /// Which models are registered, and what metadata must say about them.
  public var models = ModelRequirements()

  /// How paths to the anchors are judged.
  public var path = CertificatePathPolicy()

  /// Revocation lists of attestation authorities. A certificate that one of them names is refused, whatever
  /// ``acceptableTrust`` says and however the statement hides its issuer.
  ///
  /// A statement without a path to an anchor is refused as well where a list of its issuer's organization revokes
  /// certificates: the missing issuer may be one of them. ``knownAuthorities`` settles which.
  public var revocationLists: [RevocationList] = []

  /// Google's status lists. A certificate of the format `android-key` that one of them names is refused.
  public var statusLists: [AttestationStatusList] = []

  /// Rogue lists of the metadata service. An authenticator whose key is on one of them is refused.
  public var rogueLists: [RogueList] = []

  /// Intermediate authorities that the relying party has. They are candidates for a path and vouch for nothing; a
  /// statement cannot hide a revoked authority by leaving out a certificate that is here.
  public var knownAuthorities: [Certificate] = []

  /// Where signatures over SHA-1 are believed.
  public var legacyHash = LegacyHash.inTPMStatements

  /// The models whose attestation may deviate from its format.
  public var modelTolerances = ModelTolerances.known

  /// Whose word an Android key's origin and purpose may rest on.
  public var androidKeyAuthorizations = AndroidKeyAuthorizations.softwareOrTrustedEnvironment

  /// The requirements for Android keys and the devices that hold them.
  public var androidKeyRequirements = AndroidKeyRequirements()

  /// When a SafetyNet response is in time.
  public var safetyNetTime = SafetyNetTime.within(.seconds(60), tolerance: .seconds(10))

  /// How many of a compound statement's members must hold.
  public var compound = CompoundMembers.all

  /// The policy that believes nobody and turns nobody away.
  public init() {}

  /// Where signatures over SHA-1 are believed.
  public enum LegacyHash: Sendable {
    /// In TPM statements: most Windows machines sign them with RS1. The TPM chooses nearly all of what it hashes, so a
    /// collision found beforehand is of no use.
    case inTPMStatements
    /// Nowhere.
    case nowhere
  }

  /// Whose word an Android key's origin and purpose may rest on (§8.4).
  public enum AndroidKeyAuthorizations: Sendable {
    /// The union of both lists.
    case softwareOrTrustedEnvironment
    /// The list that the trusted execution environment enforces. The attestation and the key must be in secure hardware.
    case trustedEnvironmentOnly
  }

  /// When a SafetyNet response is in time.
  public enum SafetyNetTime: Sendable {
    /// It was made at most so long ago; clocks may differ by the tolerance.
    case within(Duration, tolerance: Duration)
    /// Whenever it was made; the certificates are still judged at the time of the verification.
    case notJudged
  }

  /// How many of a compound statement's members must hold (§8.9).
  public enum CompoundMembers: Sendable {
    /// Every one.
    case all
    /// At least one.
    case any
  }
}
