// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyZlib
internal import PasskeyFormats
internal import WebAuthnBrowser

/// Raw DEFLATE (RFC 1951), implemented with zlib.
struct Deflate: BlobCompression {
  /// Compresses `input`. Returns nil if the input is too large or memory runs out.
  func compress(_ input: [UInt8]) -> [UInt8]? {
    var stream = unsafe z_stream()
    let began = unsafe deflateInit2_(
      &stream, Z_BEST_COMPRESSION, Z_DEFLATED, Self.rawWindow, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard began == Z_OK else { return nil }
    defer { unsafe deflateEnd(&stream) }
    let bound = unsafe Int(deflateBound(&stream, UInt(input.count)))
    return unsafe Self.run(&stream, input[...], room: bound) { (stream) in unsafe deflate(stream, Z_FINISH) }
  }

  /// Decompresses `input`. Returns nil if it is not a DEFLATE stream of exactly `byteCount` bytes, or if data follows
  /// it.
  func decompress(_ input: Bytes, byteCount: Int) -> [UInt8]? {
    var stream = unsafe z_stream()
    let began = unsafe inflateInit2_(&stream, Self.rawWindow, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard began == Z_OK else { return nil }
    defer { unsafe inflateEnd(&stream) }
    // One extra byte of room: the buffer is never empty, and output that is too long is detected.
    let output = unsafe Self.run(&stream, input, room: byteCount + 1) { (stream) in unsafe inflate(stream, Z_FINISH) }
    return output?.count == byteCount ? output : nil
  }

  /// The largest window; negative for a stream without a header.
  private static let rawWindow = -MAX_WBITS

  /// Runs one step. Returns its output, or nil if it did not consume all input and complete the stream.
  private static func run(
    _ stream: inout z_stream, _ input: Bytes, room: Int, _ step: (UnsafeMutablePointer<z_stream>) -> Int32
  ) -> [UInt8]? {
    guard let inputCount = UInt32(exactly: input.count), let roomCount = UInt32(exactly: room) else { return nil }
    // zlib takes a mutable input pointer but does not write to it.
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
