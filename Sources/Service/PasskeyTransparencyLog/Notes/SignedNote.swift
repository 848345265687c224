// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// C2SP signed-note: text, an empty line and signature lines.
//
// Limits:
//   note:       256 KiB   [64 ML-DSA-44 signatures take 210 KiB]
//   signatures: 64        [the specification asks for at least 16]

/// A text with signatures. Its text is untrusted until ``verify(with:)`` returns.
package struct SignedNote: Hashable, Sendable {
  /// The text with its final newline.
  package let text: Bytes

  /// The signature lines, not verified.
  package private(set) var signatures: [NoteSignature]

  /// The largest note.
  package static let maximumByteCount = 256 * 1024

  /// The largest number of signatures.
  package static let maximumSignatureCount = 64

  /// Parses a note.
  ///
  /// - Throws: `tlog.note-malformed` or `tlog.too-large`.
  package init(parsing bytes: some ByteSource) throws(TransparencyLogError) {
    let bytes = bytes.slice
    guard bytes.count <= Self.maximumByteCount else {
      throw TransparencyLogError(.tooLarge, "a note of \(bytes.count) bytes")
    }
    guard let end = Self.endOfText(in: bytes) else {
      throw TransparencyLogError(.noteMalformed, "no empty line before the signatures")
    }
    try self.init(text: bytes[..<end], signatures: NoteSignature.parse(bytes[end...].dropFirst()))
    guard !signatures.isEmpty else { throw TransparencyLogError(.noteMalformed, "no signatures") }
  }

  /// Creates a note without signatures.
  ///
  /// - Throws: `tlog.note-malformed` if the text does not end in a newline, is not UTF-8 or has other control
  ///   characters; `tlog.too-large`.
  package init(text: some ByteSource) throws(TransparencyLogError) {
    try self.init(text: text.slice, signatures: [])
  }

  private init(text: Bytes, signatures: [NoteSignature]) throws(TransparencyLogError) {
    let newline = UInt8(ascii: "\n")
    guard text.count <= Self.maximumByteCount else {
      throw TransparencyLogError(.tooLarge, "a text of \(text.count) bytes")
    }
    guard text.last == newline, text.allSatisfy({ $0 >= 0x20 || $0 == newline }),
      String(validating: text, as: UTF8.self) != nil
    else { throw TransparencyLogError(.noteMalformed, "the text is not lines of UTF-8 without control characters") }
    self.text = text
    self.signatures = signatures
  }

  /// Returns the index after the text: its last newline is followed by an empty line.
  private static func endOfText(in bytes: Bytes) -> Int? {
    let newline = UInt8(ascii: "\n")
    var end = bytes.endIndex
    while let last = bytes[..<end].lastIndex(of: newline), last > bytes.startIndex {
      if bytes[last - 1] == newline { return last }
      end = last
    }
    return nil
  }

  /// The encoded note.
  package var bytes: [UInt8] {
    text + Array("\n".utf8) + signatures.flatMap { $0.line.utf8 + [UInt8(ascii: "\n")] }
  }

  /// Adds signatures. A signature replaces an earlier one with the same name and key ID.
  ///
  /// - Throws: `tlog.too-large` for more than ``maximumSignatureCount``.
  package mutating func add(_ more: [NoteSignature]) throws(TransparencyLogError) {
    var all = signatures
    for signature in more {
      all.removeAll { $0.keyID == signature.keyID && $0.name.utf8.elementsEqual(signature.name.utf8) }
      all.append(signature)
    }
    guard all.count <= Self.maximumSignatureCount else {
      throw TransparencyLogError(.tooLarge, "\(all.count) signatures")
    }
    signatures = all
  }

  /// Verifies the signatures of known keys, and ignores those of unknown keys. Of several signatures of one key, the
  /// first counts.
  ///
  /// - Returns: The keys that signed, at least one, in the order of the lines.
  /// - Throws: `tlog.signature-missing` if no known key signed; `tlog.signature-invalid` if a signature of a known key
  ///   does not match; or `tlog.checkpoint-malformed` for a cosignature of another text.
  package func verify(with keys: [NoteKey]) throws(TransparencyLogError) -> [NoteSigned] {
    var signed: [NoteSigned] = []
    for signature in signatures {
      guard let key = keys.first(where: signature.names), !signed.contains(where: { $0.key == key }) else { continue }
      signed.append(NoteSigned(key: key, time: try key.verify(signature.bytes, over: text)))
    }
    guard !signed.isEmpty else {
      let names = signatures.prefix(8).map(\.name).joined(separator: ", ")
      throw TransparencyLogError(.signatureMissing, "signed by: \(names)")
    }
    return signed
  }
}

/// A verified signature of a note.
package struct NoteSigned: Hashable, Sendable {
  /// The key.
  package let key: NoteKey

  /// The time in the signature, if its type has one.
  package let time: UnixTime?

  init(key: NoteKey, time: UnixTime?) {
    self.key = key
    self.time = time
  }
}

extension NoteSignature {
  /// Parses signature lines.
  ///
  /// - Throws: `tlog.note-malformed` or `tlog.too-large`.
  static func parse(_ lines: Bytes) throws(TransparencyLogError) -> [NoteSignature] {
    var reader = LineReader(lines, .noteMalformed)
    var signatures: [NoteSignature] = []
    while !reader.rest.isEmpty {
      guard signatures.count < SignedNote.maximumSignatureCount else {
        throw TransparencyLogError(.tooLarge, "more than \(SignedNote.maximumSignatureCount) signatures")
      }
      guard let signature = NoteSignature(line: try reader.line()) else {
        throw TransparencyLogError(.noteMalformed, "signature line \(signatures.count + 1)")
      }
      signatures.append(signature)
    }
    return signatures
  }
}
