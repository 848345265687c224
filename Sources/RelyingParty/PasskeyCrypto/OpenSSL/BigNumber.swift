// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyFormats

/// A non-negative integer of any size, treated as a secret and wiped when released.
@safe final class BigNumber {
  private let pointer: OpaquePointer

  @safe init(owning pointer: OpaquePointer) {
    unsafe self.pointer = pointer
    unsafe BN_set_flags(pointer, BN_FLG_CONSTTIME)
  }

  convenience init() {
    unsafe self.init(owning: LibCrypto.allocated(BN_new()))
  }

  /// Creates a number from big-endian bytes.
  convenience init(_ bytes: some ByteSource) {
    let bytes = bytes.slice
    let number = bytes.withPointer { (start, count) in unsafe BN_bin2bn(start, CInt(clamping: count), nil) }
    self.init(owning: LibCrypto.allocated(number))
  }

  /// Creates a number from big-endian bytes.
  convenience init(_ bytes: SecretBytes) {
    let number = unsafe bytes.withBytes { (bytes) in
      bytes.withPointer { (start, count) in unsafe BN_bin2bn(start, CInt(clamping: count), nil) }
    }
    self.init(owning: LibCrypto.allocated(number))
  }

  deinit {
    unsafe BN_clear_free(pointer)
  }

  var bitCount: Int { Int(unsafe BN_num_bits(pointer)) }
  var byteCount: Int { (bitCount + 7) / 8 }
  var isZero: Bool { unsafe BN_is_zero(pointer) == 1 }

  /// The number in the fewest bytes, big-endian.
  var bytes: [UInt8] {
    [UInt8](count: byteCount) { (start) in _ = unsafe BN_bn2bin(pointer, start) }
  }

  /// Returns the number in `count` bytes, big-endian, or throws if it does not fit.
  func bytes(count: Int) throws(PasskeyCryptoError) -> [UInt8] {
    try [UInt8](count: count) { (start) throws(PasskeyCryptoError) in try write(to: start, count: count) }
  }

  /// Returns the number in `count` bytes, big-endian, or throws if it does not fit.
  func secretBytes(count: Int) throws(PasskeyCryptoError) -> SecretBytes {
    try SecretBytes(count: count) { (start) throws(PasskeyCryptoError) in try write(to: start, count: count) }
  }

  @safe private func write(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(PasskeyCryptoError) {
    let written = unsafe BN_bn2binpad(pointer, start, CInt(clamping: count))
    try LibCrypto.require(written == count ? 1 : 0)
  }

  /// Writes the number in native byte order.
  @safe func writeNative(to start: UnsafeMutablePointer<UInt8>, count: Int) {
    let written = unsafe BN_bn2nativepad(pointer, start, CInt(clamping: count))
    precondition(written == count, "the number does not fit the buffer")
  }

  @safe func withPointer<Result, Failure: Error>(
    _ body: (OpaquePointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    return try unsafe body(pointer)
  }

  // MARK: Arithmetic

  func isLess(than other: BigNumber) -> Bool {
    unsafe BN_cmp(pointer, other.pointer) < 0
  }

  func plus(_ word: UInt) throws(PasskeyCryptoError) -> BigNumber {
    let sum = try copy()
    try LibCrypto.require(unsafe BN_add_word(sum.pointer, word))
    return sum
  }

  func minus(_ word: UInt) throws(PasskeyCryptoError) -> BigNumber {
    let difference = try copy()
    try LibCrypto.require(unsafe BN_sub_word(difference.pointer, word))
    return difference
  }

  func minus(_ other: BigNumber) throws(PasskeyCryptoError) -> BigNumber {
    try make { (result, _) in unsafe BN_sub(result, pointer, other.pointer) }
  }

  func shiftedRight(_ bitCount: Int) throws(PasskeyCryptoError) -> BigNumber {
    try make { (result, _) in unsafe BN_rshift(result, pointer, CInt(clamping: bitCount)) }
  }

  func times(_ other: BigNumber) throws(PasskeyCryptoError) -> BigNumber {
    try make { (result, scratch) in unsafe BN_mul(result, pointer, other.pointer, scratch) }
  }

  func divided(by other: BigNumber) throws(PasskeyCryptoError) -> BigNumber {
    try make { (result, scratch) in unsafe BN_div(result, nil, pointer, other.pointer, scratch) }
  }

  func remainder(modulo modulus: BigNumber) throws(PasskeyCryptoError) -> BigNumber {
    try make { (result, scratch) in unsafe BN_nnmod(result, pointer, modulus.pointer, scratch) }
  }

  func plus(_ other: BigNumber, modulo modulus: BigNumber) throws(PasskeyCryptoError) -> BigNumber {
    try make { (result, scratch) in unsafe BN_mod_add(result, pointer, other.pointer, modulus.pointer, scratch) }
  }

  func times(_ other: BigNumber, modulo modulus: BigNumber) throws(PasskeyCryptoError) -> BigNumber {
    try make { (result, scratch) in unsafe BN_mod_mul(result, pointer, other.pointer, modulus.pointer, scratch) }
  }

  func inverse(modulo modulus: BigNumber) throws(PasskeyCryptoError) -> BigNumber {
    try make(.invalidKey) { (result, scratch) in
      unsafe BN_mod_inverse(result, pointer, modulus.pointer, scratch) == nil ? 0 : 1
    }
  }

  /// Computes the inverse by Fermat's theorem, in constant time.
  func inverse(moduloPrime prime: BigNumber) throws(PasskeyCryptoError) -> BigNumber {
    let exponent = try prime.minus(2)
    return try make { (result, scratch) in
      unsafe BN_mod_exp_mont_consttime(result, pointer, exponent.pointer, prime.pointer, scratch, nil)
    }
  }

  func greatestCommonDivisor(with other: BigNumber) throws(PasskeyCryptoError) -> BigNumber {
    try make { (result, scratch) in unsafe BN_gcd(result, pointer, other.pointer, scratch) }
  }

  func isPrime() throws(PasskeyCryptoError) -> Bool {
    let status = unsafe BN_check_prime(pointer, nil, nil)
    if status < 0 { try LibCrypto.require(status) }
    return status == 1
  }

  private func copy() throws(PasskeyCryptoError) -> BigNumber {
    unsafe BigNumber(owning: LibCrypto.allocated(BN_dup(pointer)))
  }

  @safe private func make(
    _ code: PasskeyCryptoError.Code = .libraryFailure, _ compute: (OpaquePointer, OpaquePointer) -> CInt
  ) throws(PasskeyCryptoError) -> BigNumber {
    let scratch = unsafe LibCrypto.allocated(BN_CTX_secure_new())
    defer { unsafe BN_CTX_free(scratch) }
    let result = BigNumber()
    try LibCrypto.require(unsafe compute(result.pointer, scratch), code)
    return result
  }
}
