// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats
public import WebAuthnTypes

/// A device that is registered for push messages.
public struct Device: Hashable, Sendable {
  /// The device's identifier in this service.
  public var id: ID

  /// The account that receives the messages.
  public var user: UserHandle

  /// The push service that delivers the messages.
  public var service: PushService

  /// The push service's token for the device. A service and a token identify one device; if another account registers
  /// the same pair, this registration is revoked.
  public var token: String

  /// The platform of the device, such as `ios`; nil if the client did not name it.
  public var platform: String?

  /// The time zone of the device as a name of the IANA database; nil if the client did not name it.
  package var timeZone: String?

  /// The time when this account first registered the device.
  public var created: UnixTime

  /// The time when the registration was revoked; nil if the device receives messages.
  package var revoked: UnixTime?

  /// The maximum number of revoked devices that an account keeps [a history of years; a client that registers
  /// repeatedly must not fill the store].
  package static let keptRevokedCount = 100

  /// Creates a device from its stored fields.
  package init(
    id: ID, user: UserHandle, service: PushService, token: String, platform: String? = nil,
    timeZone: String? = nil, created: UnixTime, revoked: UnixTime? = nil
  ) {
    self.id = id
    self.user = user
    self.service = service
    self.token = token
    self.platform = platform
    self.timeZone = timeZone
    self.created = created
    self.revoked = revoked
  }
}

extension Device {
  /// A device identifier, used in responses and in the audit trail.
  public struct ID: FixedBytes {
    /// The bytes.
    public let bytes: [UInt8]

    /// The length, the same as a UUID's.
    public static let byteCount = 16

    /// Creates an ID from bytes whose length is already checked.
    public init(unchecked bytes: [UInt8]) {
      self.bytes = bytes
    }
  }
}

extension Device {
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
    package static let webPush = Self(rawValue: "webpush")
  }
}

/// A reference to one device of an account.
package enum DeviceSelection: Hashable, Sendable {
  /// The device's identifier in this service.
  case id(Device.ID)
  /// The push service and its token for the device.
  case token(Device.PushService, String)

  /// Returns whether the selection refers to this device.
  package func matches(_ device: Device) -> Bool {
    switch self {
    case .id(let id): device.id == id
    case .token(let service, let token):
      device.service == service && device.token.utf8.elementsEqual(token.utf8)
    }
  }
}
