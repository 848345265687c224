// SPDX-License-Identifier: Apache-2.0

/// The frame types: those CTAPHID command numbers (CTAP 2.3 §11.2.9) that a platform needs.
enum FrameType {
  /// A CTAP2 command byte and its CBOR. The response is a status byte and CBOR.
  static let cbor: UInt8 = 0x10
  /// Cancels the pending command, which still gets a response.
  static let cancel: UInt8 = 0x11
  /// The device is working or waiting for its user.
  static let keepAlive: UInt8 = 0x3b
  /// The frame was rejected; one byte gives the reason.
  static let error: UInt8 = 0x3f
}
