// SPDX-License-Identifier: Apache-2.0

/// A reader of the members of one object by key: of a JSON object or of a CBOR map.
///
/// A conforming type says how it looks up a member, and which errors an absent and an invalid member cause. The typed
/// accessors are the same for every source and every error type.
@usableFromInline
package protocol MemberReader {
  /// The type of the keys.
  associatedtype Key
  /// The type of the values.
  associatedtype Value: MemberValue
  /// The error type of the reader's module.
  associatedtype Failure: Error

  /// Returns the value of a member, or nil if it is absent.
  func lookUp(_ key: Key) throws(Value.Failure) -> Value?

  /// Returns the bytes of a value.
  func bytes(of value: Value) throws(Value.Failure) -> Bytes

  /// Returns the error for a required member that is absent.
  func missing(_ key: Key) -> Failure

  /// Returns the error for a member whose value is invalid.
  func invalid(_ key: Key, _ cause: Value.Failure) -> Failure
}

extension MemberReader {
  @inlinable
  package func bytes(of value: Value) throws(Value.Failure) -> Bytes { try value.bytes }

  /// Reads a member with `read`, or returns nil if it is absent.
  @inlinable
  package func optional<Content>(
    _ key: Key, _ read: (Value) throws(Value.Failure) -> Content
  ) throws(Failure) -> Content? {
    do throws(Value.Failure) {
      guard let value = try lookUp(key) else { return nil }
      return try read(value)
    } catch {
      throw invalid(key, error)
    }
  }

  /// Reads a required member with `read`.
  @inlinable
  package func require<Content>(
    _ key: Key, _ read: (Value) throws(Value.Failure) -> Content
  ) throws(Failure) -> Content {
    guard let content = try optional(key, read) else { throw missing(key) }
    return content
  }
}

// MARK: Typed members

extension MemberReader {
  @inlinable
  package func textIfPresent(_ key: Key) throws(Failure) -> String? {
    try optional(key) { (value) throws(Value.Failure) in try value.text }
  }

  @inlinable
  package func text(_ key: Key) throws(Failure) -> String {
    try require(key) { (value) throws(Value.Failure) in try value.text }
  }

  @inlinable
  package func utf8IfPresent(_ key: Key) throws(Failure) -> Bytes? {
    try optional(key) { (value) throws(Value.Failure) in try value.utf8 }
  }

  @inlinable
  package func utf8(_ key: Key) throws(Failure) -> Bytes {
    try require(key) { (value) throws(Value.Failure) in try value.utf8 }
  }

  @inlinable
  package func textsIfPresent(_ key: Key) throws(Failure) -> [String]? {
    try optional(key) { (value) throws(Value.Failure) in try value.texts }
  }

  @inlinable
  package func bytesIfPresent(_ key: Key) throws(Failure) -> Bytes? {
    try optional(key) { (value) throws(Value.Failure) in try bytes(of: value) }
  }

  @inlinable
  package func bytes(_ key: Key) throws(Failure) -> Bytes {
    try require(key) { (value) throws(Value.Failure) in try bytes(of: value) }
  }

  @inlinable
  package func boolIfPresent(_ key: Key) throws(Failure) -> Bool? {
    try optional(key) { (value) throws(Value.Failure) in try value.bool }
  }

  @inlinable
  package func bool(_ key: Key) throws(Failure) -> Bool {
    try require(key) { (value) throws(Value.Failure) in try value.bool }
  }

  @inlinable
  package func integerIfPresent(_ key: Key) throws(Failure) -> Int64? {
    try optional(key) { (value) throws(Value.Failure) in try value.int64 }
  }

  @inlinable
  package func integer(_ key: Key) throws(Failure) -> Int64 {
    try require(key) { (value) throws(Value.Failure) in try value.int64 }
  }
}

extension MemberReader where Value == CBORValue {
  package func unsignedIfPresent(_ key: Key) throws(Failure) -> UInt64? {
    try optional(key) { (value) throws(WireError) in try value.unsigned }
  }

  package func unsigned(_ key: Key) throws(Failure) -> UInt64 {
    try require(key) { (value) throws(WireError) in try value.unsigned }
  }
}

// MARK: Nested objects

/// A reader of members that can be objects themselves.
@usableFromInline
package protocol NestedMemberReader: MemberReader {
  /// Returns a reader of an object that is the value of a member, or an element of that value.
  func reader(of object: Value.Object, at key: Key) -> Self
}

extension NestedMemberReader {
  @inlinable
  package func objectIfPresent(_ key: Key) throws(Failure) -> Self? {
    try optional(key) { (value) throws(Value.Failure) in reader(of: try value.object, at: key) }
  }

  @inlinable
  package func object(_ key: Key) throws(Failure) -> Self {
    try require(key) { (value) throws(Value.Failure) in reader(of: try value.object, at: key) }
  }

  @inlinable
  package func objectsIfPresent(_ key: Key) throws(Failure) -> [Self]? {
    try optional(key) { (value) throws(Value.Failure) in try value.objects }?.map { reader(of: $0, at: key) }
  }

  @inlinable
  package func objects(_ key: Key) throws(Failure) -> [Self] {
    try require(key) { (value) throws(Value.Failure) in try value.objects }.map { reader(of: $0, at: key) }
  }
}
