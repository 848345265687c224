// SPDX-License-Identifier: Apache-2.0

internal import CTAPTypes
internal import SystemCrypto
internal import WebAuthnTypes

extension CTAPError {
  /// What `body` returns. That the system's cryptography fails is nobody's fault whom CTAP knows: the status is OTHER.
  static func wrapping<Value>(_ body: () throws(CryptoError) -> Value) throws(CTAPError) -> Value {
    do throws(CryptoError) {
      return try body()
    } catch {
      throw CTAPError(.other, "\(error)")
    }
  }
}
