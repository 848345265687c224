// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// C2SP tlog-checkpoint: the origin, the size, the root and extension lines.
//
// Limits:
//   size:   TreeSize.maximum
//   origin: 255 bytes, checked when a checkpoint is made [ML-DSA cosignatures give the length one byte]

/// The state of a log: its name, its size and its root. A checkpoint is the text of a ``SignedNote``.
package struct Checkpoint: Hashable, Sendable {
  /// The name of the log.
  package let origin: String

  /// The number of entries.
  package let size: UInt64

  /// The root of the tree.
  package let root: TreeHash

  /// Further lines. Witnesses make no statement about them.
  package let extensions: [String]

  /// Creates a checkpoint.
  ///
  /// - Throws: `tlog.checkpoint-malformed` for an invalid origin, size or root.
  package init(origin: String, size: UInt64, root: TreeHash) throws(TransparencyLogError) {
    guard NoteName.allows(origin) else { throw TransparencyLogError(.checkpointMalformed, "an invalid origin") }
    guard size <= TreeSize.maximum, size > 0 || root == .empty else {
      throw TransparencyLogError(.checkpointMalformed, "size \(size) with root \(root)")
    }
    self.origin = origin
    self.size = size
    self.root = root
    extensions = []
  }

  /// Parses the text of a note.
  ///
  /// - Throws: `tlog.checkpoint-malformed`.
  package init(parsing text: Bytes) throws(TransparencyLogError) {
    var reader = LineReader(text, .checkpointMalformed)
    origin = try reader.text()
    guard let size = UInt64(decimal: try reader.line()) else {
      throw TransparencyLogError(.checkpointMalformed, "the second line is not a size")
    }
    guard let root = TreeHash(base64: try reader.line()), size > 0 || root == .empty else {
      throw TransparencyLogError(.checkpointMalformed, "the third line is not a root")
    }
    self.size = size
    self.root = root
    var extensions: [String] = []
    while !reader.rest.isEmpty { extensions.append(try reader.text()) }
    self.extensions = extensions
  }

  /// The text of the note.
  package var text: String {
    ([origin, String(size), root.description] + extensions).map { $0 + "\n" }.joined()
  }

  /// Signs the checkpoint.
  ///
  /// - Throws: `tlog.origin-mismatch` if the key has another name than the log, or an error of the signer.
  package func signed(by signer: NoteSigner, at time: UnixTime) throws(TransparencyLogError) -> SignedNote {
    guard signer.key.name.utf8.elementsEqual(origin.utf8) else {
      throw TransparencyLogError(.originMismatch, "the key of \(signer.key.name) for \(origin)")
    }
    var note = try SignedNote(text: text.utf8)
    try note.add([signer.sign(note.text, at: time)])
    return note
  }
}

extension LineReader {
  /// Reads a line of UTF-8 that is not empty.
  fileprivate mutating func text() throws(TransparencyLogError) -> String {
    guard let text = String(validating: try line(), as: UTF8.self), !text.isEmpty else {
      throw TransparencyLogError(.checkpointMalformed, "an empty line or invalid UTF-8")
    }
    return text
  }
}
