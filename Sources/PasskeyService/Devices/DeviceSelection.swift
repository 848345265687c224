// SPDX-License-Identifier: Apache-2.0

/// By what a device of an account is named.
public enum DeviceSelection: Hashable, Sendable {
  /// By what it is called here.
  case id(DeviceID)
  /// By what its service calls it.
  case token(PushService, String)

  /// Whether the device is meant.
  public func matches(_ device: Device) -> Bool {
    switch self {
    case .id(let id): device.id == id
    case .token(let service, let token):
      device.service == service && device.token.utf8.elementsEqual(token.utf8)
    }
  }
}
