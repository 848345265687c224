// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyCOSE
internal import PasskeyFormats

/// A public or private key in libcrypto. Immutable; libcrypto locks its internal caches, so threads may share it.
@safe final class KeyHandle: @unchecked Sendable {  // Immutable, and libcrypto locks its caches.
  private let pointer: OpaquePointer

  @safe init(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
  }

  deinit {
    unsafe EVP_PKEY_free(pointer)
  }

  @safe func withPointer<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(pointer)
  }

  /// Creates a raw public key.
  convenience init(_ type: RawKeyType, publicKey: Bytes) throws(PasskeyCryptoError) {
    let made = publicKey.withPointer { (start, count) in
      unsafe EVP_PKEY_new_raw_public_key_ex(nil, type.name, nil, start, count)
    }
    self.init(owning: try LibCrypto.require(made, .invalidKey, "\(type.name) public key"))
  }

  /// Creates an Ed25519 or Ed448 private key from its seed.
  convenience init(_ type: RawKeyType, privateKey: SecretBytes) throws(PasskeyCryptoError) {
    let made = unsafe privateKey.withBytes { (bytes) in
      bytes.withPointer { (start, count) in
        unsafe EVP_PKEY_new_raw_private_key_ex(nil, type.name, nil, start, count)
      }
    }
    self.init(owning: try LibCrypto.require(made, .invalidKey, "\(type.name) private key"))
  }

  /// Whether the key has this type, by libcrypto's name.
  func isA(_ name: String) -> Bool {
    unsafe EVP_PKEY_is_a(pointer, name) == 1
  }

  /// The name of the key's curve.
  var groupName: String? {
    var name = [CChar](repeating: 0, count: 80)
    guard unsafe EVP_PKEY_get_group_name(pointer, &name, name.count, nil) == 1 else {
      LibCrypto.clearErrors()
      return nil
    }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Returns a number of the key.
  func number(_ name: StaticString) throws(PasskeyCryptoError) -> BigNumber {
    var number: OpaquePointer?
    let status = unsafe EVP_PKEY_get_bn_param(pointer, name.characters, &number)
    try LibCrypto.require(status, .invalidKey, "no \(name)")
    return BigNumber(owning: LibCrypto.allocated(number))
  }

  /// Returns an octet string of the key.
  func octets(_ name: StaticString) throws(PasskeyCryptoError) -> [UInt8] {
    var count = 0
    try LibCrypto.require(
      unsafe EVP_PKEY_get_octet_string_param(pointer, name.characters, nil, 0, &count), .invalidKey, "no \(name)")
    return try [UInt8](count: count) { (start) throws(PasskeyCryptoError) in
      var written = 0
      try LibCrypto.require(
        unsafe EVP_PKEY_get_octet_string_param(pointer, name.characters, start, count, &written), .invalidKey)
    }
  }
  /// Returns an octet string of known length. Querying the length would make libcrypto create the octets twice.
  func octets(_ name: StaticString, count: Int) throws(PasskeyCryptoError) -> [UInt8] {
    var written = 0
    let octets = try [UInt8](count: count) { (start) throws(PasskeyCryptoError) in
      try LibCrypto.require(
        unsafe EVP_PKEY_get_octet_string_param(pointer, name.characters, start, count, &written), .invalidKey,
        "no \(name)")
    }
    guard written == count else { throw PasskeyCryptoError(.libraryFailure, "\(name) of \(written) bytes") }
    return octets
  }
}

extension StaticString {
  /// The name as a C string with static lifetime, because libcrypto's parameters keep the pointer.
  var characters: UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
