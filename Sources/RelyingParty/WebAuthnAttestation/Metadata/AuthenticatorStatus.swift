// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// The status of an authenticator model (FIDO Metadata Service 3.0 §3.1.4). An open set: the service may add values.
public struct AuthenticatorStatus: OpenString {
  /// The name of the status.
  public let rawValue: String

  /// Creates a status from its name, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The model is not certified.
  public static let notFIDOCertified = Self(rawValue: "NOT_FIDO_CERTIFIED")
  /// The model is certified.
  public static let fidoCertified = Self(rawValue: "FIDO_CERTIFIED")
  /// User verification can be bypassed.
  public static let userVerificationBypass = Self(rawValue: "USER_VERIFICATION_BYPASS")
  /// The attestation key is compromised: attestations can be forged.
  public static let attestationKeyCompromise = Self(rawValue: "ATTESTATION_KEY_COMPROMISE")
  /// Credential keys can be extracted remotely.
  public static let userKeyRemoteCompromise = Self(rawValue: "USER_KEY_REMOTE_COMPROMISE")
  /// Credential keys can be extracted with physical access to the device.
  public static let userKeyPhysicalCompromise = Self(rawValue: "USER_KEY_PHYSICAL_COMPROMISE")
  /// New firmware is available; the report's authenticatorVersion is the first fixed version.
  public static let updateAvailable = Self(rawValue: "UPDATE_AVAILABLE")
  /// The model must not be trusted, for any reason.
  public static let revoked = Self(rawValue: "REVOKED")
  /// The vendor declares that the model meets the requirements.
  public static let selfAssertionSubmitted = Self(rawValue: "SELF_ASSERTION_SUBMITTED")

  /// The statuses in which an attacker can bypass the authenticator's protection or forge its output.
  public static let compromised: Set<Self> = [
    .userVerificationBypass, .attestationKeyCompromise, .userKeyRemoteCompromise, .userKeyPhysicalCompromise,
  ]
}
