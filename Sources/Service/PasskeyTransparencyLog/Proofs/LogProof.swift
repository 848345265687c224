// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// C2SP tlog-proof: a proof of inclusion with the checkpoint that it leads to, for a file.
//
// Limits:
//   hashes: 63        [the height of the largest tree]
//   extra:  64 KiB    [a record with its personal details]
//   file:   384 KiB   [the note and the extra data in base64]

/// A proof that a log has an entry, which verifies without the log.
package struct LogProof: Hashable, Sendable {
  /// Data for the application. No signature covers them.
  package let extra: [UInt8]?

  /// The proof that the tree of the checkpoint has the entry.
  package let inclusion: InclusionProof

  /// The checkpoint, not verified.
  package let checkpoint: SignedNote

  /// The largest number of hashes in a proof.
  static let maximumHashCount = 63

  /// The largest extra data.
  package static let maximumExtraByteCount = 64 * 1024

  /// The largest proof file.
  package static let maximumByteCount = 384 * 1024

  private static let firstLine = "c2sp.org/tlog-proof@v1"

  /// Creates a proof.
  ///
  /// - Throws: `tlog.too-large` for larger extra data than ``maximumExtraByteCount``.
  package init(
    _ inclusion: InclusionProof, checkpoint: SignedNote, extra: [UInt8]? = nil
  ) throws(TransparencyLogError) {
    guard extra?.count ?? 0 <= Self.maximumExtraByteCount else {
      throw TransparencyLogError(.tooLarge, "extra data of \(extra?.count ?? 0) bytes")
    }
    self.inclusion = inclusion
    self.checkpoint = checkpoint
    self.extra = extra
  }

  /// Parses a proof file.
  ///
  /// - Throws: `tlog.proof-malformed`, `tlog.note-malformed` or `tlog.too-large`.
  package init(parsing file: some ByteSource) throws(TransparencyLogError) {
    let file = file.slice
    guard file.count <= Self.maximumByteCount else {
      throw TransparencyLogError(.tooLarge, "a proof of \(file.count) bytes")
    }
    var reader = LineReader(file, .proofMalformed)
    guard try reader.line().elementsEqual(Self.firstLine.utf8) else {
      throw TransparencyLogError(.proofMalformed, "the first line is not \(Self.firstLine)")
    }
    var extra: [UInt8]?
    if let text = try reader.value(after: "extra") {
      guard let bytes = try? Base64.decode(text) else {
        throw TransparencyLogError(.proofMalformed, "the extra data are not base64")
      }
      extra = bytes
    }
    guard let digits = try reader.value(after: "index"), let index = UInt64(decimal: digits) else {
      throw TransparencyLogError(.proofMalformed, "no valid index line")
    }
    let hashes = try reader.hashes(atMost: Self.maximumHashCount)
    try self.init(
      InclusionProof(index: index, hashes: hashes), checkpoint: SignedNote(parsing: reader.rest), extra: extra)
  }

  /// The encoded file.
  package var bytes: [UInt8] {
    var lines = [Self.firstLine]
    if let extra { lines.append("extra \(Base64.encode(extra))") }
    lines.append("index \(inclusion.index)")
    lines += inclusion.hashes.map(\.description)
    return lines.flatMap { $0.utf8 + [UInt8(ascii: "\n")] } + [UInt8(ascii: "\n")] + checkpoint.bytes
  }

  /// Verifies the signatures of the checkpoint and that its tree has the entry.
  ///
  /// - Parameters:
  ///   - entry: The hash of the entry, computed by the caller from the record.
  ///   - policy: The accepted logs and witnesses.
  /// - Returns: The checkpoint with its witnesses.
  /// - Throws: An error of ``LogPolicy/verify(_:)``, `tlog.outside-tree` or `tlog.inclusion-mismatch`.
  package func verify(_ entry: TreeHash, by policy: LogPolicy) throws(TransparencyLogError) -> VerifiedCheckpoint {
    let verified = try policy.verify(checkpoint)
    try inclusion.verify(entry, inTreeOf: verified.checkpoint.size, root: verified.checkpoint.root)
    return verified
  }
}
