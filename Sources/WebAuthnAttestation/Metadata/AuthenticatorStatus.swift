// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The state of an authenticator's model (FIDO Metadata Service 3.0 §3.1.4). An open set: the service adds new ones.
public struct AuthenticatorStatus: OpenString {
  /// The name of the state.
  public let rawValue: String

  /// The state with this name, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// It is not certified.
  public static let notFIDOCertified = Self(rawValue: "NOT_FIDO_CERTIFIED")
  /// It is certified.
  public static let fidoCertified = Self(rawValue: "FIDO_CERTIFIED")
  /// User verification can be got around.
  public static let userVerificationBypass = Self(rawValue: "USER_VERIFICATION_BYPASS")
  /// The attestation key is in wrong hands: attestations can be forged.
  public static let attestationKeyCompromise = Self(rawValue: "ATTESTATION_KEY_COMPROMISE")
  /// Credential keys can be had from afar.
  public static let userKeyRemoteCompromise = Self(rawValue: "USER_KEY_REMOTE_COMPROMISE")
  /// Credential keys can be had from a device in hand.
  public static let userKeyPhysicalCompromise = Self(rawValue: "USER_KEY_PHYSICAL_COMPROMISE")
  /// There is new firmware; the report's authenticatorVersion is the first with the correction.
  public static let updateAvailable = Self(rawValue: "UPDATE_AVAILABLE")
  /// It is not to be trusted, whatever the reason.
  public static let revoked = Self(rawValue: "REVOKED")
  /// Its maker says that it fulfils the requirements.
  public static let selfAssertionSubmitted = Self(rawValue: "SELF_ASSERTION_SUBMITTED")

  /// The states in which somebody other than the user can use or forge what the authenticator does.
  public static let compromised: Set<Self> = [
    .userVerificationBypass, .attestationKeyCompromise, .userKeyRemoteCompromise, .userKeyPhysicalCompromise,
  ]
}
