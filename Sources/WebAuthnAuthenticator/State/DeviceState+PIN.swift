// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import WebAuthnTypes

extension DeviceState {
  /// Sets the PIN. What stood in for it does so no longer, or the PIN would never be asked for.
  mutating func set(_ pin: PINState) {
    fingers.removeAll { (finger) in finger.isOwners }
    self.pin = pin
  }

  /// Has the owner's yes verify the user, as a finger of its own, where there is no PIN to do that.
  mutating func enrollOwner() throws(CTAPError) {
    guard pin == nil, !fingers.contains(where: { (finger) in finger.isOwners }) else { return }
    fingers.removeAll { (finger) in finger.finger == EnrolledFinger.owners.finger }
    guard fingers.count < DeviceLimits.maximumFingers else { throw CTAPError(.fingerprintDatabaseFull) }
    fingers.append(.owners)
  }
}

extension EnrolledFinger {
  /// The finger that the owner's yes is read as. Its id is no secret, and none that is drawn by lot.
  static let owners = Self(templateID: [UInt8]("the owner's yes".utf8), finger: 0, name: nil)

  /// Whether it is that one.
  var isOwners: Bool { templateID == Self.owners.templateID }
}
