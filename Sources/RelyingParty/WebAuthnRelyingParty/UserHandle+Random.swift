// SPDX-License-Identifier: Apache-2.0

public import PasskeyCrypto
public import WebAuthnTypes

extension UserHandle {
  /// Makes the handle of a new account: 16 random bytes, because a handle must not identify a person (WebAuthn §14.6.1).
  ///
  /// - Returns: The handle, to be stored with the account.
  /// - Throws: `crypto.randomness-unavailable`.
  public static func random(_ source: RandomSource = .system) throws -> UserHandle {
    try UserHandle(source.bytes(16))
  }
}
