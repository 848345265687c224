// SPDX-License-Identifier: Apache-2.0

internal import CZlib
internal import WireFormats

/// DEFLATE (RFC 1951) with nothing around it, in which platforms store large blobs (CTAP 2.3 §6.10.3). zlib does it.
enum Deflate {
  /// What ``decompress(_:byteCount:)`` makes `input` of again; nil where there is too much of it, or too little memory.
  static func compress(_ input: [UInt8]) -> [UInt8]? {
    var stream = unsafe z_stream()
    let began = unsafe deflateInit2_(
      &stream, Z_BEST_COMPRESSION, Z_DEFLATED, rawWindow, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard began == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    let bound = unsafe Int(deflateBound(&stream, UInt(input.count)))
    return unsafe run(&stream, input[...], room: bound) { (stream) in unsafe deflate(stream, Z_FINISH) }
  }

  /// What `input` was made of; nil where it is no DEFLATE of exactly so many bytes, or something stands behind it.
  static func decompress(_ input: Bytes, byteCount: Int) -> [UInt8]? {
    var stream = unsafe z_stream()
    let began = unsafe inflateInit2_(&stream, rawWindow, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard began == Z_OK else { return nil }
    defer { unsafe inflateEnd(&stream) }
    // One byte of room more than is asked for: there is always some, and what is longer is found out.
    let output = unsafe run(&stream, input, room: byteCount + 1) { (stream) in unsafe inflate(stream, Z_FINISH) }
    return output?.count == byteCount ? output : nil
  }

  /// The largest window; below zero for a stream without a header.
  private static let rawWindow = -MAX_WBITS

  /// One call that reads all of the input and writes all of the output, or nil.
  private static func run(
    _ stream: inout z_stream, _ input: Bytes, room: Int, _ step: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> [UInt8]? {
    guard let inputCount = UInt32(exactly: input.count), let roomCount = UInt32(exactly: room) else { return nil }
    // zlib takes input for something that it may write to, and does not.
    var input = [UInt8](input)
    var isComplete = false
    let output = unsafe [UInt8](unsafeUninitializedCapacity: room) { (output, outputCount) in
      unsafe input.withUnsafeMutableBufferPointer { (input) in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = inputCount
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = roomCount
        let result = unsafe step(&stream)
        unsafe isComplete = result == Z_STREAM_END && stream.avail_in == 0
        unsafe outputCount = room - Int(stream.avail_out)
      }
    }
    return isComplete ? output : nil
  }
}
