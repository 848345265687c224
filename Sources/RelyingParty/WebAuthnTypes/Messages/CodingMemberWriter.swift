// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A writer of the members of an object to an `Encoder`.
struct CodingMemberWriter: MemberWriter {
  private var container: KeyedEncodingContainer<MemberName>

  init(_ encoder: any Encoder) {
    container = encoder.container(keyedBy: MemberName.self)
  }

  private init(container: KeyedEncodingContainer<MemberName>) {
    self.container = container
  }

  mutating func write(_ name: String, text: String) throws {
    try container.encode(text, forKey: MemberName(name))
  }

  mutating func write(_ name: String, texts: [String]) throws {
    try container.encode(texts, forKey: MemberName(name))
  }

  mutating func write(_ name: String, bytes: some Collection<UInt8>) throws {
    try container.encode(Base64URL.encode(bytes), forKey: MemberName(name))
  }

  mutating func write(_ name: String, integer: Int64) throws {
    try container.encode(integer, forKey: MemberName(name))
  }

  mutating func write(_ name: String, bool: Bool) throws {
    try container.encode(bool, forKey: MemberName(name))
  }

  mutating func write(_ name: String, extensions: ClientExtensions) throws {
    try container.encode(extensions, forKey: MemberName(name))
  }

  mutating func writeObject(_ name: String, _ body: (inout Self) throws -> Void) throws {
    var inside = Self(container: container.nestedContainer(keyedBy: MemberName.self, forKey: MemberName(name)))
    try body(&inside)
  }

  mutating func writeObjects(_ name: String, count: Int, _ body: (Int, inout Self) throws -> Void) throws {
    var array = container.nestedUnkeyedContainer(forKey: MemberName(name))
    for index in 0..<count {
      var inside = Self(container: array.nestedContainer(keyedBy: MemberName.self))
      try body(index, &inside)
    }
  }
}
