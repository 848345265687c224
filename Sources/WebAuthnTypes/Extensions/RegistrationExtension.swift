// SPDX-License-Identifier: Apache-2.0

/// An extension that a registration asks for.
///
/// ```swift
/// extensions: [.credProps, .prf(), .largeBlob(support: .preferred)]
/// ```
public struct RegistrationExtension: Hashable, Sendable {
  let values: [String: ExtensionValue]

  private init(_ values: [String: ExtensionValue]) {
    self.values = values
  }

  /// Is the credential discoverable (WebAuthn §10.1.3)? ``RegistrationClientOutputs/credProps`` answers.
  public static let credProps = Self([ExtensionName.credProps: true])

  /// A pseudo-random function for the credential (WebAuthn §10.1.4), evaluated at once if the authenticator can.
  /// ``RegistrationClientOutputs/prf`` answers.
  public static func prf(evaluating values: PRFValues? = nil) -> Self {
    Self([ExtensionName.prf: PRFInputs(evaluating: values).value])
  }

  /// Room for a large blob (WebAuthn §10.1.5). ``RegistrationClientOutputs/largeBlob`` answers.
  public static func largeBlob(support: LargeBlobSupport) -> Self {
    Self([ExtensionName.largeBlob: LargeBlobInputs(support: support).value])
  }

  /// What the authenticator shall demand before it uses the credential (CTAP 2.3 §12).
  /// ``RegistrationAuthenticatorOutputs/credProtect`` answers; where it is enforced, less than what was asked for is
  /// refused.
  public static func credentialProtection(_ policy: CredentialProtectionPolicy, enforce: Bool) -> Self {
    Self([
      ExtensionName.credentialProtectionPolicy: .string(policy.name),
      ExtensionName.enforceCredentialProtectionPolicy: .bool(enforce),
    ])
  }

  /// A small blob that the authenticator keeps with the credential (CTAP 2.3 §12), of 32 bytes at least, and of more if
  /// it says so. ``RegistrationAuthenticatorOutputs/credBlob`` answers.
  public static func credBlob(_ blob: [UInt8]) -> Self {
    Self([ExtensionName.credBlob: .base64URL(blob)])
  }

  /// How short may a PIN be (CTAP 2.3 §12)? ``RegistrationAuthenticatorOutputs/minPinLength`` answers, to relying
  /// parties that the authenticator was configured to tell.
  public static let minPinLength = Self([ExtensionName.minPinLength: true])

  /// Does the authenticator refuse simple PINs (CTAP 2.3 §12)? ``RegistrationAuthenticatorOutputs/pinComplexityPolicy``
  /// answers, to relying parties that the authenticator was configured to tell.
  public static let pinComplexityPolicy = Self([ExtensionName.pinComplexityPolicy: true])

  /// A secret for the credential (CTAP 2.3 §12), from clients that hand the extension on as it is: browsers have
  /// ``prf(evaluating:)`` in its place. ``RegistrationClientOutputs/hmacCreateSecret`` answers.
  public static let hmacCreateSecret = Self([ExtensionName.hmacCreateSecret: true])

  /// The same, with what to evaluate at once, if the authenticator can (CTAP 2.3 §12).
  public static func hmacCreateSecret(evaluating salts: HMACSecretSalts) -> Self {
    Self([ExtensionName.hmacCreateSecret: true, ExtensionName.hmacGetSecret: salts.value])
  }

  /// How was the user verified (WebAuthn Level 2, §10.3)? ``RegistrationAuthenticatorOutputs/uvm`` answers.
  public static let uvm = Self([ExtensionName.uvm: true])

  /// No authenticator that has one of the excluded credentials from the days of U2F (WebAuthn §10.1.2), when they were
  /// made for this AppID. ``RegistrationClientOutputs/appIDExclude`` answers.
  public static func appIDExclude(_ appID: String) -> Self {
    Self([ExtensionName.appIDExclude: .string(appID)])
  }

  /// A credential for payments (Secure Payment Confirmation), of the platform's authenticator.
  /// ``RegistrationClientOutputs/payment`` answers.
  public static func payment(browserBoundKeys: [CredentialParameters] = []) -> Self {
    Self([ExtensionName.payment: PaymentInputs(browserBoundKeys: browserBoundKeys).value])
  }

  /// An extension that is not known here. Its outputs come as they are.
  public static func other(_ name: String, _ value: ExtensionValue) -> Self {
    Self([name: value])
  }
}

extension ClientExtensions {
  /// What a registration asks for, by name; of two with the same name the later one stays.
  public init(_ extensions: [RegistrationExtension]) {
    self.init(extensions.reduce(into: [:]) { $0.merge($1.values) { _, later in later } })
  }
}
