// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats

// extra = { 0: entry, 1: { name => [salt, value] } }        CBOR in canonical form
//
// Limits:
//   details: 16   [a record has at most one of each kind]
//   salt:    32   [with salts of any length, the border between salt and value could be moved]

/// An entry with the details that it only contains as commitments: the extra data of a ``LogProof``.
///
/// Nothing here is verified. The hash of the entry must be the leaf of the proof, and the entry must contain the
/// ``Detail/commitment`` of each detail.
package struct DisclosedEntry: Hashable, Sendable {
  /// The bytes of the entry.
  package let entry: Bytes

  /// The details, with names that occur once.
  package let details: [Detail]

  /// A value outside the log that the entry commits to.
  package struct Detail: Hashable, Sendable {
    /// The kind of the detail.
    package let name: String

    /// 32 random bytes that keep the commitment from revealing the value.
    package let salt: Bytes

    /// The value.
    package let value: String

    /// The length of a salt. The commitment hashes salt and value without a separator, so no other length is accepted.
    package static let saltByteCount = 32

    /// Creates a detail.
    package init(name: String, salt: some ByteSource, value: String) {
      self.name = name
      self.salt = salt.slice
      self.value = value
    }

    /// SHA-256 of the salt and the value, as the entry contains it.
    package var commitment: [UInt8] { Digest.sha256(salt + Array(value.utf8)) }
  }

  /// The largest number of details.
  package static let maximumDetailCount = 16

  /// Creates an entry with its details, whose names must differ.
  package init(entry: some ByteSource, details: [Detail] = []) {
    self.entry = entry.slice
    self.details = details
  }

  /// Parses extra data.
  ///
  /// - Throws: `tlog.proof-malformed`.
  package init(parsing extra: some ByteSource) throws(TransparencyLogError) {
    do throws(WireError) {
      let members = CBORKeyedReader<Key>(try CBORValue(parsing: extra, rules: .canonical).map)
      entry = try members.bytes(.entry)
      details = try members.require(.details) { (value) throws(WireError) in
        var details: [Detail] = []
        for pair in try value.map {
          let parts = Array(try pair.value.array)
          guard parts.count == 2, details.count < Self.maximumDetailCount else {
            throw WireError(.bytesInvalidValue, at: value.offset)
          }
          let salt = try parts[0].bytes
          guard salt.count == Detail.saltByteCount else { throw WireError(.bytesInvalidValue, at: parts[0].offset) }
          details.append(Detail(name: try pair.key.text, salt: salt, value: try parts[1].text))
        }
        return details
      }
    } catch {
      throw TransparencyLogError(.proofMalformed, "the extra data: \(error)")
    }
  }

  /// The encoded extra data. The details are sorted by their names.
  package var encoded: [UInt8] {
    let pairs = details.map { (detail) in
      (CBORKey.text(detail.name), CBORTree.array([.bytes(Array(detail.salt)), .text(detail.value)]))
    }
    return CBORWriter.bytes(
      of: .map([
        Key.entry.cborKey: .bytes(Array(entry)),
        Key.details.cborKey: .map(Dictionary(pairs) { first, _ in first }),
      ]))
  }

  private enum Key: UInt64, CBORMapKey {
    case entry = 0
    case details = 1
  }
}
