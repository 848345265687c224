// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct DERPropertyTests {
  /// An element with its nested elements.
  private indirect enum Tree: Equatable {
    case value(DERTag, [UInt8])
    case elements(DERTag, [Tree])

    init(reading reader: inout DERReader) throws(WireError) {
      let element = try reader.readElement()
      guard element.tag.isConstructed else {
        self = .value(element.tag, Array(element.content))
        return
      }
      self = .elements(
        element.tag,
        try element.readContent { (inside) throws(WireError) in
          var trees: [Tree] = []
          while !inside.isAtEnd { trees.append(try Tree(reading: &inside)) }
          return trees
        })
    }

    init(random generator: inout SeededGenerator, depth: Int = 0) {
      let number = [UInt32(Int.random(in: 0..<31, using: &generator)), 31, 702, .max].randomElement(using: &generator)
      let tagClass = DERTag.Class(rawValue: UInt8.random(in: 0..<4, using: &generator))
      let isConstructed = depth < 5 && Bool.random(using: &generator)
      let tag = DERTag(tagClass ?? .universal, number ?? 0, isConstructed: isConstructed)
      if isConstructed {
        self = .elements(
          tag, (0..<Int.random(in: 0..<6, using: &generator)).map { _ in Tree(random: &generator, depth: depth + 1) })
      } else {
        self = .value(tag, generator.bytes([0, 1, 5, 127, 128, 300].randomElement(using: &generator) ?? 0))
      }
    }

    func write(to writer: inout DERWriter) {
      switch self {
      case .value(let tag, let content): writer.write(tag, content: content)
      case .elements(let tag, let trees): writer.write(tag) { for tree in trees { tree.write(to: &$0) } }
      }
    }

    var encoded: [UInt8] {
      var writer = DERWriter()
      write(to: &writer)
      return writer.bytes
    }
  }

  private func parse(_ bytes: [UInt8]) throws(WireError) -> Tree {
    try DERReader.parse(bytes) { (reader) throws(WireError) in try Tree(reading: &reader) }
  }

  @Test func `a written tree is read back unchanged`() throws {
    try PropertyRuns.check(default: 500) { generator in
      let tree = Tree(random: &generator)
      try #require(try parse(tree.encoded) == tree)
    }
  }

  @Test func `parsed DER is written back unchanged, and no input traps`() throws {
    var parsed = 0
    try PropertyRuns.check { generator in
      let bytes = Mutation.mutated(Tree(random: &generator, depth: 3).encoded, using: &generator)
      do {
        let tree = try parse(bytes)
        parsed += 1
        try #require(tree.encoded == bytes)
      } catch let error as WireError {
        try #require(0...bytes.count ~= error.offset && error.code.rawValue.hasPrefix("der."))
      }
    }
    #expect(parsed > 500)
  }

  @Test func `random bytes do not trap any reader`() throws {
    let tags: [UInt8] = [0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x30, 0x31]
    try PropertyRuns.check { generator in
      let content = generator.bytes(Int.random(in: 0..<20, using: &generator))
      let bytes = [tags.randomElement(using: &generator) ?? 0, UInt8(content.count)] + content
      let fresh = DERReader(bytes)
      var reader = fresh
      _ = try? reader.readBoolean()
      if let octets = try? reader.readInteger() {
        var writer = DERWriter()
        writer.writeInteger(twosComplement: octets)
        try #require(writer.bytes == bytes)
      }
      reader = fresh
      if let number = try? reader.readInt64() {
        var writer = DERWriter()
        writer.writeInteger(number)
        try #require(writer.bytes == bytes)
      }
      reader = fresh
      if let number = try? reader.readUInt64(), let sameNumber = Int64(exactly: number) {
        var writer = DERWriter()
        writer.writeInteger(sameNumber)
        try #require(writer.bytes == bytes)
      }
      reader = fresh
      if let identifier = try? reader.readObjectIdentifier() {
        try #require(DERObjectIdentifier(dotted: identifier.description) == identifier)
      }
      reader = fresh
      if let bits = try? reader.readBitString() {
        try #require(bits.count >= 0)
      }
      reader = fresh
      if let moment = try? reader.readTime() {
        try #require(moment.rfc3339 != nil)
      }
      _ = try? reader.readNull()
      _ = try? reader.readEnumerated()
      _ = try? reader.readUTF8String()
      _ = try? reader.readPrintableString()
      _ = try? reader.readIA5String()
      _ = try? ECDSASignature(der: bytes)
      _ = try? SubjectPublicKeyInfo(der: bytes)
    }
  }
}
