// SPDX-License-Identifier: Apache-2.0

public import COSE
internal import SystemCrypto
public import WebAuthnAttestation
public import WebAuthnTypes

/// What a relying party demands of its ceremonies, chosen once. What is not chosen is the strict form of it.
public struct CeremonyPolicy: Sendable {
  /// Whether the authenticator must know who is there. A passkey without it proves possession alone.
  public var userVerification = UserVerificationRequirement.required

  /// The algorithms that new credentials may have, the one liked best first.
  public var algorithms: [COSEAlgorithm]

  /// Whether new credentials must be found without being named, as passkeys are.
  public var residentKey = ResidentKeyRequirement.required

  /// How long the id of a new credential may be, in bytes: at most the 1023 that the standard allows.
  public var maximumCredentialIDByteCount = CredentialID.maximumByteCount

  /// What is asked of the authenticator about itself.
  public var attestationConveyance = AttestationConveyancePreference.none

  /// What attestation is acceptable, and whom to believe.
  public var attestation: AttestationPolicy

  /// What happens when a signature counter does not go up.
  public var signCount = SignalResponse.report

  /// What happens when a credential says that it may be backed up and did not before, or the other way round. Real
  /// passkeys do it when they move to another provider.
  public var backupEligibilityChange = SignalResponse.report

  /// Whether the page may be inside a page of another origin.
  public var embedding = Embedding.refused

  /// What happens when there are outputs of extensions that were not asked for. The standard demands to be prepared.
  public var unrequestedExtensions = UnrequestedExtensions.ignored

  /// Whether the public keys of stored credentials may have words in place of registered numbers.
  public var textValuedStoredKeys = TextValuedKeys.refused

  /// How long a ceremony may take from its beginning to its end. A pending ceremony expires at a whole second; fractions
  /// are rounded up.
  public var lifetime = Duration.seconds(300)

  /// The strict policy, with the algorithms that this build verifies out of those that passkeys are made with.
  public init(attestation: AttestationPolicy = AttestationPolicy()) {
    self.attestation = attestation
    algorithms = Self.usualAlgorithms
  }

  /// The algorithms that passkeys are made with, as far as this build verifies them: the others can be asked for by name.
  private static let usualAlgorithms = [COSEAlgorithm.es256, .eddsa, .ed25519, .esp256, .es384, .ps256, .rs256]
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

  /// What to do about a sign that something may be wrong.
  public enum SignalResponse: Sendable {
    /// The result tells of it.
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

  /// What to do about a stored public key such as `{1: "OKP", 3: -8, -1: "Ed25519"}`, which some early authenticators made
  /// and no standard allows. New credentials with such keys are always refused.
  public enum TextValuedKeys: Sendable {
    /// A sign-in with such a key fails.
    case refused
    /// Such a key is read with ``/COSE/COSEKey/init(parsingTextValuedKey:)`` where the ordinary reading fails.
    case accepted
  }

  /// What to do about outputs of extensions that were not asked for.
  public enum UnrequestedExtensions: Sendable {
    /// They are passed over.
    case ignored
    /// The ceremony fails.
    case refused
  }
}
