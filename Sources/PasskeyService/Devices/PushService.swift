// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// By whom messages are pushed to a device.
public struct PushService: OpenString {
  /// The name.
  public let rawValue: String

  /// The service with this name, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Apple's.
  public static let apns = Self(rawValue: "apns")
  /// Google's.
  public static let fcm = Self(rawValue: "fcm")
  /// A browser's.
  public static let webPush = Self(rawValue: "webpush")
}
