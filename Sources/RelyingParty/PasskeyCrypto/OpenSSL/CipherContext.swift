// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyFormats

/// The encryption or decryption of one message, without padding.
@safe final class CipherContext {
  private let pointer: OpaquePointer

  enum Direction: CInt {
    case decrypt = 0
    case encrypt = 1
  }

  init(
    _ cipher: Cipher, _ direction: Direction, key: SecretBytes, initialVector: Bytes
  ) throws(PasskeyCryptoError) {
    unsafe pointer = LibCrypto.allocated(EVP_CIPHER_CTX_new())
    let status = cipher.withPointer { (cipher) in
      key.withBytes { (key) in
        key.withPointer { (key, _) in
          initialVector.withPointer { (vector, _) in
            unsafe EVP_CipherInit_ex2(pointer, cipher, key, vector, direction.rawValue, nil)
          }
        }
      }
    }
    try LibCrypto.require(status)
    try LibCrypto.require(unsafe EVP_CIPHER_CTX_set_padding(pointer, 0))
  }

  deinit {
    unsafe EVP_CIPHER_CTX_free(pointer)
  }

  /// Adds authenticated data. Call it before `update(_:)`.
  func authenticate(_ context: Bytes) throws(PasskeyCryptoError) {
    _ = unsafe try run(context, into: nil)
  }

  /// Encrypts or decrypts the whole message; returns as many bytes.
  func update(_ input: Bytes) throws(PasskeyCryptoError) -> [UInt8] {
    var written = 0
    let output = try [UInt8](count: input.count) { (start) throws(PasskeyCryptoError) in
      written = unsafe try run(input, into: start)
    }
    guard written == input.count else {
      throw PasskeyCryptoError(.libraryFailure, "the cipher kept bytes back in its buffer")
    }
    return output
  }

  private func run(_ input: Bytes, into output: UnsafeMutablePointer<UInt8>?) throws(PasskeyCryptoError) -> Int {
    // libcrypto takes a call without output for authenticated data, so an empty message is not passed on.
    guard !input.isEmpty else { return 0 }
    guard let count = CInt(exactly: input.count) else {
      throw PasskeyCryptoError(.invalidLength, "a message of \(input.count) bytes")
    }
    var written: CInt = 0
    let status = input.withPointer { (start, _) in unsafe EVP_CipherUpdate(pointer, output, &written, start, count) }
    try LibCrypto.require(status)
    return Int(written)
  }

  /// Finishes the message. In GCM this verifies the tag.
  func finish(_ code: PasskeyCryptoError.Code) throws(PasskeyCryptoError) {
    var none: UInt8 = 0
    var written: CInt = 0
    try LibCrypto.require(unsafe EVP_CipherFinal_ex(pointer, &none, &written), code)
  }

  /// Returns the tag of an encrypted message.
  func tag(byteCount: Int) throws(PasskeyCryptoError) -> [UInt8] {
    try [UInt8](count: byteCount) { (start) throws(PasskeyCryptoError) in
      try LibCrypto.require(
        unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, CInt(clamping: byteCount), start))
    }
  }

  /// Sets the expected tag of a message to decrypt.
  func expect(tag: Bytes) throws(PasskeyCryptoError) {
    let status = tag.withPointer { (start, count) in
      // libcrypto copies the tag, although the parameter is not const.
      unsafe EVP_CIPHER_CTX_ctrl(
        pointer, EVP_CTRL_AEAD_SET_TAG, CInt(clamping: count), UnsafeMutablePointer(mutating: start))
    }
    try LibCrypto.require(status)
  }
}

/// A cipher of libcrypto, fetched once per process.
@safe struct Cipher: @unchecked Sendable {  // An EVP_CIPHER is read-only once fetched.
  private let pointer: OpaquePointer

  static let aes256GCM = Cipher("AES-256-GCM")
  static let aes256CBC = Cipher("AES-256-CBC")
  static let aes128CBC = Cipher("AES-128-CBC")

  private init(_ name: String) {
    LibCrypto.start()
    guard let pointer = unsafe EVP_CIPHER_fetch(nil, name, nil) else { fatalError("libcrypto has no \(name)") }
    unsafe self.pointer = pointer
  }

  @safe func withPointer<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(pointer)
  }
}
