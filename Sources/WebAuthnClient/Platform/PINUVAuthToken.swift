// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// A token that an authenticator issues after user verification.
struct PINUVAuthToken: Sendable {
  let version: PINUVAuthProtocol
  private let bytes: SecretBytes

  // 16 or 32 bytes for protocol one, 32 for protocol two [§6.5.6, §6.5.7]
  init(_ bytes: SecretBytes, _ version: PINUVAuthProtocol) throws(ClientError) {
    guard bytes.count == 32 || version == .one && bytes.count == 16 else {
      throw ClientError(.authenticatorAnswerInvalid, "a token of \(bytes.count) bytes")
    }
    self.bytes = bytes
    self.version = version
  }

  /// Returns the authentication tag that proves possession of the token.
  func authenticate(_ message: Bytes) -> Bytes {
    version.authenticate(message, key: bytes)[...]
  }
}
