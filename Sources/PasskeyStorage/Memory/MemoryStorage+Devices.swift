// SPDX-License-Identifier: Apache-2.0

public import PasskeyService
public import WebAuthnTypes

extension MemoryStorage {
  /// Registers a device for push messages. A token registered to another account moves to this one.
  public func register(
    _ device: Device, maximumCount: Int, audit: [AuditDraft]
  ) throws(StorageError) -> DeviceRegistrationOutcome {
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

/// Devices, indexed by push token and by owner.
struct MemoryDevices {
  private var byKey: [Key: Device] = [:]
  private var keys: [UserHandle: [Key]] = [:]

  /// A push service and a token. Tokens are compared by their UTF-8 bytes, not by canonical equivalence.
  struct Key: Hashable {
    let service: PushService
    let token: [UInt8]

    init(_ device: Device) {
      service = device.service
      token = Array(device.token.utf8)
    }
  }

  subscript(key: Key) -> Device? { byKey[key] }

  /// An account's devices, the earliest registered first.
  func all(of user: UserHandle) -> [Device] {
    (keys[user] ?? []).compactMap { byKey[$0] }
  }

  func has(_ id: DeviceID) -> Bool {
    byKey.values.contains { $0.id == id }
  }

  /// Inserts a device, replacing any registration of the same token.
  mutating func insert(_ device: Device) {
    let key = Key(device)
    if let old = byKey[key] { remove(old) }
    byKey[key] = device
    keys[device.user, default: []].append(key)
  }

  mutating func remove(_ device: Device) {
    let key = Key(device)
    byKey[key] = nil
    keys[device.user]?.removeAll { $0 == key }
  }

  mutating func removeAll(of user: UserHandle) {
    for key in keys.removeValue(forKey: user) ?? [] { byKey[key] = nil }
  }
}
