// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// A service that delivers push messages to devices.
public struct PushService: OpenString {
  /// The name.
  public let rawValue: String

  /// Creates a push service from its name, whether or not this library knows it.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Apple Push Notification service.
  public static let apns = Self(rawValue: "apns")
  /// Firebase Cloud Messaging.
  public static let fcm = Self(rawValue: "fcm")
  /// Web Push.
  public static let webPush = Self(rawValue: "webpush")
}
