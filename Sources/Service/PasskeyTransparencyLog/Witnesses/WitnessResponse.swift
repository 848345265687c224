// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The answer of a witness to a ``WitnessRequest``.
package enum WitnessResponse: Hashable, Sendable {
  /// The witness cosigned. The signatures are not verified: see ``cosignatures(of:keys:)``.
  case cosigned([NoteSignature])
  /// The witness last cosigned a checkpoint of this size. Send a proof of consistency from there; a larger size than
  /// that of the log's own last checkpoint means that the log was rolled back.
  case conflict(lastSize: UInt64)

  /// The largest body that is read.
  package static let maximumByteCount = SignedNote.maximumByteCount

  /// The media type of a conflict's body.
  package static let sizeMediaType = "text/x.tlog.size"

  /// Parses an answer.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - mediaType: The value of Content-Type.
  ///   - body: The body.
  /// - Throws: `tlog.witness-refused` for other statuses than 200 and 409, `tlog.response-malformed`,
  ///   `tlog.note-malformed` or `tlog.too-large`.
  package init(status: Int, mediaType: String?, body: Bytes) throws(TransparencyLogError) {
    guard body.count <= Self.maximumByteCount else {
      throw TransparencyLogError(.tooLarge, "a response of \(body.count) bytes")
    }
    switch status {
    case 200:
      let signatures = try NoteSignature.parse(body)
      guard !signatures.isEmpty else { throw TransparencyLogError(.responseMalformed, "no signature") }
      self = .cosigned(signatures)
    case 409:
      var reader = LineReader(body, .responseMalformed)
      guard Self.isSize(mediaType), let size = UInt64(decimal: try reader.line()), reader.rest.isEmpty else {
        throw TransparencyLogError(.responseMalformed, "a conflict without a size")
      }
      self = .conflict(lastSize: size)
    default:
      throw TransparencyLogError(.witnessRefused, "status \(status)")
    }
  }

  /// Returns whether a Content-Type is that of a size. Case and parameters make no difference (RFC 9110, 8.3.1).
  private static func isSize(_ mediaType: String?) -> Bool {
    mediaType?.prefix { !" \t;".contains($0) }.lowercased() == sizeMediaType
  }

  /// Verifies the cosignatures of known witnesses.
  ///
  /// - Parameters:
  ///   - note: The checkpoint that was sent.
  ///   - keys: The keys of the witness.
  /// - Returns: The cosignatures, at least one.
  /// - Throws: `tlog.signature-missing`, `tlog.signature-invalid`, or `tlog.witness-refused` for a conflict.
  package func cosignatures(of note: SignedNote, keys: [NoteKey]) throws(TransparencyLogError) -> [NoteSignature] {
    guard case .cosigned(let signatures) = self else {
      throw TransparencyLogError(.witnessRefused, "a conflict")
    }
    let known = signatures.filter { signature in keys.contains(where: signature.names) }
    var cosigned = try SignedNote(text: note.text)
    try cosigned.add(known)
    for signed in try cosigned.verify(with: keys) {
      // Zero stands for no time.
      guard signed.time.map({ $0.secondsSince1970 > 0 }) ?? true else {
        throw TransparencyLogError(.signatureInvalid, "\(signed.key.name): no time")
      }
    }
    return cosigned.signatures
  }
}
