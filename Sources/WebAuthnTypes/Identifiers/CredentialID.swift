// SPDX-License-Identifier: Apache-2.0

public import WireFormats

/// What an authenticator calls a credential (WebAuthn §4): 1 to 1023 bytes.
public struct CredentialID: OpaqueBytes {
  /// The bytes.
  public let bytes: Bytes

  /// The longest id there is [§7.1, step 25].
  public static let maximumByteCount = 1023

  /// Takes 1 to 1023 bytes.
  public init(_ bytes: Bytes) throws(FormatError) {
    guard 1...Self.maximumByteCount ~= bytes.count else {
      throw FormatError(.credentialIDInvalidLength, at: bytes.startIndex)
    }
    self.bytes = bytes
  }
}
