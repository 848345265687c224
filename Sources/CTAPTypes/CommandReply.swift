// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnTypes
internal import WireFormats

/// A reply being parsed by a client: a canonical CBOR map whose keys are small numbers.
struct CommandReply {
  private let map: CBORMap

  init(parsing bytes: Bytes) throws(FormatError) {
    do throws(WireError) {
      map = try CBORValue(parsing: bytes, rules: .canonical).map
    } catch {
      throw FormatError(.commandReplyMalformed, error)
    }
  }

  private init(_ map: CBORMap) {
    self.map = map
  }

  func optional<Value>(
    _ key: CBORKey, _ read: (CBORValue) throws(WireError) -> Value
  ) throws(FormatError) -> Value? {
    guard let value = map[key] else { return nil }
    do throws(WireError) {
      return try read(value)
    } catch {
      throw FormatError(.commandReplyInvalidMember, error, member: Self.name(key))
    }
  }

  func require<Value>(
    _ key: CBORKey, _ read: (CBORKey) throws(FormatError) -> Value?
  ) throws(FormatError) -> Value {
    guard let value = try read(key) else {
      throw FormatError(.commandReplyMissingMember, at: map.offset, member: Self.name(key))
    }
    return value
  }

  private static func name(_ key: CBORKey) -> String {
    switch key {
    case .unsigned(let number): "\(number)"
    case .text(let text): text
    default: "\(key)"
    }
  }
}

// MARK: Typed members

extension CommandReply {
  func bytes(_ key: CBORKey) throws(FormatError) -> Bytes? {
    try optional(key) { (value) throws(WireError) in try value.bytes }
  }

  func text(_ key: CBORKey) throws(FormatError) -> String? {
    try optional(key) { (value) throws(WireError) in try value.text }
  }

  func bool(_ key: CBORKey) throws(FormatError) -> Bool? {
    try optional(key) { (value) throws(WireError) in try value.bool }
  }

  func unsigned(_ key: CBORKey) throws(FormatError) -> UInt64? {
    try optional(key) { (value) throws(WireError) in try value.unsigned }
  }

  func integer(_ key: CBORKey) throws(FormatError) -> Int64? {
    try optional(key) { (value) throws(WireError) in try value.integer }
  }

  func value(_ key: CBORKey) throws(FormatError) -> CBORValue? {
    map[key]
  }

  func map(_ key: CBORKey) throws(FormatError) -> CommandReply? {
    try optional(key) { (value) throws(WireError) in CommandReply(try value.map) }
  }

  func maps(_ key: CBORKey) throws(FormatError) -> [CommandReply]? {
    try list(key) { (value) throws(WireError) in CommandReply(try value.map) }
  }

  func texts(_ key: CBORKey) throws(FormatError) -> [String]? {
    try list(key) { (value) throws(WireError) in try value.text }
  }

  func numbers(_ key: CBORKey) throws(FormatError) -> [UInt64]? {
    try list(key) { (value) throws(WireError) in try value.unsigned }
  }

  /// Reads a map from text to values, converting each value with `read`.
  func dictionary<Value>(
    _ key: CBORKey, _ read: (CBORValue) throws(WireError) -> Value
  ) throws(FormatError) -> [String: Value]? {
    try optional(key) { (value) throws(WireError) in
      var dictionary: [String: Value] = [:]
      for (name, value) in try value.map { dictionary[try name.text] = try read(value) }
      return dictionary
    }
  }

  private func list<Value>(
    _ key: CBORKey, _ read: (CBORValue) throws(WireError) -> Value
  ) throws(FormatError) -> [Value]? {
    try optional(key) { (value) throws(WireError) in
      var list: [Value] = []
      for item in try value.array { list.append(try read(item)) }
      return list
    }
  }
}
