// SPDX-License-Identifier: Apache-2.0

/// The first byte of a frame: CTAPHID's command numbers (CTAP 2.3 §11.2.9), those that a platform needs.
enum FrameType {
  /// A CTAP2 command byte and its CBOR; answered by a status byte and CBOR.
  static let cbor: UInt8 = 0x10
  /// Gives up what is pending, which is answered as ever.
  static let cancel: UInt8 = 0x11
  /// The device is alive, and busy or waiting for its user.
  static let keepAlive: UInt8 = 0x3b
  /// The frame was refused; one byte says why.
  static let error: UInt8 = 0x3f
}
