// SPDX-License-Identifier: Apache-2.0

public import PasskeyCOSE

/// An extension request for a registration.
///
/// ```swift
/// extensions: [.credProps, .prf(), .largeBlob(required: false)]
/// ```
public struct RegistrationExtension: Hashable, Sendable {
  let values: [String: ExtensionValue]

  private init(_ values: [String: ExtensionValue]) {
    self.values = values
  }

  /// Requests whether the credential is discoverable (WebAuthn §10.1.3).
  public static let credProps = Self([ExtensionName.credProps: true])

  /// Requests a pseudo-random function for the credential (WebAuthn §10.1.4), and evaluates it if the authenticator
  /// supports that at creation.
  public static func prf(evaluating values: PRFValues? = nil) -> Self {
    Self([ExtensionName.prf: PRFInputs(evaluating: values).value])
  }

  /// Requests large-blob support (WebAuthn §10.1.5). If it is required, creation fails on an authenticator without it.
  public static func largeBlob(required: Bool) -> Self {
    largeBlob(support: required ? .required : .preferred)
  }

  package static func largeBlob(support: LargeBlobSupport) -> Self {
    Self([ExtensionName.largeBlob: LargeBlobInputs(support: support).value])
  }

  /// Requests a protection policy (CTAP 2.3 §12). With `enforce`, the ceremony rejects a weaker policy.
  public static func credentialProtection(_ policy: CredentialProtection, enforce: Bool) -> Self {
    Self([
      ExtensionName.credentialProtectionPolicy: .string(policy.name),
      ExtensionName.enforceCredentialProtectionPolicy: .bool(enforce),
    ])
  }

  /// Stores a small blob with the credential (CTAP 2.3 §12). Authenticators accept 32 bytes or more, as they report.
  package static func credBlob(_ blob: [UInt8]) -> Self {
    Self([ExtensionName.credBlob: .base64URL(blob)])
  }

  /// Requests the minimum PIN length (CTAP 2.3 §12). Authenticators tell it the relying parties that they are configured
  /// for.
  public static let minPinLength = Self([ExtensionName.minPinLength: true])

  /// Requests whether a PIN complexity policy is enforced (CTAP 2.3 §12). Authenticators tell it the relying parties that
  /// they are configured for.
  package static let pinComplexityPolicy = Self([ExtensionName.pinComplexityPolicy: true])

  /// Requests an HMAC secret for the credential (CTAP 2.3 §12). Browsers do not support it and offer
  /// ``prf(evaluating:)`` instead.
  package static let hmacCreateSecret = Self([ExtensionName.hmacCreateSecret: true])

  /// Requests an HMAC secret, and evaluates it if the authenticator supports that at creation (CTAP 2.3 §12).
  package static func hmacCreateSecret(evaluating salts: HMACSecretSalts) -> Self {
    Self([ExtensionName.hmacCreateSecret: true, ExtensionName.hmacGetSecret: salts.value])
  }

  /// Requests the user verification methods (WebAuthn Level 2, §10.3).
  package static let uvm = Self([ExtensionName.uvm: true])

  /// Rejects authenticators that hold an excluded U2F credential of this AppID (WebAuthn §10.1.2).
  public static func appIDExclude(_ appID: String) -> Self {
    Self([ExtensionName.appIDExclude: .string(appID)])
  }

  /// Requests a credential for payments on a platform authenticator (Secure Payment Confirmation).
  ///
  /// `browserBoundKeys` lists the algorithms of the browser-bound key; if empty, those of the credential apply.
  public static func payment(browserBoundKeys: [COSEAlgorithm] = []) -> Self {
    Self([
      ExtensionName.payment: PaymentInputs(
        browserBoundKeys: browserBoundKeys.map { CredentialParameters(algorithm: $0) }
      ).value
    ])
  }

  /// Requests an extension that this library does not know. Its output is passed through unchanged.
  public static func other(_ name: String, _ value: ExtensionValue) -> Self {
    Self([name: value])
  }
}

extension ClientExtensions {
  /// Creates the extension inputs of a registration. A later entry replaces an earlier one of the same name.
  package init(_ extensions: [RegistrationExtension]) {
    self.init(extensions.reduce(into: [:]) { $0.merge($1.values) { _, later in later } })
  }
}
