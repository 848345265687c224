// SPDX-License-Identifier: Apache-2.0

/// A device identifier, used in responses and in the audit trail.
public struct DeviceID: FixedBytes {
  /// The bytes.
  public let bytes: [UInt8]

  /// The length, the same as a UUID's.
  public static let byteCount = 16

  /// Creates an ID from bytes whose length is already checked.
  public init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }
}
