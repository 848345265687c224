// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// The status of an authenticator model (FIDO Metadata Service 3.0 §3.1.4). An open set: the service may add values.
package struct AuthenticatorStatus: OpenString {
  /// The name of the status.
  package let rawValue: String

  /// Creates a status from its name, known or not.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The model is not certified.
  package static let notFIDOCertified = Self(rawValue: "NOT_FIDO_CERTIFIED")
  /// The model is certified.
  package static let fidoCertified = Self(rawValue: "FIDO_CERTIFIED")
  /// User verification can be bypassed.
  package static let userVerificationBypass = Self(rawValue: "USER_VERIFICATION_BYPASS")
  /// The attestation key is compromised: attestations can be forged.
  package static let attestationKeyCompromise = Self(rawValue: "ATTESTATION_KEY_COMPROMISE")
  /// Credential keys can be extracted remotely.
  package static let userKeyRemoteCompromise = Self(rawValue: "USER_KEY_REMOTE_COMPROMISE")
  /// Credential keys can be extracted with physical access to the device.
  package static let userKeyPhysicalCompromise = Self(rawValue: "USER_KEY_PHYSICAL_COMPROMISE")
  /// New firmware is available; the report's authenticatorVersion is the first fixed version.
  package static let updateAvailable = Self(rawValue: "UPDATE_AVAILABLE")
  /// The model must not be trusted, for any reason.
  package static let revoked = Self(rawValue: "REVOKED")
  /// The vendor declares that the model meets the requirements.
  package static let selfAssertionSubmitted = Self(rawValue: "SELF_ASSERTION_SUBMITTED")

  /// The statuses in which an attacker can bypass the authenticator's protection or forge its output.
  package static let compromised: Set<Self> = [
    .userVerificationBypass, .attestationKeyCompromise, .userKeyRemoteCompromise, .userKeyPhysicalCompromise,
  ]
}
