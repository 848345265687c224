// SPDX-License-Identifier: Apache-2.0

internal import PasskeyStorage
internal import PasskeyTransparencyLog

extension [StoredCheckpoint] {
  /// The checkpoints that a later one supersedes: it has signatures of all their signers. These are cosigned checkpoints of
  /// one epoch and one hour, the smallest first.
  ///
  /// A policy that a superseded checkpoint meets is met by another one that remains. The last checkpoint always remains, and
  /// so does an unreadable one.
  var superseded: [StoredCheckpoint] {
    var kept: [Set<Signer>] = []
    var superseded: [StoredCheckpoint] = []
    for checkpoint in reversed() {
      guard let note = try? SignedNote(parsing: checkpoint.note) else { continue }
      let signers = Set(note.signatures.map(Signer.init))
      if kept.contains(where: signers.isSubset) {
        superseded.append(checkpoint)
      } else {
        kept.append(signers)
      }
    }
    return superseded.reversed()
  }
}

/// The key that a signature names.
private struct Signer: Hashable {
  let name: String
  let keyID: UInt32

  init(_ signature: NoteSignature) {
    (name, keyID) = (signature.name, signature.keyID)
  }
}
