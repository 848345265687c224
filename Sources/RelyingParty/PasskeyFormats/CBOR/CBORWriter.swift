// SPDX-License-Identifier: Apache-2.0

/// Writes CBOR in CTAP2 canonical form: definite lengths, shortest heads, sorted map keys.
///
/// It also writes tags, which CTAP2 forbids, if the tree has them.
@usableFromInline package struct CBORWriter: Sendable {
  /// The bytes written so far.
  @usableFromInline package private(set) var bytes: [UInt8] = []

  /// Creates an empty writer.
  @usableFromInline package init() {}

  /// Creates an empty writer with room for `capacity` bytes.
  package init(capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  /// Returns the canonical encoding of one item.
  package static func bytes(of tree: CBORTree) -> [UInt8] {
    var writer = CBORWriter()
    writer.write(tree)
    return writer.bytes
  }

  /// Writes one item with its nested items.
  @usableFromInline package mutating func write(_ tree: CBORTree) {
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

  // MARK: Writing without a tree. Faster than building one.

  /// Writes a map of the pairs that `body` writes, and counts them.
  @inlinable
  package mutating func writeMap<Key: CBORMapKey>(
    keyedBy _: Key.Type, _ body: (inout CBORMapWriter<Key>) -> Void
  ) {
    let head = bytes.count
    var pairs = CBORMapWriter<Key>()
    swap(&pairs.writer, &self)
    pairs.writer.writeShortMapHead()
    body(&pairs)
    swap(&pairs.writer, &self)
    setMapHead(at: head, pairCount: pairs.count)
  }

  /// Writes the head of a map of fewer than 24 pairs, which is one byte.
  @usableFromInline
  mutating func writeShortMapHead() {
    bytes.append(CBORHead.MajorType.map.rawValue << 5)
  }

  /// Corrects the head of the map that began at `head`.
  @usableFromInline
  mutating func setMapHead(at head: Int, pairCount: Int) {
    guard pairCount >= 24 else {
      bytes[head] |= UInt8(pairCount)
      return
    }
    var writer = CBORWriter()
    writer.writeHead(.map, UInt64(pairCount))
    bytes.replaceSubrange(head...head, with: writer.bytes)
  }

  /// Writes an array of the items that `body` writes, one for each element.
  @inlinable
  package mutating func writeArray<Elements: Collection>(
    _ elements: Elements, _ body: (inout CBORWriter, Elements.Element) -> Void
  ) {
    writeArrayHead(elements.count)
    for element in elements { body(&self, element) }
  }

  @usableFromInline
  mutating func writeArrayHead(_ count: Int) {
    writeHead(.array, UInt64(count))
  }

  /// Writes an item that is encoded already.
  package mutating func write(encoded item: some ByteSource) {
    bytes.append(contentsOf: item.slice)
  }

  /// Writes an integer.
  @usableFromInline
  package mutating func write(integer number: Int64) {
    if number >= 0 { writeHead(.unsigned, UInt64(number)) } else { writeHead(.negative, UInt64(-1 - number)) }
  }

  /// Writes a byte string.
  @usableFromInline
  package mutating func write(bytes content: some Collection<UInt8>) {
    writeString(.bytes, content)
  }

  /// Writes a text string.
  @usableFromInline
  package mutating func write(text: String) {
    writeString(.text, text.utf8)
  }

  /// Writes a Boolean.
  @usableFromInline
  package mutating func write(bool value: Bool) {
    writeHead(.simple, UInt64((value ? CBORSimple.true : .false).rawValue))
  }

  /// Writes a map key.
  @usableFromInline
  mutating func writeKey(_ key: CBORKey) {
    switch key {
    case .unsigned(let number): writeHead(.unsigned, number)
    case .negative(let number): writeHead(.negative, number)
    case .bytes(let content): writeString(.bytes, content)
    case .text(let text): writeString(.text, text.utf8)
    case .simple(let value): writeHead(.simple, UInt64(value.rawValue))
    }
  }

  private mutating func writeMap(_ pairs: [CBORKey: CBORTree]) {
    writeHead(.map, UInt64(pairs.count))
    let encoded = pairs.map { (pair) in
      var writer = CBORWriter()
      writer.writeKey(pair.key)
      return (key: writer.bytes, value: pair.value)
    }
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
