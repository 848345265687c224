// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A device that is registered for push messages.
public struct Device: Hashable, Sendable {
  /// The device's identifier in this service.
  public var id: DeviceID

  /// The account that receives the messages.
  public var user: UserHandle

  /// The push service that delivers the messages.
  public var service: PushService

  /// The push service's token for the device. A service and a token identify one device; if another account registers
  /// the same pair, the device moves to that account.
  public var token: String

  /// The time when this account first registered the device.
  public var created: Timestamp

  /// Creates a device from its stored fields.
  public init(id: DeviceID, user: UserHandle, service: PushService, token: String, created: Timestamp) {
    self.id = id
    self.user = user
    self.service = service
    self.token = token
    self.created = created
  }
}
