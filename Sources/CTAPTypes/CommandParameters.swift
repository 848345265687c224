// SPDX-License-Identifier: Apache-2.0

package import WireFormats

/// The parameters of a command: a CBOR map in canonical form (CTAP 2.3 §8), with small numbers for keys.
///
/// A fault becomes the status that the standard has for it: what is no canonical CBOR is `INVALID_CBOR`, what is missing
/// `MISSING_PARAMETER`, what has another type `CBOR_UNEXPECTED_TYPE`.
package struct CommandParameters {
  private let map: CBORMap?

  /// The values by their numbers, found in one walk: nearly every number is asked for, and most are not there.
  private var numbered: [CBORValue?]?

  /// No command has a parameter above.
  private static let highestNumber: UInt64 = 31

  /// Those of nearly every command fit.
  private static let usualNumberCount = 12

  /// Reads all of `bytes`; none are no parameters.
  package init(parsing bytes: Bytes) throws(CTAPError) {
    do throws(WireError) {
      map = bytes.isEmpty ? nil : try CBORValue(parsing: bytes, rules: .canonical).map
    } catch {
      throw CTAPError(error.code == .cborWrongType ? .cborUnexpectedType : .invalidCBOR, "\(error)")
    }
    guard let map else { return }
    var numbered: [CBORValue?] = []
    numbered.reserveCapacity(Self.usualNumberCount)
    // In canonical order the numbers go up.
    for (key, value) in map {
      guard case .unsigned(let number) = key.kind, number <= Self.highestNumber else { continue }
      while numbered.count < number { numbered.append(nil) }
      numbered.append(value)
    }
    self.numbered = numbered
  }

  package init(_ map: CBORMap) {
    self.map = map
  }

  private subscript(_ key: CBORKey) -> CBORValue? {
    guard let numbered, case .unsigned(let number) = key, number <= Self.highestNumber else { return map?[key] }
    return number < numbered.count ? numbered[Int(number)] : nil
  }

  /// The value that stands with `key`, read as `read` does.
  package func optional<Value>(
    _ key: CBORKey, _ read: (CBORValue) throws(WireError) -> Value
  ) throws(CTAPError) -> Value? {
    guard let value = self[key] else { return nil }
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
}

// MARK: Values by type

extension CommandParameters {
  /// The number that has to stand with `key`.
  package func unsigned(_ key: CBORKey) throws(CTAPError) -> UInt64 {
    try require(key) { (value) throws(WireError) in try value.unsigned }
  }

  /// The number that stands with `key`.
  package func optionalUnsigned(_ key: CBORKey) throws(CTAPError) -> UInt64? {
    try optional(key) { (value) throws(WireError) in try value.unsigned }
  }

  /// The number with a sign that stands with `key`.
  package func optionalInteger(_ key: CBORKey) throws(CTAPError) -> Int64? {
    try optional(key) { (value) throws(WireError) in try value.integer }
  }

  /// The bytes that have to stand with `key`.
  package func bytes(_ key: CBORKey) throws(CTAPError) -> Bytes {
    try require(key) { (value) throws(WireError) in try value.bytes }
  }

  /// The bytes that stand with `key`.
  package func optionalBytes(_ key: CBORKey) throws(CTAPError) -> Bytes? {
    try optional(key) { (value) throws(WireError) in try value.bytes }
  }

  /// The text that has to stand with `key`.
  package func text(_ key: CBORKey) throws(CTAPError) -> String {
    try require(key) { (value) throws(WireError) in try value.text }
  }

  /// The text that stands with `key`.
  package func optionalText(_ key: CBORKey) throws(CTAPError) -> String? {
    try optional(key) { (value) throws(WireError) in try value.text }
  }

  /// The truth value that stands with `key`.
  package func optionalBool(_ key: CBORKey) throws(CTAPError) -> Bool? {
    try optional(key) { (value) throws(WireError) in try value.bool }
  }

  /// The map that has to stand with `key`.
  package func map(_ key: CBORKey) throws(CTAPError) -> CommandParameters {
    CommandParameters(try require(key) { (value) throws(WireError) in try value.map })
  }

  /// The map that stands with `key`.
  package func optionalMap(_ key: CBORKey) throws(CTAPError) -> CommandParameters? {
    try optional(key) { (value) throws(WireError) in CommandParameters(try value.map) }
  }

  /// The array of maps that has to stand with `key`, each as parameters of its own.
  package func maps(_ key: CBORKey) throws(CTAPError) -> [CommandParameters] {
    try require(key, Self.maps)
  }

  /// The array of maps that stands with `key`.
  package func optionalMaps(_ key: CBORKey) throws(CTAPError) -> [CommandParameters]? {
    try optional(key, Self.maps)
  }

  private static func maps(_ value: CBORValue) throws(WireError) -> [CommandParameters] {
    var maps: [CommandParameters] = []
    for item in try value.array { maps.append(CommandParameters(try item.map)) }
    return maps
  }

  /// The array of texts that stands with `key`.
  package func optionalTexts(_ key: CBORKey) throws(CTAPError) -> [String]? {
    try optional(key) { (value) throws(WireError) in
      var texts: [String] = []
      for item in try value.array { texts.append(try item.text) }
      return texts
    }
  }
}
