// SPDX-License-Identifier: Apache-2.0

public import PasskeyFormats

// C2SP tlog-witness: the body of add-checkpoint.
//
// Limits:
//   hashes: 63   [set by the specification]

/// A request to a witness to cosign a checkpoint: `POST PREFIX/add-checkpoint`.
public struct WitnessRequest: Hashable, Sendable {
  /// The size of the last checkpoint that the witness cosigned, 0 for none.
  public let oldSize: UInt64

  /// The proof of consistency from the old size, empty for size 0.
  public let consistency: ConsistencyProof

  /// The new checkpoint, signed by the log.
  public let checkpoint: SignedNote

  /// Creates a request.
  public init(oldSize: UInt64, consistency: ConsistencyProof, checkpoint: SignedNote) {
    self.oldSize = oldSize
    self.consistency = consistency
    self.checkpoint = checkpoint
  }

  /// Parses a body.
  ///
  /// - Throws: `tlog.request-malformed`, `tlog.note-malformed` or `tlog.too-large`.
  public init(parsing body: Bytes) throws(TransparencyLogError) {
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
  public var body: [UInt8] {
    let lines = ["old \(oldSize)"] + consistency.hashes.map(\.description) + [""]
    return lines.flatMap { $0.utf8 + [UInt8(ascii: "\n")] } + checkpoint.bytes
  }

  /// The path below the submission prefix of a witness.
  public static let path = "add-checkpoint"
}
