// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes

/// Which extensions a ceremony asks for, and of what they are asked as much as their outputs are judged by.
struct RequestedExtensions: Hashable, Sendable {
  /// The clients' names.
  let names: Set<String>

  /// The protection below which a new credential is refused.
  let enforcedProtection: CredentialProtectionPolicy?

  /// What was to be done with the large blob.
  let largeBlob: LargeBlobUse?

  /// One thing that is done with a large blob.
  enum LargeBlobUse: UInt64 {
    case read = 1
    case write = 2
  }

  /// Nothing is asked for.
  static let none = Self(names: [], enforcedProtection: nil, largeBlob: nil)

  init(names: Set<String>, enforcedProtection: CredentialProtectionPolicy?, largeBlob: LargeBlobUse?) {
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

  /// The names that no one need ask for here, because the browser does.
  func union(_ name: String) -> Self {
    Self(names: names.union([name]), enforcedProtection: enforcedProtection, largeBlob: largeBlob)
  }

  /// Whether an authenticator was asked for what it calls `name`.
  func includes(ofAuthenticator name: String) -> Bool {
    names.contains(name) || (Self.clientNames[name] ?? []).contains(where: names.contains)
  }

  /// Under which other names clients ask an authenticator (WebAuthn §10.1.4, CTAP 2.3 §12).
  private static let clientNames: [String: [String]] = [
    ExtensionName.hmacSecret: [ExtensionName.prf, ExtensionName.hmacCreateSecret, ExtensionName.hmacGetSecret],
    ExtensionName.hmacSecretAtCreation: [ExtensionName.prf, ExtensionName.hmacGetSecret],
    ExtensionName.credProtect: [ExtensionName.credentialProtectionPolicy],
    ExtensionName.credBlob: [ExtensionName.getCredBlob],
    ExtensionName.thirdPartyPayment: [ExtensionName.payment],
  ]
}
