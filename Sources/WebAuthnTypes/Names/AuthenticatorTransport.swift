// SPDX-License-Identifier: Apache-2.0

/// A way in which a client reaches an authenticator (WebAuthn §5.8.4).
public struct AuthenticatorTransport: OpenString {
  /// The string.
  public let rawValue: String

  /// The value with this string, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// By USB.
  public static let usb = Self(rawValue: "usb")
  /// By near-field communication.
  public static let nfc = Self(rawValue: "nfc")
  /// By Bluetooth Low Energy.
  public static let ble = Self(rawValue: "ble")
  /// By an ISO 7816 smart card with contacts.
  public static let smartCard = Self(rawValue: "smart-card")
  /// By another device nearby, such as a phone.
  public static let hybrid = Self(rawValue: "hybrid")
  /// By the client's own means: it is part of the device.
  public static let `internal` = Self(rawValue: "internal")
}
