// SPDX-License-Identifier: Apache-2.0

/// For what client data were made (WebAuthn §5.8.1).
public struct ClientDataType: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A registration.
  public static let create = Self(rawValue: "webauthn.create")
  /// A sign-in.
  public static let get = Self(rawValue: "webauthn.get")
  /// A payment (Secure Payment Confirmation).
  public static let payment = Self(rawValue: "payment.get")
}
