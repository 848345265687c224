// SPDX-License-Identifier: Apache-2.0

/// The outcome of registering a device.
package enum DeviceRegistrationOutcome: Hashable, Sendable {
  /// The device was registered.
  case registered
  /// The account had already registered the device, as this one, which was not revoked. Nothing was recorded, and only
  /// the platform and the time zone were changed.
  case known(Device)
  /// The account has the maximum number of devices.
  case tooMany
  /// The account does not exist.
  case unknownAccount
}
