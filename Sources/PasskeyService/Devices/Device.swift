// SPDX-License-Identifier: Apache-2.0

public import WebAuthnTypes
public import WireFormats

/// What a device is called in answers and in the audit trail.
public struct DeviceID: FixedBytes {
  /// The bytes.
  public let bytes: [UInt8]

  /// As many as a UUID has.
  public static let byteCount = 16

  /// Takes bytes whose number was checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }
}

/// By whom messages are pushed to a device.
public struct PushService: OpenString {
  /// The name.
  public let rawValue: String

  /// The service with this name, known or not.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Apple's.
  public static let apns = Self(rawValue: "apns")
  /// Google's.
  public static let fcm = Self(rawValue: "fcm")
  /// A browser's.
  public static let webPush = Self(rawValue: "webpush")
}

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

/// By what a device of an account is named.
public enum DeviceSelection: Hashable, Sendable {
  /// By what it is called here.
  case id(DeviceID)
  /// By what its service calls it.
  case token(PushService, String)

  /// Whether the device is meant.
  public func matches(_ device: Device) -> Bool {
    switch self {
    case .id(let id): device.id == id
    case .token(let service, let token):
      device.service == service && device.token.utf8.elementsEqual(token.utf8)
    }
  }
}
