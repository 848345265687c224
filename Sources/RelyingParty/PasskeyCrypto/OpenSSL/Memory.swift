// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyFormats

extension Bytes {
  /// Lends the bytes to C with a non-null pointer. libcrypto takes null for "not given", even if an empty value is
  /// meant, such as HMAC's empty key.
  @safe func withPointer<Result, Failure: Error>(
    _ body: (UnsafePointer<UInt8>, Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBufferPointer { (buffer) throws(Failure) in
      guard let start = buffer.baseAddress else {
        var nothing: UInt8 = 0
        return try unsafe withUnsafePointer(to: &nothing) { (start) throws(Failure) in try unsafe body(start, 0) }
      }
      return try unsafe body(start, buffer.count)
    }
  }
}

extension Bytes {
  /// Compares in constant time, apart from the lengths.
  func equalsInConstantTime(_ other: Bytes) -> Bool {
    guard count == other.count else { return false }
    return withPointer { (left, count) in
      other.withPointer { (right, _) in unsafe CRYPTO_memcmp(left, right, count) == 0 }
    }
  }
}

extension Bytes {
  /// Overwrites the bytes in place. The slice must be the only reference to its array.
  package mutating func wipe() {
    unsafe withUnsafeMutableBytes { (buffer) in unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count) }
  }
}

extension [UInt8] {
  /// Creates an array of `count` bytes, all written by `fill`.
  @safe init<Failure: Error>(
    count: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    self.init(repeating: 0, count: count)
    try unsafe withUnsafeMutableBufferPointer { (buffer) throws(Failure) in
      if let start = buffer.baseAddress { try unsafe fill(start) }
    }
  }

  /// Overwrites the bytes in place; the compiler cannot remove the call. The array must be the only reference to its
  /// storage.
  package mutating func wipe() {
    unsafe withUnsafeMutableBytes { (buffer) in unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count) }
  }

  /// Overwrites the bytes in a range in place. The array must be the only reference to its storage.
  package mutating func wipe(_ range: Range<Int>) {
    unsafe withUnsafeMutableBytes { (buffer) in
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[range])
      unsafe OPENSSL_cleanse(part.baseAddress, part.count)
    }
  }
}
