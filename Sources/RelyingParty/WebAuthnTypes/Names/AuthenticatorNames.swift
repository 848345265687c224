// SPDX-License-Identifier: Apache-2.0

/// A transport between client and authenticator (WebAuthn §5.8.4).
public struct AuthenticatorTransport: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// USB.
  package static let usb = Self(rawValue: "usb")
  /// Near-field communication.
  package static let nfc = Self(rawValue: "nfc")
  /// Bluetooth Low Energy.
  package static let ble = Self(rawValue: "ble")
  /// An ISO 7816 smart card with contacts.
  package static let smartCard = Self(rawValue: "smart-card")
  /// Another device nearby, such as a phone.
  package static let hybrid = Self(rawValue: "hybrid")
  /// A platform authenticator, which is part of the client's device.
  package static let `internal` = Self(rawValue: "internal")
}

/// The attachment of an authenticator to the client's device (WebAuthn §5.4.5).
public struct AuthenticatorAttachment: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Part of the device.
  public static let platform = Self(rawValue: "platform")
  /// Usable with several devices.
  public static let crossPlatform = Self(rawValue: "cross-platform")
}

/// A hint about the kind of authenticator that the user has (WebAuthn §5.8.7).
public struct PublicKeyCredentialHint: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// A security key.
  public static let securityKey = Self(rawValue: "security-key")
  /// The client's own device.
  public static let clientDevice = Self(rawValue: "client-device")
  /// Another device, such as a phone.
  public static let hybrid = Self(rawValue: "hybrid")
}
