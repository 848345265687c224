// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes

extension CTAPError {
  /// Returns the result of `body`. Maps a cryptography error to `OTHER`, because the client did not cause it.
  static func wrapping<Value>(_ body: () throws(CryptoError) -> Value) throws(CTAPError) -> Value {
    do throws(CryptoError) {
      return try body()
    } catch {
      throw CTAPError(.other, "\(error)")
    }
  }
}
