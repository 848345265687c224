// SPDX-License-Identifier: Apache-2.0

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
