// SPDX-License-Identifier: Apache-2.0

internal import CPasskeyOpenSSL
internal import PasskeyFormats

/// The numbers and names of a key, in one block of memory that is wiped when released.
@safe struct KeyParameters: ~Copyable {
  @safe private struct Field {
    let name: StaticString
    let kind: Kind
    let start: UnsafeMutableRawPointer
    let count: Int

    var parameter: OSSL_PARAM {
      let name = unsafe name.characters
      return switch kind {
      case .text: unsafe OSSL_PARAM_construct_utf8_string(name, start.assumingMemoryBound(to: CChar.self), count)
      case .octets: unsafe OSSL_PARAM_construct_octet_string(name, start, count)
      case .number: unsafe OSSL_PARAM_construct_BN(name, start.assumingMemoryBound(to: UInt8.self), count)
      }
    }
  }

  private enum Kind {
    case text, octets, number
  }

  private var fields: [Field] = []
  private let block: UnsafeMutableRawBufferPointer
  private var used = 0

  /// Holds the parts of the longest key, an RSA private key of 8,192 bits.
  private static let capacity = 8192

  init() {
    unsafe block = .allocate(byteCount: Self.capacity, alignment: 16)
  }

  deinit {
    unsafe OPENSSL_cleanse(block.baseAddress, used)
    unsafe block.deallocate()
  }

  mutating func add(_ name: StaticString, text: StaticString) {
    let start = unsafe reserve(text.utf8CodeUnitCount + 1)
    unsafe start.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    // Some readers in libcrypto use the length, others the terminating zero.
    unsafe start.storeBytes(of: 0, toByteOffset: text.utf8CodeUnitCount, as: UInt8.self)
    unsafe fields.append(Field(name: name, kind: .text, start: start, count: text.utf8CodeUnitCount))
  }

  mutating func add(_ name: StaticString, octets: some ByteSource) {
    let octets = octets.slice
    let start = unsafe reserve(octets.count)
    octets.withPointer { (source, count) in unsafe start.copyMemory(from: source, byteCount: count) }
    unsafe fields.append(Field(name: name, kind: .octets, start: start, count: octets.count))
  }

  mutating func add(_ name: StaticString, number: BigNumber) {
    let count = max(number.byteCount, 1)
    let start = unsafe reserve(count)
    unsafe number.writeNative(to: start.assumingMemoryBound(to: UInt8.self), count: count)
    unsafe fields.append(Field(name: name, kind: .number, start: start, count: count))
  }

  /// Lends the list in libcrypto's representation.
  @safe func withPointer<Result>(_ body: (UnsafeMutablePointer<OSSL_PARAM>) -> Result) -> Result {
    var list = unsafe fields.map { (field) in unsafe field.parameter } + [OSSL_PARAM_construct_end()]
    return unsafe list.withUnsafeMutableBufferPointer { (buffer) in
      guard let start = buffer.baseAddress else { fatalError("the parameter list is empty") }
      return unsafe body(start)
    }
  }

  private mutating func reserve(_ count: Int) -> UnsafeMutableRawPointer {
    precondition(count <= Self.capacity - used, "the parts of the key exceed the buffer")
    guard let start = unsafe block.baseAddress?.advanced(by: used) else { fatalError("the buffer has no address") }
    used += count
    return unsafe start
  }
}
