// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The parts of a signature after its key ID: a time, if the type has one, and the signature itself.
struct SignedMessage {
  /// The time of a cosignature.
  let time: UnixTime?

  /// The signature.
  let signature: Bytes

  /// Creates the parts of a new signature.
  init(time: UnixTime?, signature: some ByteSource) {
    self.time = time
    self.signature = signature.slice
  }

  /// Splits a signature.
  init(_ bytes: Bytes, of kind: NoteKey.Kind) throws(TransparencyLogError) {
    guard kind.hasTime else {
      self.init(time: nil, signature: bytes)
      return
    }
    var reader = ByteReader(bytes)
    guard let time = try? reader.readUInt64(), let seconds = Int64(exactly: time) else {
      throw TransparencyLogError(.signatureInvalid, "a cosignature without a valid time")
    }
    self.init(time: UnixTime(secondsSince1970: seconds), signature: reader.rest)
  }

  /// The encoded parts.
  var bytes: [UInt8] {
    var writer = ByteWriter()
    if let time { writer.write(UInt64(clamping: time.secondsSince1970)) }
    writer.write(signature)
    return writer.bytes
  }

  /// Returns the message that the signature is over.
  ///
  /// - Parameters:
  ///   - kind: The signature type.
  ///   - name: The name of the key.
  ///   - text: The text of the note.
  /// - Returns: The message.
  /// - Throws: `tlog.checkpoint-malformed` if the type signs checkpoints only.
  func message(_ kind: NoteKey.Kind, name: String, text: Bytes) throws(TransparencyLogError) -> Bytes {
    let seconds = time?.secondsSince1970 ?? 0
    switch kind {
    case .ed25519:
      return text
    case .ed25519Cosignature:
      // Only checkpoints are cosigned.
      _ = try Checkpoint(parsing: text)
      return Array("cosignature/v1\ntime \(seconds)\n".utf8) + text
    case .mlDSA44Cosignature:
      let checkpoint = try Checkpoint(parsing: text)
      guard let nameLength = UInt8(exactly: name.utf8.count),
        let originLength = UInt8(exactly: checkpoint.origin.utf8.count)
      else { throw TransparencyLogError(.checkpointMalformed, "an origin of more than 255 bytes") }
      var writer = ByteWriter()
      writer.write("subtree/v1\n\0".utf8)
      writer.write(nameLength)
      writer.write(name.utf8)
      writer.write(UInt64(clamping: seconds))
      writer.write(originLength)
      writer.write(checkpoint.origin.utf8)
      writer.write(UInt64(0))
      writer.write(checkpoint.size)
      writer.write(checkpoint.root.bytes)
      return writer.bytes[...]
    }
  }
}
