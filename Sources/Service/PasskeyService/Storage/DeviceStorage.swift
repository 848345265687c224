// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import WebAuthnTypes

/// Storage of the devices that receive push messages.
package protocol DeviceStorage: Sendable {
  /// Registers a device. If the account has already registered it, only updates its platform and time zone, where they
  /// are given. A registration of the same token by another account is revoked, and a revoked one stays as it is.
  ///
  /// The maximum counts the devices that are not revoked. Of the revoked ones, a store keeps the newest
  /// ``Device/keptRevokedCount``.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func register(
    _ device: Device, maximumCount: Int, audit: [AuditDraft]
  ) async throws(StorageError) -> DeviceRegistrationOutcome

  /// Returns the devices of an account, the revoked ones included, oldest registration first.
  ///
  /// - Throws: A ``StorageError`` if the store fails.
  func devices(of user: UserHandle) async throws(StorageError) -> [Device]

  /// Revokes a device of an account. Its registration stays until the account is erased.
  ///
  /// - Returns: Whether the account had the device and it was not revoked.
  /// - Throws: A ``StorageError`` if the store fails.
  func revokeDevice(
    _ selection: DeviceSelection, of user: UserHandle, at time: UnixTime, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool
}

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
