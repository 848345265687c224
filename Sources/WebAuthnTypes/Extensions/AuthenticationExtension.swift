// SPDX-License-Identifier: Apache-2.0

/// An extension that a sign-in asks for.
///
/// ```swift
/// extensions: [.prf(evaluating: PRFValues(first: salt)), .largeBlob(.read)]
/// ```
public struct AuthenticationExtension: Hashable, Sendable {
  let values: [String: ExtensionValue]

  private init(_ values: [String: ExtensionValue]) {
    self.values = values
  }

  /// Credentials from the days of U2F may be used (WebAuthn §10.1.1), when they were made for this AppID. What the client
  /// answers decides which hash the authenticator must have signed.
  public static func appID(_ appID: String) -> Self {
    Self([ExtensionName.appID: .string(appID)])
  }

  /// What to evaluate with the credential's pseudo-random function (WebAuthn §10.1.4).
  /// ``AuthenticationClientOutputs/prf`` answers.
  public static func prf(evaluating values: PRFValues) -> Self {
    Self([ExtensionName.prf: PRFInputs(evaluating: values).value])
  }

  /// What to evaluate with certain credentials, and what with the others. The sign-in must name these credentials.
  public static func prf(byCredential values: [CredentialID: PRFValues], otherwise: PRFValues? = nil) -> Self {
    Self([ExtensionName.prf: PRFInputs(evaluating: otherwise, byCredential: values).value])
  }

  /// Reads or writes the credential's large blob (WebAuthn §10.1.5). A sign-in that writes must name exactly one
  /// credential. ``AuthenticationClientOutputs/largeBlob`` answers.
  public static func largeBlob(_ access: LargeBlobAccess) -> Self {
    Self([ExtensionName.largeBlob: LargeBlobInputs(access: access).value])
  }

  /// The small blob that the authenticator keeps with the credential (CTAP 2.3 §12).
  /// ``AuthenticationAuthenticatorOutputs/credBlob`` answers.
  public static let getCredBlob = Self([ExtensionName.getCredBlob: true])

  /// What to evaluate with the credential's secret (CTAP 2.3 §12), by clients that hand the extension on as it is.
  /// ``AuthenticationClientOutputs/hmacGetSecret`` answers.
  public static func hmacGetSecret(_ salts: HMACSecretSalts) -> Self {
    Self([ExtensionName.hmacGetSecret: salts.value])
  }

  /// How was the user verified (WebAuthn Level 2, §10.3)? ``AuthenticationAuthenticatorOutputs/uvm`` answers.
  public static let uvm = Self([ExtensionName.uvm: true])

  /// An extension that is not known here. Its outputs come as they are.
  public static func other(_ name: String, _ value: ExtensionValue) -> Self {
    Self([name: value])
  }
}

extension ClientExtensions {
  /// What a sign-in asks for, by name; of two with the same name the later one stays.
  public init(_ extensions: [AuthenticationExtension]) {
    self.init(extensions.reduce(into: [:]) { $0.merge($1.values) { _, later in later } })
  }
}
