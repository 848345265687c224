// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats

/// A hash of a Merkle tree, 32 bytes (RFC 9162 §2.1.1 with SHA-256).
///
/// Leaves and inner nodes are hashed with different first bytes, so that a node cannot be passed off as an entry.
package struct TreeHash: Hashable, Sendable {
  /// The 32 bytes.
  package let bytes: Bytes

  /// The length of a hash.
  package static let byteCount = 32

  /// The root of a tree without entries: the SHA-256 hash of no bytes.
  package static let empty = TreeHash(unchecked: Digest.sha256([]))

  /// Creates a hash from its bytes.
  ///
  /// - Throws: `tlog.hash-invalid` for a length other than 32.
  package init(_ bytes: Bytes) throws(TransparencyLogError) {
    guard bytes.count == Self.byteCount else { throw TransparencyLogError(.hashInvalid, "\(bytes.count) bytes") }
    self.init(unchecked: bytes)
  }

  /// Creates a hash from its bytes.
  ///
  /// - Throws: `tlog.hash-invalid` for a length other than 32.
  @inlinable
  package init(_ bytes: some Collection<UInt8>) throws(TransparencyLogError) {
    try self.init(Bytes(bytes))
  }

  /// Hashes an entry.
  package init(ofEntry entry: Bytes) {
    var message: [UInt8] = []
    message.reserveCapacity(1 + entry.count)
    message.append(0)
    message.append(contentsOf: entry)
    self.init(unchecked: Digest.sha256(message))
  }

  /// Hashes an entry.
  @inlinable
  package init(ofEntry entry: some Collection<UInt8>) {
    self.init(ofEntry: Bytes(entry))
  }

  /// Hashes the two halves of a subtree.
  package init(left: TreeHash, right: TreeHash) {
    var message: [UInt8] = []
    message.reserveCapacity(1 + 2 * Self.byteCount)
    message.append(1)
    message.append(contentsOf: left.bytes)
    message.append(contentsOf: right.bytes)
    self.init(unchecked: Digest.sha256(message))
  }

  /// Creates a hash from 32 bytes.
  init(unchecked bytes: some ByteSource) {
    self.bytes = bytes.slice
  }
}

extension TreeHash: CustomStringConvertible {
  /// The padded base64 text, as in checkpoints and proofs.
  package var description: String { Base64.encode(bytes) }
}

extension TreeHash {
  /// Decodes base64 text; `nil` if it is not a hash.
  init?(base64 text: Bytes) {
    guard let bytes = try? Base64.decode(text), bytes.count == Self.byteCount else { return nil }
    self.init(unchecked: bytes)
  }

  /// Joins the hashes of complete subtrees, from the largest on the left to the smallest on the right, into the hash of
  /// the tree that they form. Returns `nil` for an empty sequence.
  static func joining(_ hashes: some BidirectionalCollection<TreeHash>) -> TreeHash? {
    guard let last = hashes.last else { return nil }
    return hashes.dropLast().reversed().reduce(last) { right, left in TreeHash(left: left, right: right) }
  }
}
