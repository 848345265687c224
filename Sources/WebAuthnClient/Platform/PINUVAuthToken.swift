// SPDX-License-Identifier: Apache-2.0

internal import SystemCrypto
internal import WireFormats

/// A token that an authenticator issued for what a user allowed.
struct PINUVAuthToken: Sendable {
  let version: PINUVAuthProtocol
  private let bytes: SecretBytes

  // 16 or 32 bytes by the first protocol, 32 by the second [§6.5.6, §6.5.7]
  init(_ bytes: SecretBytes, _ version: PINUVAuthProtocol) throws(ClientError) {
    guard bytes.count == 32 || version == .one && bytes.count == 16 else {
      throw ClientError(.authenticatorAnswerInvalid, "a token of \(bytes.count) bytes")
    }
    self.bytes = bytes
    self.version = version
  }

  /// What shows an authenticator that the platform has the token.
  func authenticate(_ message: Bytes) -> Bytes {
    version.authenticate(message, key: bytes)[...]
  }
}
