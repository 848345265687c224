// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The conditions for accepting a checkpoint: the keys of logs, and the witnesses that must have cosigned it.
package struct LogPolicy: Hashable, Sendable {
  /// The keys of the accepted logs. Each is named after the origin of its log.
  package let logs: [NoteKey]

  /// The keys of the known witnesses.
  package let witnesses: [NoteKey]

  /// The required cosignatures.
  package let quorum: Quorum

  /// A rule that says which witnesses suffice.
  package indirect enum Quorum: Hashable, Sendable {
    /// No cosignature is required.
    case none
    /// This witness.
    case witness(NoteKey)
    /// This many of the members.
    case threshold(Int, of: [Quorum])

    /// Returns whether cosignatures by these witnesses meet the rule.
    package func isMet(by keys: Set<NoteKey>) -> Bool {
      switch self {
      case .none: true
      case .witness(let key): keys.contains(key)
      case .threshold(let count, let members): members.count { $0.isMet(by: keys) } >= count
      }
    }
  }

  /// Creates a policy.
  package init(logs: [NoteKey], witnesses: [NoteKey] = [], quorum: Quorum = .none) {
    self.logs = logs
    self.witnesses = witnesses
    self.quorum = quorum
  }

  /// Verifies the signatures of a checkpoint.
  ///
  /// - Throws: `tlog.checkpoint-malformed`; `tlog.signature-missing` if no accepted key signed for this origin;
  ///   `tlog.signature-invalid`; or `tlog.quorum-missing`.
  package func verify(_ note: SignedNote) throws(TransparencyLogError) -> VerifiedCheckpoint {
    let checkpoint = try Checkpoint(parsing: note.text)
    let keysOfLog = logs.filter { $0.name.utf8.elementsEqual(checkpoint.origin.utf8) }
    guard !keysOfLog.isEmpty else {
      throw TransparencyLogError(.signatureMissing, "no accepted key of the log \(checkpoint.origin.prefix(80))")
    }
    _ = try note.verify(with: keysOfLog)
    let cosigned =
      note.signatures.contains { signature in witnesses.contains(where: signature.names) }
      ? try note.verify(with: witnesses) : []
    guard quorum.isMet(by: Set(cosigned.map(\.key))) else {
      let names = cosigned.map(\.key.name).joined(separator: ", ")
      throw TransparencyLogError(.quorumMissing, cosigned.isEmpty ? "no cosignature" : "only cosigned by \(names)")
    }
    return VerifiedCheckpoint(checkpoint: checkpoint, note: note, cosigned: cosigned)
  }
}

/// A checkpoint with verified signatures. Only ``LogPolicy/verify(_:)`` makes one.
package struct VerifiedCheckpoint: Hashable, Sendable {
  /// The checkpoint.
  package let checkpoint: Checkpoint

  /// The note with all signatures, also unknown ones.
  package let note: SignedNote

  /// The witnesses that cosigned it, with the times of their cosignatures.
  package let cosigned: [NoteSigned]

  init(checkpoint: Checkpoint, note: SignedNote, cosigned: [NoteSigned]) {
    self.checkpoint = checkpoint
    self.note = note
    self.cosigned = cosigned
  }
}
