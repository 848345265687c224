// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyZlib

/// The compression of responses (RFC 1952), implemented with zlib.
enum Gzip {
  /// Compresses `input`. Returns nil if memory runs out, or if the result is not smaller.
  static func compress(_ input: [UInt8]) -> [UInt8]? {
    guard let count = UInt32(exactly: input.count) else { return nil }
    var stream = unsafe z_stream()
    let began = unsafe deflateInit2_(
      &stream, Z_BEST_COMPRESSION, Z_DEFLATED, windowWithHeader, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard began == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    // zlib takes a mutable input pointer but does not write to it.
    var input = input
    var isComplete = false
    let output = unsafe [UInt8](unsafeUninitializedCapacity: input.count) { (output, outputCount) in
      unsafe input.withUnsafeMutableBufferPointer { (input) in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = count
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = count
        unsafe isComplete = deflate(&stream, Z_FINISH) == Z_STREAM_END
        unsafe outputCount = Int(count - stream.avail_out)
      }
    }
    return isComplete ? output : nil
  }

  /// The largest window; 16 more for a gzip header.
  private static let windowWithHeader = MAX_WBITS + 16
}
