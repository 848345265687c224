// SPDX-License-Identifier: Apache-2.0

/// The format of an attestation statement (WebAuthn §8).
public struct AttestationFormat: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// No statement (§8.7).
  package static let none = Self(rawValue: "none")
  /// The format defined by WebAuthn (§8.2).
  public static let packed = Self(rawValue: "packed")
  /// Trusted Platform Module (§8.3).
  public static let tpm = Self(rawValue: "tpm")
  /// Android key attestation (§8.4).
  public static let androidKey = Self(rawValue: "android-key")
  /// Android SafetyNet (§8.5).
  public static let androidSafetyNet = Self(rawValue: "android-safetynet")
  /// FIDO U2F (§8.6).
  public static let fidoU2F = Self(rawValue: "fido-u2f")
  /// Apple anonymous attestation (§8.8).
  public static let apple = Self(rawValue: "apple")
  /// Several statements (§8.9).
  package static let compound = Self(rawValue: "compound")
}

/// The ceremony that client data were made for (WebAuthn §5.8.1).
package struct ClientDataType: OpenString {
  /// The string.
  package let rawValue: String

  /// The value with this string, known or not.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A registration.
  package static let create = Self(rawValue: "webauthn.create")
  /// A sign-in.
  package static let get = Self(rawValue: "webauthn.get")
  /// A payment (Secure Payment Confirmation).
  package static let payment = Self(rawValue: "payment.get")
}

/// The type of a credential (WebAuthn §5.8.2). The standard defines one.
package struct CredentialType: OpenString {
  /// The string.
  package let rawValue: String

  /// The value with this string, known or not.
  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A public key credential.
  @usableFromInline package static let publicKey = Self(rawValue: "public-key")
}
