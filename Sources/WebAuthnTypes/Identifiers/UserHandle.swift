// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What a relying party calls a user account towards authenticators (WebAuthn §5.4.3): 1 to 64 bytes that say nothing
/// about the person.
public struct UserHandle: OpaqueBytes {
  /// The bytes.
  public let bytes: Bytes

  /// The longest handle there is [§5.4.3].
  public static let maximumByteCount = 64

  /// Takes 1 to 64 bytes.
  public init(_ bytes: Bytes) throws(FormatError) {
    guard 1...Self.maximumByteCount ~= bytes.count else {
      throw FormatError(.userHandleInvalidLength, at: bytes.startIndex)
    }
    self.bytes = bytes
  }
}
