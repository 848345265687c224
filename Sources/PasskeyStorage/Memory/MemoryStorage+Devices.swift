// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension MemoryStorage {
  /// Registers a device for push messages. A token registered to another account moves to this one.
  public func register(
    _ device: Device, maximumCount: Int, audit: [AuditDraft]
  ) throws(StorageError) -> DeviceRegistration {
    guard accounts[device.user] != nil else { return .unknownAccount }
    if let known = devices[MemoryDevices.Key(device)], known.user == device.user { return .known(known) }
    guard devices.all(of: device.user).count < maximumCount else { return .tooMany }
    guard !devices.has(device.id) else { throw StorageError(.conflict, "device") }
    devices.insert(device)
    trail.seal(audit)
    return .registered
  }

  /// Returns an account's devices, the earliest registered first.
  public func devices(of user: UserHandle) throws(StorageError) -> [Device] {
    devices.all(of: user)
  }

  /// Deletes a device of an account. Returns false if the account has no such device.
  public func eraseDevice(
    _ selection: DeviceSelection, of user: UserHandle, audit: [AuditDraft]
  ) throws(StorageError) -> Bool {
    guard let device = devices.all(of: user).first(where: selection.matches) else { return false }
    devices.remove(device)
    trail.seal(audit)
    return true
  }
}
