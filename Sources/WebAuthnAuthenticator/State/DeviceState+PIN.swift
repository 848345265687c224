// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes

extension DeviceState {
  /// Sets the PIN. Removes the owner's finger, which would otherwise verify the user without the PIN.
  mutating func set(_ pin: PINState) {
    fingers.removeAll { (finger) in finger.isOwners }
    self.pin = pin
  }

  /// If no PIN is set, enrolls the owner's confirmation as a finger, so that it verifies the user.
  mutating func enrollOwner() throws(CTAPError) {
    guard pin == nil, !fingers.contains(where: { (finger) in finger.isOwners }) else { return }
    fingers.removeAll { (finger) in finger.finger == EnrolledFinger.owners.finger }
    guard fingers.count < DeviceLimits.maximumFingers else { throw CTAPError(.fingerprintDatabaseFull) }
    fingers.append(.owners)
  }
}

extension EnrolledFinger {
  /// The finger that represents the owner's confirmation. Its template id is public and cannot equal a random one.
  static let owners = Self(templateID: [UInt8]("the owner's consent".utf8), finger: 0, name: nil)

  /// Whether this is the owner's finger.
  var isOwners: Bool { templateID == Self.owners.templateID }
}
