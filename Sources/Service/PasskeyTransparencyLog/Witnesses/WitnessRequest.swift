// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// C2SP tlog-witness: the body of add-checkpoint.
//
// Limits:
//   hashes: 63   [set by the specification]

/// A request to a witness to cosign a checkpoint: `POST PREFIX/add-checkpoint`.
package struct WitnessRequest: Hashable, Sendable {
  /// The size of the last checkpoint that the witness cosigned, 0 for none.
  package let oldSize: UInt64

  /// The proof of consistency from the old size, empty for size 0.
  package let consistency: ConsistencyProof

  /// The new checkpoint, signed by the log.
  package let checkpoint: SignedNote

  /// Creates a request.
  package init(oldSize: UInt64, consistency: ConsistencyProof, checkpoint: SignedNote) {
    self.oldSize = oldSize
    self.consistency = consistency
    self.checkpoint = checkpoint
  }

  /// Parses a body.
  ///
  /// - Throws: `tlog.request-malformed`, `tlog.note-malformed` or `tlog.too-large`.
  package init(parsing body: Bytes) throws(TransparencyLogError) {
    var reader = LineReader(body, .requestMalformed)
    guard let digits = try reader.value(after: "old"), let oldSize = UInt64(decimal: digits) else {
      throw TransparencyLogError(.requestMalformed, "no valid line with the old size")
    }
    let hashes = try reader.hashes(atMost: LogProof.maximumHashCount)
    self.init(
      oldSize: oldSize, consistency: ConsistencyProof(hashes: hashes),
      checkpoint: try SignedNote(parsing: reader.rest))
  }

  /// The encoded body.
  package var body: [UInt8] {
    let lines = ["old \(oldSize)"] + consistency.hashes.map(\.description) + [""]
    return lines.flatMap { $0.utf8 + [UInt8(ascii: "\n")] } + checkpoint.bytes
  }

  /// The path below the submission prefix of a witness.
  package static let path = "add-checkpoint"
}
