// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// The extensions that a ceremony requests, with the inputs that are necessary to verify their outputs.
struct RequestedExtensions: Hashable, Sendable {
  /// The client extension names.
  let names: Set<String>

  /// The minimum protection of a new credential; weaker ones are refused.
  let enforcedProtection: RegistrationExtension.CredentialProtection?

  /// The requested large blob operation.
  let largeBlob: LargeBlobUse?

  /// A large blob operation.
  enum LargeBlobUse: UInt64 {
    case read = 1
    case write = 2
  }

  /// No extension is requested.
  static let none = Self(names: [], enforcedProtection: nil, largeBlob: nil)

  init(names: Set<String>, enforcedProtection: RegistrationExtension.CredentialProtection?, largeBlob: LargeBlobUse?) {
    self.names = names
    self.enforcedProtection = enforcedProtection
    self.largeBlob = largeBlob
  }

  init(_ extensions: ClientExtensions) {
    names = Set(extensions.values.keys)
    let protection = try? extensions.credentialProtectionInputs
    enforcedProtection = protection?.isEnforced == true ? protection?.policy : nil
    largeBlob =
      switch (try? extensions.largeBlobInputs)?.access {
      case .read?: .read
      case .write?: .write
      case nil: nil
      }
  }

  var isEmpty: Bool { names.isEmpty }

  /// Adds the name of an extension that the browser requests and the caller does not.
  func union(_ name: String) -> Self {
    Self(names: names.union([name]), enforcedProtection: enforcedProtection, largeBlob: largeBlob)
  }

  /// Whether the authenticator extension `name` was requested, possibly under another client name.
  func includes(ofAuthenticator name: String) -> Bool {
    names.contains(name) || (Self.clientNames[name] ?? []).contains(where: names.contains)
  }

  /// The client extension names that request an authenticator extension (WebAuthn §10.1.4, CTAP 2.3 §12).
  private static let clientNames: [String: [String]] = [
    ExtensionName.hmacSecret: [ExtensionName.prf, ExtensionName.hmacCreateSecret, ExtensionName.hmacGetSecret],
    ExtensionName.hmacSecretAtCreation: [ExtensionName.prf, ExtensionName.hmacGetSecret],
    ExtensionName.credProtect: [ExtensionName.credentialProtectionPolicy],
    ExtensionName.credBlob: [ExtensionName.getCredBlob],
    ExtensionName.thirdPartyPayment: [ExtensionName.payment],
  ]
}
