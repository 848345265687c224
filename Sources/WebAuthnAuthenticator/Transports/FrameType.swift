// SPDX-License-Identifier: Apache-2.0

/// The first byte of a frame: the CTAPHID command numbers (CTAP 2.3 §11.2.9) and two of this project's.
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

  /// A user gesture: 00 declines, 01 touches, 01 and a number touches the sensor with that finger.
  static let gesture: UInt8 = 0x40
  /// A 64-byte HID report.
  static let report: UInt8 = 0x50
}

/// The codes of an error frame (CTAP 2.3 §11.2.9.1.6).
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

/// The device properties in the response to CTAPHID_INIT (CTAP 2.3 §11.2.9.1.3).
enum DeviceAnnouncement {
  static let interfaceVersion: UInt8 = 2
  /// The software version: major, minor, build.
  static let version: [UInt8] = [0, 1, 0]
  /// WINK (0x01) and CBOR (0x04). NMSG (0x08) is not set, because U2F is supported.
  static let capabilities: UInt8 = 0x01 | 0x04
}
