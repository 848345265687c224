// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats
internal import PasskeyStorage

extension SQLStatement {
  /// Calls `body` with the parameters in binary form: their count, pointers, lengths and formats.
  @safe func withPostgreSQLParameters<Result>(
    _ body: (
      Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    // All parameters share one contiguous buffer.
    var bytes: [UInt8] = []
    var offsets: [Int?] = []
    var lengths: [Int32] = []
    for value in values {
      let start = bytes.count
      if case .null = value { offsets.append(nil) } else { offsets.append(start) }
      switch value {
      case .null: break
      case .integer(let integer):
        bytes += (0..<8).map { (place) in UInt8(truncatingIfNeeded: integer >> (56 - 8 * place)) }
      case .text(let text): bytes += text.utf8
      case .bytes(let value): bytes += value
      }
      lengths.append(Int32(clamping: bytes.count - start))
    }
    let formats = [Int32](repeating: 1, count: values.count)
    // The extra byte gives an empty last value an address. A null pointer would mean NULL.
    bytes.append(0)
    return unsafe bytes.withUnsafeBytes { (bytes) in
      let starts = unsafe offsets.map { (offset) -> UnsafePointer<CChar>? in
        guard let offset, let base = bytes.baseAddress else { return nil }
        return unsafe (base + offset).assumingMemoryBound(to: CChar.self)
      }
      return unsafe starts.withUnsafeBufferPointer { (starts) in
        unsafe lengths.withUnsafeBufferPointer { (lengths) in
          unsafe formats.withUnsafeBufferPointer { (formats) in
            unsafe body(Int32(clamping: values.count), starts.baseAddress, lengths.baseAddress, formats.baseAddress)
          }
        }
      }
    }
  }
}
