// SPDX-License-Identifier: Apache-2.0

public import COSE
internal import SystemCrypto
public import WebAuthnAttestation
public import WebAuthnTypes

/// The demands of a relying party on its ceremonies.
///
/// The defaults demand user verification and discoverable credentials, and refuse pages inside other pages. They are lenient
/// where strictness would lock real users out:
///
/// - A signature counter that does not go up is reported. Synchronized passkeys do not count, and their counter is always
///   zero; a counter that goes back is a sign of a clone and no proof.
/// - A changed backup eligibility is reported. Real passkeys change it when they move to another provider.
/// - Extension outputs that the relying party did not ask for are ignored. Clients may add them (§7.1 step 28).
/// - Where embedding is allowed, a browser need not name the embedding page. Some browsers do not know `topOrigin`.
/// - Any attestation is accepted, and the result says what it is worth. Most passkeys of phones have none.
///
/// ``strict`` refuses all but the last, ``strict(attestation:)`` that too.
public struct CeremonyPolicy: Sendable {
  /// Whether the authenticator must verify the user. Without it a passkey proves possession alone.
  ///
  /// One ceremony may choose otherwise: see ``RelyingParty``.
  public var userVerification = UserVerificationRequirement.required

  /// The algorithms that new credentials may have, the preferred first.
  public var algorithms: [COSEAlgorithm]

  /// Whether new credentials must be discoverable, as passkeys are: found without being named.
  public var residentKey = ResidentKeyRequirement.required

  /// How long the id of a new credential may be, in bytes: at most the 1023 that the standard allows.
  public var maximumCredentialIDByteCount = CredentialID.maximumByteCount

  /// The attestation conveyance that options ask for.
  public var attestationConveyance = AttestationConveyancePreference.none

  /// The attestation that is acceptable, and the authorities that are trusted.
  public var attestation: AttestationPolicy

  /// The answer to a sign-in that demands user verification while the credential's `uvInitialized` is false.
  ///
  /// The UV flag is not a factor then (WebAuthn §4). With ``SignalResponse/report``, look at
  /// ``VerifiedAuthentication/userVerification`` and ask for another factor. Step-up and payment refuse in either case.
  public var uninitializedUserVerification = SignalResponse.refuse

  /// The answer to a signature counter that does not go up (§7.2 step 22). The default reports it and stores the lower value.
  public var signCount = SignalResponse.report

  /// The answer to a backup eligibility that is not the registered one (§7.2 step 19). Real passkeys change it when they move
  /// to another provider.
  public var backupEligibilityChange = SignalResponse.report

  /// Whether the page may be inside a page of another origin.
  public var embedding = Embedding.refused

  /// Whether client data of an embedded page must name the page that embeds it, where ``embedding`` allows embedding.
  public var topOriginNaming = TopOriginNaming.optional

  /// The answer to outputs of extensions that were not asked for. The standard allows either (§7.1 step 28, §7.2 step 23).
  public var unrequestedExtensions = UnrequestedExtensions.ignored

  /// Whether the public keys of stored credentials may have words in place of registered numbers.
  public var textValuedStoredKeys = TextValuedKeys.refused

  /// How long a ceremony may take from its beginning to its end. A pending ceremony expires at a whole second; fractions
  /// are rounded up.
  public var lifetime = Duration.seconds(300)

  /// Makes the default policy, which accepts any attestation unless `attestation` says otherwise.
  public init(attestation: AttestationPolicy = AttestationPolicy()) {
    self.attestation = attestation
    algorithms = Self.defaultAlgorithms
  }

  /// The algorithms of most passkeys, as far as this build verifies them.
  ///
  /// ESP256 (-9) and Ed25519 (-19) are left out: §5.4 does not recommend them in pubKeyCredParams, because ES256 (-7) and
  /// EdDSA (-8) mean the same and more implementations know them. Stored keys with these numbers still verify.
  private static let defaultAlgorithms = [COSEAlgorithm.es256, .eddsa, .es384, .ps256, .rs256]
    .filter(supportedAlgorithms.contains)

  /// The lifetime in milliseconds, for the client; at most what Web IDL's `unsigned long` holds.
  var timeout: UInt32 {
    let (seconds, attoseconds) = lifetime.components
    let most = Int64(UInt32.max / 1000)
    // Rounded up, like the expiry: a lifetime of less than a millisecond is no timeout of zero.
    let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return seconds > most ? .max : UInt32(clamping: max(seconds, -1) * 1000 + fraction)
  }

  /// The lifetime in whole seconds, rounded up.
  var wholeLifetime: Duration {
    let (seconds, attoseconds) = lifetime.components
    return .seconds(attoseconds > 0 && seconds < .max ? seconds + 1 : seconds)
  }

  /// The answer to a sign that something may be wrong.
  public enum SignalResponse: Sendable {
    /// The ceremony succeeds, and the result reports the sign.
    case report
    /// The ceremony fails.
    case refuse
  }

  /// Whether the page may be inside a page of another origin (WebAuthn §13.4.9).
  public enum Embedding: Sendable, Hashable {
    /// Never.
    case refused
    /// Inside pages of these origins.
    case allowed(topOrigins: [Origin])
  }

  /// Whether client data of an embedded page must name the embedding page (`topOrigin`).
  public enum TopOriginNaming: Sendable {
    /// A page that is not named is accepted, a named one must be allowed.
    case optional
    /// A page that is not named is refused.
    case required
  }

  /// What to do about a stored public key such as `{1: "OKP", 3: -8, -1: "Ed25519"}`, which some early authenticators made
  /// and no standard allows. New credentials with such keys are always refused.
  public enum TextValuedKeys: Sendable {
    /// A sign-in with such a key fails.
    case refused
    /// Such a key is read with ``/COSE/COSEKey/init(parsingTextValuedKey:)-(Bytes)`` where the ordinary reading fails.
    case accepted
  }

  /// The answer to outputs of extensions that were not asked for.
  public enum UnrequestedExtensions: Sendable {
    /// They are ignored.
    case ignored
    /// The ceremony fails.
    case refused
  }
}

// MARK: Every optional refusal

extension CeremonyPolicy {
  /// The policy that refuses wherever §7.1 and §7.2 leave it to the relying party, attestation excepted.
  ///
  /// It locks some real users out: those whose synchronized passkey has moved to a provider with another backup eligibility,
  /// those whose authenticator's counter was reset, and those whose client adds an extension. An application that chooses
  /// it needs a way to recover an account.
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

  /// The same, and attestation must be anchored (§7.1 step 24): no attestation, self attestation and unknown authorities are
  /// refused, whatever `attestation` finds acceptable.
  ///
  /// Without trust anchors in `attestation` every registration fails. Attestation is asked for as *direct*.
  public static func strict(attestation: AttestationPolicy) -> Self {
    var policy = strict
    policy.attestation = attestation
    policy.attestation.acceptableTrust = .anchored
    policy.attestationConveyance = .direct
    return policy
  }
}
