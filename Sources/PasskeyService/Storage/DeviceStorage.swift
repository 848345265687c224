// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Storage of the devices that receive push messages.
public protocol DeviceStorage: Sendable {
  /// Registers a device. A device that the account has already registered stays unchanged; a device of another account
  /// moves to this one.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func register(
    _ device: Device, maximumCount: Int, audit: [AuditDraft]
  ) async throws(StorageError) -> DeviceRegistrationOutcome

  /// Returns the devices of an account, oldest registration first.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func devices(of user: UserHandle) async throws(StorageError) -> [Device]

  /// Deletes a device of an account.
  ///
  /// - Returns: Whether the account had the device.
  /// - Throws: A ``StorageError`` if the store fails.
  func eraseDevice(
    _ selection: DeviceSelection, of user: UserHandle, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool
}

/// The outcome of registering a device.
public enum DeviceRegistrationOutcome: Hashable, Sendable {
  /// The device was registered.
  case registered
  /// The account had already registered the device, as this one. Nothing was changed or recorded.
  case known(Device)
  /// The account has the maximum number of devices.
  case tooMany
  /// The account does not exist.
  case unknownAccount
}
