// SPDX-License-Identifier: Apache-2.0

/// An extension request for a sign-in.
///
/// ```swift
/// extensions: [.prf(evaluating: PRFValues(first: salt)), .readLargeBlob]
/// ```
public struct AuthenticationExtension: Hashable, Sendable {
  let values: [String: ExtensionValue]

  private init(_ values: [String: ExtensionValue]) {
    self.values = values
  }

  /// Accepts U2F credentials that were registered with this AppID (WebAuthn §10.1.1). If the client reports that it
  /// used one, the authenticator must have signed the hash of the AppID instead of the RP ID hash.
  public static func appID(_ appID: String) -> Self {
    Self([ExtensionName.appID: .string(appID)])
  }

  /// Evaluates the credential's pseudo-random function (WebAuthn §10.1.4).
  public static func prf(evaluating values: PRFValues) -> Self {
    Self([ExtensionName.prf: PRFInputs(evaluating: values).value])
  }

  /// Evaluates the pseudo-random function with inputs that depend on the credential. The sign-in must list these
  /// credentials.
  ///
  /// `values` has the inputs by credential, and `otherwise` those for any other credential.
  public static func prf(byCredential values: [CredentialID: PRFValues], otherwise: PRFValues? = nil) -> Self {
    Self([ExtensionName.prf: PRFInputs(evaluating: otherwise, byCredential: values).value])
  }

  /// Reads the credential's large blob (WebAuthn §10.1.5).
  public static let readLargeBlob = largeBlob(.read)

  /// Replaces the credential's large blob (WebAuthn §10.1.5). The sign-in must list exactly one credential.
  public static func writeLargeBlob(_ blob: [UInt8]) -> Self { largeBlob(.write(blob)) }

  package static func largeBlob(_ access: LargeBlobAccess) -> Self {
    Self([ExtensionName.largeBlob: LargeBlobInputs(access: access).value])
  }

  /// Requests the `credBlob` stored with the credential (CTAP 2.3 §12).
  package static let getCredBlob = Self([ExtensionName.getCredBlob: true])

  /// Evaluates the credential's HMAC secret (CTAP 2.3 §12). Browsers do not support it and offer `prf` instead.
  package static func hmacGetSecret(_ salts: HMACSecretSalts) -> Self {
    Self([ExtensionName.hmacGetSecret: salts.value])
  }

  /// Requests the user verification methods (WebAuthn Level 2, §10.3).
  package static let uvm = Self([ExtensionName.uvm: true])

  /// Requests an extension that this library does not know. Its output is passed through unchanged.
  public static func other(_ name: String, _ value: ExtensionValue) -> Self {
    Self([name: value])
  }
}

extension ClientExtensions {
  /// Creates the extension inputs of a sign-in. A later entry replaces an earlier one of the same name.
  package init(_ extensions: [AuthenticationExtension]) {
    self.init(extensions.reduce(into: [:]) { $0.merge($1.values) { _, later in later } })
  }
}
