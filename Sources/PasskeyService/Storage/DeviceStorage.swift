// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes

/// Where the devices are that messages are pushed to.
public protocol DeviceStorage: Sendable {
  /// Registers a device. One that the account has registered already stays as it is; one that another account has
  /// registered is taken from it.
  func register(
    _ device: Device, maximumCount: Int, audit: [AuditDraft]
  ) async throws(StorageError) -> DeviceRegistration

  /// The devices of an account, in the order in which they were registered.
  func devices(of user: UserHandle) async throws(StorageError) -> [Device]

  /// Erases a device of an account; whether there was one.
  func eraseDevice(
    _ selection: DeviceSelection, of user: UserHandle, audit: [AuditDraft]
  ) async throws(StorageError) -> Bool
}

/// What became of a device that was to be registered.
public enum DeviceRegistration: Hashable, Sendable {
  /// It is registered now.
  case registered
  /// It was, as this. Nothing is recorded.
  case known(Device)
  /// The account has as many as it may.
  case tooMany
  /// There is no such account.
  case unknownAccount
}
