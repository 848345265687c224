// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// A device that may be pushed messages to.
public struct Device: Hashable, Sendable {
  /// What it is called.
  public var id: DeviceID

  /// Who is told something by messages to it.
  public var user: UserHandle

  /// Who delivers them.
  public var service: PushService

  /// What the service calls the device. A service and a token are one device: registered again by somebody else, it is
  /// theirs.
  public var token: String

  /// When it was first registered by this account.
  public var created: Timestamp

  /// Puts together what a store has.
  public init(id: DeviceID, user: UserHandle, service: PushService, token: String, created: Timestamp) {
    self.id = id
    self.user = user
    self.service = service
    self.token = token
    self.created = created
  }
}
