// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats
package import PasskeyService
package import WebAuthnTypes

extension MemoryStorage {
  /// Registers a device for push messages. A token registered to another account is revoked there.
  package func register(
    _ device: Device, maximumCount: Int, audit: [AuditDraft]
  ) throws(StorageError) -> DeviceRegistrationOutcome {
    guard accounts[device.user] != nil else { return .unknownAccount }
    if var known = devices.first(of: device.user, where: device.hasToken(of:)) {
      known.platform = device.platform ?? known.platform
      known.timeZone = device.timeZone ?? known.timeZone
      devices.replace(known)
      return .known(known)
    }
    guard devices.all(of: device.user).count(where: { $0.revoked == nil }) < maximumCount else { return .tooMany }
    guard !devices.has(device.id) else { throw StorageError(.conflict, "device") }
    devices.revoke(at: device.created, where: device.hasToken(of:))
    devices.insert(device)
    trail.seal(audit)
    return .registered
  }

  /// Returns an account's devices, the earliest registered first.
  package func devices(of user: UserHandle) throws(StorageError) -> [Device] {
    devices.all(of: user)
  }

  /// Revokes a device of an account. Returns false if the account has no such device that is not revoked.
  package func revokeDevice(
    _ selection: DeviceSelection, of user: UserHandle, at time: UnixTime, audit: [AuditDraft]
  ) throws(StorageError) -> Bool {
    guard var device = devices.first(of: user, where: selection.matches) else { return false }
    device.revoked = time
    devices.replace(device)
    trail.seal(audit)
    return true
  }
}

extension Device {
  /// Whether both have the same push service and token, compared by their UTF-8 bytes.
  fileprivate func hasToken(of other: Device) -> Bool {
    DeviceSelection.token(service, token).matches(other)
  }
}

/// Devices by owner, the earliest registered first.
struct MemoryDevices {
  private var byUser: [UserHandle: [Device]] = [:]

  func all(of user: UserHandle) -> [Device] { byUser[user] ?? [] }

  func has(_ id: DeviceID) -> Bool {
    byUser.values.contains { $0.contains { $0.id == id } }
  }

  /// Returns a device of an account that is not revoked.
  func first(of user: UserHandle, where matches: (Device) -> Bool) -> Device? {
    all(of: user).first { $0.revoked == nil && matches($0) }
  }

  /// Inserts a device, and removes all but the newest revoked ones of its account.
  mutating func insert(_ device: Device) {
    let devices = all(of: device.user) + [device]
    let excess = max(0, devices.count { $0.revoked != nil } - Device.keptRevokedCount)
    let removed = Set(devices.filter { $0.revoked != nil }.prefix(excess).map(\.id))
    byUser[device.user] = devices.filter { !removed.contains($0.id) }
  }

  /// Replaces a device whose owner is unchanged.
  mutating func replace(_ device: Device) {
    byUser[device.user] = all(of: device.user).map { $0.id == device.id ? device : $0 }
  }

  /// Revokes the matching devices of all accounts.
  mutating func revoke(at time: UnixTime, where matches: (Device) -> Bool) {
    for device in byUser.values.joined() where device.revoked == nil && matches(device) {
      var revoked = device
      revoked.revoked = time
      replace(revoked)
    }
  }

  mutating func removeAll(of user: UserHandle) {
    byUser[user] = nil
  }
}
