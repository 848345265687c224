// SPDX-License-Identifier: Apache-2.0

/// The types of the frames between a client and a device: the CTAPHID command numbers (CTAP 2.3 §11.2.9), and two of this
/// project's.
package enum FrameType {
  package static let ping: UInt8 = 0x01
  /// A U2F message. The response is an APDU.
  package static let message: UInt8 = 0x03
  package static let lock: UInt8 = 0x04
  package static let initialize: UInt8 = 0x06
  package static let wink: UInt8 = 0x08
  /// A CTAP2 command byte and its CBOR. The response is a status byte and CBOR.
  package static let cbor: UInt8 = 0x10
  /// Cancels the pending command, which still gets a response.
  package static let cancel: UInt8 = 0x11
  /// The device is working or waiting for its user.
  package static let keepAlive: UInt8 = 0x3b
  /// The device rejects a frame; one byte gives the reason.
  package static let error: UInt8 = 0x3f

  /// A user gesture: 00 declines, 01 touches, 01 and a number touches the sensor with that finger.
  package static let gesture: UInt8 = 0x40
  /// A 64-byte HID report.
  package static let report: UInt8 = 0x50
}
