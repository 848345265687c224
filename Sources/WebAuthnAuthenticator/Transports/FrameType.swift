// SPDX-License-Identifier: Apache-2.0

/// The first byte of a frame: CTAPHID's command numbers (CTAP 2.3 §11.2.9), and two of our own.
enum FrameType {
  static let ping: UInt8 = 0x01
  static let message: UInt8 = 0x03
  static let lock: UInt8 = 0x04
  static let initialize: UInt8 = 0x06
  static let wink: UInt8 = 0x08
  static let cbor: UInt8 = 0x10
  static let cancel: UInt8 = 0x11
  static let keepAlive: UInt8 = 0x3b
  static let error: UInt8 = 0x3f

  /// What the user does: 00 refuses, 01 touches, 01 and a number lays that finger on the sensor.
  static let gesture: UInt8 = 0x40
  /// One report of 64 bytes.
  static let report: UInt8 = 0x50
}

/// The codes of an error frame (§11.2.9.1.6).
enum LinkError: UInt8 {
  case invalidCommand = 0x01
  case invalidParameter = 0x02
  case invalidLength = 0x03
  case invalidSequence = 0x04
  case timeout = 0x05
  case channelBusy = 0x06
  case lockRequired = 0x0a
  case invalidChannel = 0x0b
  case other = 0x7f
}

/// What a device says of itself when a channel is opened (§11.2.9.1.3).
enum DeviceAnnouncement {
  static let interfaceVersion: UInt8 = 2
  /// Of this software: major, minor, build.
  static let version: [UInt8] = [0, 1, 0]
  /// Winks, speaks CBOR, and speaks U2F: NMSG (0x08) is not set.
  static let capabilities: UInt8 = 0x01 | 0x04
}
