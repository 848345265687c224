// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The parameters of a command: a canonical CBOR map (CTAP 2.3 §8) whose keys are small numbers.
///
/// Errors become the statuses of the standard: `CTAP2_ERR_INVALID_CBOR` for malformed or non-canonical CBOR,
/// `CTAP2_ERR_MISSING_PARAMETER` for an absent member, and `CTAP2_ERR_CBOR_UNEXPECTED_TYPE` for a member of another
/// type.
package struct CommandParameters: NestedMemberReader {
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

  package func lookUp(_ key: CBORKey) -> CBORValue? {
    guard let numbered, case .unsigned(let number) = key, number <= Self.highestNumber else { return map?[key] }
    return number < numbered.count ? numbered[Int(number)] : nil
  }

  package func reader(of map: CBORMap, at key: CBORKey) -> Self { Self(map) }

  package func missing(_ key: CBORKey) -> CTAPError {
    CTAPError(.missingParameter, "\(key)")
  }

  package func invalid(_ key: CBORKey, _ cause: WireError) -> CTAPError {
    CTAPError(cause.code == .cborWrongType ? .cborUnexpectedType : .invalidParameter, "\(cause)")
  }
}
