// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import WireFormats

extension Bytes {
  /// Lends the bytes to C, with a pointer that is never null: libcrypto takes null for "not given", also where nothing
  /// is a value, such as HMAC's empty key.
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
  /// Compares in a time that depends on the lengths alone.
  func equalsInConstantTime(_ other: Bytes) -> Bool {
    guard count == other.count else { return false }
    return withPointer { (left, count) in
      other.withPointer { (right, _) in unsafe CRYPTO_memcmp(left, right, count) == 0 }
    }
  }
}

extension Bytes {
  /// Overwrites the bytes where they lie. For a slice of an array that nobody else refers to.
  package mutating func wipe() {
    unsafe withUnsafeMutableBytes { (buffer) in unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count) }
  }
}

extension [UInt8] {
  /// `count` bytes that `fill` writes, all of them.
  @safe init<Failure: Error>(
    count: Int, filledBy fill: (UnsafeMutablePointer<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    self.init(repeating: 0, count: count)
    try unsafe withUnsafeMutableBufferPointer { (buffer) throws(Failure) in
      if let start = buffer.baseAddress { try unsafe fill(start) }
    }
  }

  /// Overwrites the bytes where they lie, in a way that no compiler leaves out. For an array that shares them with no
  /// other.
  package mutating func wipe() {
    unsafe withUnsafeMutableBytes { (buffer) in unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count) }
  }
}
