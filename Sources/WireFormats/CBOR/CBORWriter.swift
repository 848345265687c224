// SPDX-License-Identifier: Apache-2.0

/// Writes CBOR in CTAP2 canonical form: definite lengths, shortest heads, sorted map keys.
///
/// It also writes tags, which CTAP2 forbids, if the tree has them.
public struct CBORWriter: Sendable {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []

  /// Creates an empty writer.
  public init() {}

  /// Creates an empty writer with room for `capacity` bytes.
  package init(capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  /// Returns the canonical encoding of one item.
  public static func bytes(of tree: CBORTree) -> [UInt8] {
    var writer = CBORWriter()
    writer.write(tree)
    return writer.bytes
  }

  /// Writes one item with its nested items.
  public mutating func write(_ tree: CBORTree) {
    switch tree {
    case .unsigned(let number): writeHead(.unsigned, number)
    case .negative(let number): writeHead(.negative, number)
    case .bytes(let content): writeString(.bytes, content)
    case .text(let text): writeString(.text, text.utf8)
    case .array(let items):
      writeHead(.array, UInt64(items.count))
      for item in items { write(item) }
    case .map(let pairs): writeMap(pairs)
    case .tagged(let number, let content):
      writeHead(.tag, number)
      write(content)
    case .simple(let value): writeHead(.simple, UInt64(value.rawValue))
    case .float(let number): writeFloat(number)
    }
  }

  // MARK: Piecewise writing without a tree. The caller must write the announced number of items and sort map keys.

  /// Writes the head of a map with `count` pairs.
  package mutating func beginMap(_ count: Int) {
    writeHead(.map, UInt64(count))
  }

  /// Writes the head of an array with `count` items.
  package mutating func beginArray(_ count: Int) {
    writeHead(.array, UInt64(count))
  }

  /// Writes an integer.
  package mutating func write(integer number: Int64) {
    if number >= 0 { writeHead(.unsigned, UInt64(number)) } else { writeHead(.negative, UInt64(-1 - number)) }
  }

  /// Writes a byte string.
  package mutating func write(bytes content: some Collection<UInt8>) {
    writeString(.bytes, content)
  }

  /// Writes a text string.
  package mutating func write(text: String) {
    writeString(.text, text.utf8)
  }

  /// Writes a Boolean.
  package mutating func write(bool value: Bool) {
    writeHead(.simple, UInt64((value ? CBORSimple.true : .false).rawValue))
  }

  private mutating func writeMap(_ pairs: [CBORKey: CBORTree]) {
    writeHead(.map, UInt64(pairs.count))
    let encoded = pairs.map { (key: Self.bytes(of: CBORTree($0.key)), value: $0.value) }
    for (key, value) in encoded.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      bytes += key
      write(value)
    }
  }

  private mutating func writeString(_ type: CBORHead.MajorType, _ content: some Collection<UInt8>) {
    writeHead(type, UInt64(content.count))
    bytes.append(contentsOf: content)
  }

  private mutating func writeFloat(_ number: CBORFloat) {
    switch number.width {
    case .half: writeHead(.simple, information: CBORHead.twoBytes, number.bitPattern, byteCount: 2)
    case .single: writeHead(.simple, information: CBORHead.fourBytes, number.bitPattern, byteCount: 4)
    case .double: writeHead(.simple, information: CBORHead.eightBytes, number.bitPattern, byteCount: 8)
    }
  }

  private mutating func writeHead(_ type: CBORHead.MajorType, _ argument: UInt64) {
    switch argument {
    case 0..<24: bytes.append(type.rawValue << 5 | UInt8(argument))
    case 24...0xff: writeHead(type, information: CBORHead.oneByte, argument, byteCount: 1)
    case 0x100...0xffff: writeHead(type, information: CBORHead.twoBytes, argument, byteCount: 2)
    case 0x1_0000...0xffff_ffff: writeHead(type, information: CBORHead.fourBytes, argument, byteCount: 4)
    default: writeHead(type, information: CBORHead.eightBytes, argument, byteCount: 8)
    }
  }

  private mutating func writeHead(
    _ type: CBORHead.MajorType, information: UInt8, _ argument: UInt64, byteCount: Int
  ) {
    bytes.append(type.rawValue << 5 | information)
    for shift in stride(from: byteCount * 8 - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: argument >> UInt64(shift)))
    }
  }
}

extension CBORTree {
  fileprivate init(_ key: CBORKey) {
    switch key {
    case .unsigned(let number): self = .unsigned(number)
    case .negative(let number): self = .negative(number)
    case .bytes(let bytes): self = .bytes(bytes)
    case .text(let text): self = .text(text)
    case .simple(let number): self = .simple(number)
    }
  }
}
