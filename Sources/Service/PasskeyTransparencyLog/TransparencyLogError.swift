// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// An error of a transparency log: its cause and details. Every function of this module throws this type.
package struct TransparencyLogError: CodedError {
  /// The cause.
  package let code: Code

  /// Details for a log: the values that were compared, or the malformed part.
  package let detail: String

  /// Creates an error.
  package init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The causes of an error. Raw values are stable: cases are added, never renamed.
  @nonexhaustive
  package enum Code: String, CaseIterable, Sendable {
    // Encodings
    /// A tree hash does not have 32 bytes.
    case hashInvalid = "tlog.hash-invalid"
    /// The path of a tile is malformed.
    case tilePathInvalid = "tlog.tile-path-invalid"
    /// A tile has the wrong length for its width.
    case tileMalformed = "tlog.tile-malformed"
    /// An entry bundle is malformed or has the wrong number of entries.
    case bundleMalformed = "tlog.bundle-malformed"
    /// A signed note is malformed.
    case noteMalformed = "tlog.note-malformed"
    /// A verifier key is malformed.
    case keyMalformed = "tlog.key-malformed"
    /// A checkpoint is malformed.
    case checkpointMalformed = "tlog.checkpoint-malformed"
    /// A proof is malformed.
    case proofMalformed = "tlog.proof-malformed"
    /// A proof does not contain its entry.
    case entryMissing = "tlog.entry-missing"
    /// A policy is malformed.
    case policyMalformed = "tlog.policy-malformed"
    /// A request to a witness is malformed.
    case requestMalformed = "tlog.request-malformed"
    /// A witness sent a malformed response.
    case responseMalformed = "tlog.response-malformed"
    /// The input or one of its parts exceeds a limit.
    case tooLarge = "tlog.too-large"

    // Signatures
    /// The signature type of a key is not supported.
    case keyUnsupported = "tlog.key-unsupported"
    /// No known key signed the note.
    case signatureMissing = "tlog.signature-missing"
    /// The signature of a known key does not match the note.
    case signatureInvalid = "tlog.signature-invalid"
    /// The private key could not sign.
    case signingFailed = "tlog.signing-failed"
    /// Too few witnesses cosigned the checkpoint.
    case quorumMissing = "tlog.quorum-missing"
    /// A witness rejected the checkpoint.
    case witnessRefused = "tlog.witness-refused"

    // Trees
    /// An index is outside the tree, or a size is larger than the tree.
    case outsideTree = "tlog.outside-tree"
    /// A tile that a proof needs is missing or too narrow.
    case tileMissing = "tlog.tile-missing"
    /// The tiles give a root other than the expected one.
    case rootMismatch = "tlog.root-mismatch"
    /// The inclusion proof does not lead from the entry to the root.
    case inclusionMismatch = "tlog.inclusion-mismatch"
    /// A disclosed detail does not match the commitment in the entry.
    case detailMismatch = "tlog.detail-mismatch"
    /// The consistency proof does not connect the two roots.
    case consistencyMismatch = "tlog.consistency-mismatch"
    /// The checkpoints belong to different logs.
    case originMismatch = "tlog.origin-mismatch"
    /// The later checkpoint has a smaller tree: the log was truncated.
    case rollback = "tlog.rollback"
    /// Two checkpoints of one size have different roots: the log shows different histories.
    case fork = "tlog.fork"
  }
}
