// SPDX-License-Identifier: Apache-2.0

/// A reference to one device of an account.
public enum DeviceSelection: Hashable, Sendable {
  /// The device's identifier in this service.
  case id(DeviceID)
  /// The push service and its token for the device.
  case token(PushService, String)

  /// Returns whether the selection refers to this device.
  public func matches(_ device: Device) -> Bool {
    switch self {
    case .id(let id): device.id == id
    case .token(let service, let token):
      device.service == service && device.token.utf8.elementsEqual(token.utf8)
    }
  }
}
