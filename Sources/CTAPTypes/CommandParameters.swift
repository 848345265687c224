// SPDX-License-Identifier: Apache-2.0

package import WireFormats

/// The parameters of a command: a canonical CBOR map (CTAP 2.3 §8) whose keys are small numbers.
///
/// Errors become the statuses of the standard: `CTAP2_ERR_INVALID_CBOR` for malformed or non-canonical CBOR,
/// `CTAP2_ERR_MISSING_PARAMETER` for an absent member, and `CTAP2_ERR_CBOR_UNEXPECTED_TYPE` for a member of another
/// type.
package struct CommandParameters {
  private let map: CBORMap?

  /// The values indexed by their number, collected in one pass. A command looks up nearly every number, and most are
  /// absent.
  private var numbered: [CBORValue?]?

  /// The highest parameter number of any command.
  private static let highestNumber: UInt64 = 31

  /// The capacity to reserve: enough for nearly every command.
  private static let typicalNumberCount = 12

  /// Parses all of `bytes`. Empty input means no parameters.
  package init(parsing bytes: Bytes) throws(CTAPError) {
    do throws(WireError) {
      map = bytes.isEmpty ? nil : try CBORValue(parsing: bytes, rules: .canonical).map
    } catch {
      throw CTAPError(error.code == .cborWrongType ? .cborUnexpectedType : .invalidCBOR, "\(error)")
    }
    guard let map else { return }
    var numbered: [CBORValue?] = []
    numbered.reserveCapacity(Self.typicalNumberCount)
    // Canonical order is ascending, so each number is appended.
    for (key, value) in map {
      guard case .unsigned(let number) = key.kind, number <= Self.highestNumber else { continue }
      while numbered.count < number { numbered.append(nil) }
      numbered.append(value)
    }
    self.numbered = numbered
  }

  /// The parameters in a map that has been parsed; nil means no parameters.
  package init(_ map: CBORMap?) {
    self.map = map
  }

  private subscript(_ key: CBORKey) -> CBORValue? {
    guard let numbered, case .unsigned(let number) = key, number <= Self.highestNumber else { return map?[key] }
    return number < numbered.count ? numbered[Int(number)] : nil
  }

  /// Reads the value of `key`, or returns nil if it is absent.
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

  /// Reads the value of `key`.
  ///
  /// - Throws: `CTAP2_ERR_MISSING_PARAMETER` if it is absent.
  package func require<Value>(
    _ key: CBORKey, _ read: (CBORValue) throws(WireError) -> Value
  ) throws(CTAPError) -> Value {
    guard let value = try optional(key, read) else { throw CTAPError(.missingParameter, "\(key)") }
    return value
  }
}

// MARK: Typed members

extension CommandParameters {
  package func unsigned(_ key: CBORKey) throws(CTAPError) -> UInt64 {
    try require(key) { (value) throws(WireError) in try value.unsigned }
  }

  package func optionalUnsigned(_ key: CBORKey) throws(CTAPError) -> UInt64? {
    try optional(key) { (value) throws(WireError) in try value.unsigned }
  }

  package func optionalInteger(_ key: CBORKey) throws(CTAPError) -> Int64? {
    try optional(key) { (value) throws(WireError) in try value.integer }
  }

  package func bytes(_ key: CBORKey) throws(CTAPError) -> Bytes {
    try require(key) { (value) throws(WireError) in try value.bytes }
  }

  package func optionalBytes(_ key: CBORKey) throws(CTAPError) -> Bytes? {
    try optional(key) { (value) throws(WireError) in try value.bytes }
  }

  package func text(_ key: CBORKey) throws(CTAPError) -> String {
    try require(key) { (value) throws(WireError) in try value.text }
  }

  package func optionalText(_ key: CBORKey) throws(CTAPError) -> String? {
    try optional(key) { (value) throws(WireError) in try value.text }
  }

  package func optionalBool(_ key: CBORKey) throws(CTAPError) -> Bool? {
    try optional(key) { (value) throws(WireError) in try value.bool }
  }

  package func map(_ key: CBORKey) throws(CTAPError) -> CommandParameters {
    CommandParameters(try require(key) { (value) throws(WireError) in try value.map })
  }

  package func optionalMap(_ key: CBORKey) throws(CTAPError) -> CommandParameters? {
    try optional(key) { (value) throws(WireError) in CommandParameters(try value.map) }
  }

  /// The array of maps at `key`, each as a parameter map.
  package func maps(_ key: CBORKey) throws(CTAPError) -> [CommandParameters] {
    try require(key, Self.maps)
  }

  package func optionalMaps(_ key: CBORKey) throws(CTAPError) -> [CommandParameters]? {
    try optional(key, Self.maps)
  }

  private static func maps(_ value: CBORValue) throws(WireError) -> [CommandParameters] {
    var maps: [CommandParameters] = []
    for item in try value.array { maps.append(CommandParameters(try item.map)) }
    return maps
  }

  package func optionalTexts(_ key: CBORKey) throws(CTAPError) -> [String]? {
    try optional(key) { (value) throws(WireError) in
      var texts: [String] = []
      for item in try value.array { texts.append(try item.text) }
      return texts
    }
  }
}
