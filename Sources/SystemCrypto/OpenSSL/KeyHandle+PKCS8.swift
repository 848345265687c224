// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import WireFormats

extension KeyHandle {
  /// The private key of an unencrypted PKCS#8 `PrivateKeyInfo`, and nothing behind it.
  convenience init(pkcs8: SecretBytes) throws(CryptoError) {
    let info = try PrivateKeyInfo(pkcs8)
    unsafe self.init(owning: try LibCrypto.require(info.makeKey(), .malformedKey, "PKCS#8"))
  }

  var pkcs8: SecretBytes {
    get throws(CryptoError) {
      let made = withPointer { (key) in unsafe EVP_PKEY2PKCS8(key) }
      return try PrivateKeyInfo(owning: LibCrypto.require(made)).encoded()
    }
  }
}

/// libcrypto's parsed form of PKCS#8. It wipes the private key in it when it is freed.
@safe private final class PrivateKeyInfo {
  private let pointer: OpaquePointer

  @safe init(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  init(_ encoded: SecretBytes) throws(CryptoError) {
    let (made, consumed) = unsafe encoded.withBytes { (bytes) in
      bytes.withPointer { (start, count) in
        var position: UnsafePointer<UInt8>? = unsafe start
        let made = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &position, count)
        return unsafe (made, position == start + count)
      }
    }
    unsafe pointer = try LibCrypto.require(made, .malformedKey, "PKCS#8")
    guard consumed else { throw CryptoError(.malformedKey, "bytes behind the end of the PKCS#8 key") }
  }

  deinit {
    unsafe PKCS8_PRIV_KEY_INFO_free(pointer)
  }

  func makeKey() -> OpaquePointer? {
    unsafe EVP_PKCS82PKEY(pointer)
  }

  func encoded() throws(CryptoError) -> SecretBytes {
    let count = Int(unsafe i2d_PKCS8_PRIV_KEY_INFO(pointer, nil))
    guard count > 0 else { throw CryptoError(.libraryFailure, "PKCS#8") }
    return SecretBytes(count: count) { (start) in
      var position: UnsafeMutablePointer<UInt8>? = unsafe start
      _ = unsafe i2d_PKCS8_PRIV_KEY_INFO(pointer, &position)
    }
  }
}
