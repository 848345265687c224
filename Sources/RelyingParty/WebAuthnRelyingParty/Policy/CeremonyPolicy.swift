// SPDX-License-Identifier: Apache-2.0

public import PasskeyCOSE
internal import PasskeyCrypto
public import WebAuthnAttestation
public import WebAuthnTypes

/// The requirements of a relying party for its ceremonies.
///
/// The defaults require user verification and discoverable credentials, and refuse embedded pages. They are lenient
/// where a strict rule would lock out legitimate users:
///
/// - A signature counter that does not increase is reported. The counter of synchronized passkeys is always zero; a
///   decreased counter indicates a clone but does not prove one.
/// - A changed backup eligibility is reported. It changes when a passkey moves to another provider.
/// - Outputs of extensions that were not requested are ignored. Clients may add them (§7.1 step 28).
/// - Where embedding is allowed, the browser need not name the embedding page. Some browsers do not support
///   `topOrigin`.
/// - Any attestation is accepted, and the result states its trust. Most passkeys on phones have none.
///
/// ``strict`` refuses all of these except the last; ``strict(attestation:)`` refuses that too.
public struct CeremonyPolicy: Sendable {
  /// Whether the authenticator must verify the user. Without user verification a passkey proves possession only.
  ///
  /// A single ceremony can override it: see ``RelyingParty``.
  public var userVerification = UserVerificationRequirement.required

  /// The algorithms for new credentials, most preferred first.
  public var algorithms: [COSEAlgorithm]

  /// Whether new credentials must be discoverable, as passkeys are: usable without listing their IDs in the request.
  public var residentKey = ResidentKeyRequirement.required

  /// The maximum length of a new credential ID in bytes, up to the 1023 that the standard allows.
  package var maximumCredentialIDByteCount = CredentialID.maximumByteCount

  /// The attestation conveyance that creation options request.
  public var attestationConveyance = AttestationConveyancePreference.none

  /// The acceptable attestation and the trusted authorities.
  public var attestation: AttestationPolicy

  /// The response to a sign-in that requires user verification while the credential's `uvInitialized` is false.
  ///
  /// In this case the UV flag is not a factor (WebAuthn §4). With ``SignalResponse/report``, check
  /// ``VerifiedAuthentication/userVerification`` and ask for another factor. Step-up and payment refuse in either case.
  public var uninitializedUserVerification = SignalResponse.refuse

  /// The response to a signature counter that does not increase (§7.2 step 22). The default reports it and stores the
  /// lower value.
  public var signCount = SignalResponse.report

  /// The response to a backup eligibility that differs from the stored one (§7.2 step 19). It changes when a passkey
  /// moves to another provider.
  public var backupEligibilityChange = SignalResponse.report

  /// Whether the page may be embedded in a page of another origin.
  public var embedding = Embedding.refused

  /// Whether the client data of an embedded page must name the embedding page, if ``embedding`` allows embedding.
  package var topOriginNaming = TopOriginNaming.optional

  /// The response to outputs of extensions that were not requested. The standard allows both (§7.1 step 28, §7.2 step
  /// 23).
  package var unrequestedExtensions = UnrequestedExtensions.ignored

  /// Whether the public keys of stored credentials may contain text in place of registered numbers.
  package var textValuedStoredKeys = TextValuedKeys.refused

  /// The treatment of `tokenBinding` in client data. Level 3 reserves the member, and its verification ignores it.
  package var tokenBinding = TokenBinding.ignored

  /// The maximum duration of a ceremony. A pending ceremony expires at a whole second; fractions are rounded up.
  public var lifetime = Duration.seconds(300)

  /// Creates the default policy, which accepts any attestation unless `attestation` is stricter.
  public init(attestation: AttestationPolicy = AttestationPolicy()) {
    self.attestation = attestation
    algorithms = Self.defaultAlgorithms
  }

  /// The algorithms that most passkeys use and this build verifies.
  ///
  /// ESP256 (-9) and Ed25519 (-19) are not included: §5.4 does not recommend them in pubKeyCredParams, because ES256
  /// (-7) and EdDSA (-8) mean the same and are more widely implemented. Stored keys with these numbers still verify.
  private static let defaultAlgorithms = [COSEAlgorithm.es256, .eddsa, .es384, .ps256, .rs256]
    .filter(supportedAlgorithms.contains)

  /// A lifetime in milliseconds, for the client; at most 4,294,967,295, the maximum of Web IDL's `unsigned long`.
  static func timeout(of lifetime: Duration) -> UInt32 {
    let (seconds, attoseconds) = lifetime.components
    let most = Int64(UInt32.max / 1000)
    // Rounded up, like the expiry: a lifetime below one millisecond must not become a timeout of zero.
    let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return seconds > most ? .max : UInt32(clamping: max(seconds, -1) * 1000 + fraction)
  }

  /// A lifetime in whole seconds, rounded up.
  static func wholeSeconds(of lifetime: Duration) -> Duration {
    let (seconds, attoseconds) = lifetime.components
    return .seconds(attoseconds > 0 && seconds < .max ? seconds + 1 : seconds)
  }

  /// The response to a sign that something may be wrong.
  public enum SignalResponse: String, Sendable {
    /// The ceremony succeeds, and the result contains the sign.
    case report
    /// The ceremony fails.
    case refuse
  }

  /// Whether the page may be embedded in a page of another origin (WebAuthn §13.4.9).
  public enum Embedding: Sendable, Hashable {
    /// Embedding is refused.
    case refused
    /// Embedding is allowed in pages of these origins.
    case allowed(topOrigins: [WebOrigin])
  }

  /// Whether client data of an embedded page must name the embedding page (`topOrigin`).
  package enum TopOriginNaming: Sendable {
    /// The client data may omit the embedding page. If named, it must be allowed.
    case optional
    /// Client data without the embedding page are refused.
    case required
  }

  /// Whether a stored public key with text values, such as `{1: "OKP", 3: -8, -1: "Ed25519"}`, is accepted at a
  /// sign-in. Some early authenticators created such keys, which no standard allows. New credentials with such keys are
  /// always refused.
  package enum TextValuedKeys: Sendable {
    /// A sign-in with such a key fails.
    case refused
    /// Such a key is parsed with `init(parsingTextValuedKey:)` if the standard parser rejects
    /// it.
    case accepted
  }

  /// The treatment of `tokenBinding` in client data.
  package enum TokenBinding: Sendable {
    /// The member is ignored.
    case ignored
    /// A member that does not have the form of Level 2 §5.8.1 is refused.
    case wellFormed
  }

  /// Whether outputs of extensions that were not requested are accepted.
  package enum UnrequestedExtensions: String, Sendable {
    /// They are ignored.
    case ignored
    /// The ceremony fails.
    case refused
  }
}

// MARK: What a begun ceremony keeps

extension CeremonyPolicy {
  /// The optional refusals that a pending ceremony carries, so that a later policy change cannot weaken it.
  struct Refusals: OptionSet {
    let rawValue: UInt64

    static let uninitializedUserVerification = Self(rawValue: 1 << 0)
    static let signCount = Self(rawValue: 1 << 1)
    static let backupEligibilityChange = Self(rawValue: 1 << 2)
    static let unrequestedExtensions = Self(rawValue: 1 << 3)
    static let unnamedTopOrigin = Self(rawValue: 1 << 4)
    static let malformedTokenBinding = Self(rawValue: 1 << 5)

    static let all: Self = [
      .uninitializedUserVerification, .signCount, .backupEligibilityChange, .unrequestedExtensions, .unnamedTopOrigin,
      .malformedTokenBinding,
    ]
  }

  var refusals: Refusals {
    var refusals = Refusals()
    if uninitializedUserVerification == .refuse { refusals.insert(.uninitializedUserVerification) }
    if signCount == .refuse { refusals.insert(.signCount) }
    if backupEligibilityChange == .refuse { refusals.insert(.backupEligibilityChange) }
    if unrequestedExtensions == .refused { refusals.insert(.unrequestedExtensions) }
    if topOriginNaming == .required { refusals.insert(.unnamedTopOrigin) }
    if tokenBinding == .wellFormed { refusals.insert(.malformedTokenBinding) }
    return refusals
  }
}

// MARK: Every optional refusal

extension CeremonyPolicy {
  /// The strictest policy: it refuses everything that §7.1 and §7.2 let the relying party accept, except attestation.
  ///
  /// It locks out some legitimate users: those whose synchronized passkey has moved to a provider with another backup
  /// eligibility, those whose authenticator's counter was reset, and those whose client adds an extension. An
  /// application that uses it needs account recovery.
  public static var strict: Self {
    var policy = Self()
    policy.userVerification = .required
    policy.residentKey = .required
    policy.embedding = .refused
    policy.topOriginNaming = .required
    policy.uninitializedUserVerification = .refuse
    policy.signCount = .refuse
    policy.backupEligibilityChange = .refuse
    policy.unrequestedExtensions = .refused
    policy.textValuedStoredKeys = .refused
    return policy
  }

  /// The strict policy that also requires anchored attestation (§7.1 step 24). It refuses no attestation, self
  /// attestation and unknown authorities, and overrides `attestation.acceptableTrust`.
  ///
  /// Without trust anchors in `attestation` every registration fails. Options request *direct* attestation.
  public static func strict(attestation: AttestationPolicy) -> Self {
    var policy = strict
    policy.attestation = attestation
    policy.attestation.acceptableTrust = .anchored
    policy.attestationConveyance = .direct
    return policy
  }
}

// MARK: FIDO's server tests

extension CeremonyPolicy {
  /// The policy under which a server passes FIDO's server tests: the rules of those tests beyond WebAuthn Level 3.
  ///
  /// - The signature counter must increase, and `tokenBinding` must have the form of Level 2.
  /// - Certificates need a path to an anchor. `packed` statements may not contain that anchor (RFC 5280 §6.1: it is not
  ///   part of the path).
  /// - User verification and discoverable credentials are preferred, because the tests request what they need.
  /// - Every algorithm that this build verifies is offered.
  package static func fidoConformance(attestation: AttestationPolicy) -> Self {
    var policy = Self(attestation: attestation)
    policy.userVerification = .preferred
    policy.residentKey = .preferred
    policy.algorithms = supportedAlgorithms.filter { $0 != .rs1 }
    policy.signCount = .refuse
    policy.tokenBinding = .wellFormed
    policy.attestation.acceptableTrust = [.noAttestation, .selfAttestation, .anchored]
    policy.attestation.anchorInPackedStatement = .refused
    return policy
  }
}
