// SPDX-License-Identifier: Apache-2.0

package import WireFormats

/// The parameters of a command: a CBOR map in canonical form (CTAP 2.3 §8), with small numbers for keys.
///
/// A fault becomes the status that the standard has for it: what is no canonical CBOR is `INVALID_CBOR`, what is missing
/// `MISSING_PARAMETER`, what has another type `CBOR_UNEXPECTED_TYPE`.
package struct CommandParameters {
  private let map: CBORMap?

  /// Reads all of `bytes`; none are no parameters.
  package init(parsing bytes: Bytes) throws(CTAPError) {
    do throws(WireError) {
      map = bytes.isEmpty ? nil : try CBORValue(parsing: bytes, rules: .canonical).map
    } catch {
      throw CTAPError(error.code == .cborWrongType ? .cborUnexpectedType : .invalidCBOR, "\(error)")
    }
  }

  package init(_ map: CBORMap) {
    self.map = map
  }

  /// The value that stands with `key`, read as `read` does.
  package func optional<Value>(
    _ key: CBORKey, _ read: (CBORValue) throws(WireError) -> Value
  ) throws(CTAPError) -> Value? {
    guard let value = map?[key] else { return nil }
    do throws(WireError) {
      return try read(value)
    } catch {
      throw CTAPError(error.code == .cborWrongType ? .cborUnexpectedType : .invalidParameter, "\(error)")
    }
  }

  /// The value that has to stand with `key`.
  package func require<Value>(
    _ key: CBORKey, _ read: (CBORValue) throws(WireError) -> Value
  ) throws(CTAPError) -> Value {
    guard let value = try optional(key, read) else { throw CTAPError(.missingParameter, "\(key)") }
    return value
  }

  /// The value that has to stand with `key`, read by one of the readers below.
  package func require<Value>(
    _ key: CBORKey, _ read: (CBORKey) throws(CTAPError) -> Value?
  ) throws(CTAPError) -> Value {
    guard let value = try read(key) else { throw CTAPError(.missingParameter, "\(key)") }
    return value
  }
}

// MARK: One reader for each type

extension CommandParameters {
  package func bytes(_ key: CBORKey) throws(CTAPError) -> Bytes? {
    try optional(key) { (value) throws(WireError) in try value.bytes }
  }

  package func text(_ key: CBORKey) throws(CTAPError) -> String? {
    try optional(key) { (value) throws(WireError) in try value.text }
  }

  package func bool(_ key: CBORKey) throws(CTAPError) -> Bool? {
    try optional(key) { (value) throws(WireError) in try value.bool }
  }

  package func unsigned(_ key: CBORKey) throws(CTAPError) -> UInt64? {
    try optional(key) { (value) throws(WireError) in try value.unsigned }
  }

  package func integer(_ key: CBORKey) throws(CTAPError) -> Int64? {
    try optional(key) { (value) throws(WireError) in try value.integer }
  }

  package func map(_ key: CBORKey) throws(CTAPError) -> CommandParameters? {
    try optional(key) { (value) throws(WireError) in CommandParameters(try value.map) }
  }

  package func array(_ key: CBORKey) throws(CTAPError) -> CBORArray? {
    try optional(key) { (value) throws(WireError) in try value.array }
  }

  /// An array of maps, each as parameters of its own.
  package func maps(_ key: CBORKey) throws(CTAPError) -> [CommandParameters]? {
    try optional(key) { (value) throws(WireError) in
      var maps: [CommandParameters] = []
      for item in try value.array { maps.append(CommandParameters(try item.map)) }
      return maps
    }
  }

  /// An array of texts.
  package func texts(_ key: CBORKey) throws(CTAPError) -> [String]? {
    try optional(key) { (value) throws(WireError) in
      var texts: [String] = []
      for item in try value.array { texts.append(try item.text) }
      return texts
    }
  }
}
