// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// A signature line of a note, not verified.
package struct NoteSignature: Hashable, Sendable {
  /// The name of the key.
  package let name: String

  /// The ID of the key.
  package let keyID: UInt32

  /// The bytes after the key ID, whose meaning depends on the signature type.
  package let bytes: Bytes

  init(name: String, keyID: UInt32, bytes: some ByteSource) {
    self.name = name
    self.keyID = keyID
    self.bytes = bytes.slice
  }

  /// Whether the line names this key.
  package func names(_ key: NoteKey) -> Bool {
    keyID == key.keyID && name.utf8.elementsEqual(key.name.utf8)
  }

  /// The line without its newline.
  package var line: String {
    var writer = ByteWriter()
    writer.write(keyID)
    writer.write(bytes)
    return "\u{2014} \(name) \(Base64.encode(writer.bytes))"
  }

  /// Parses a line without its newline; `nil` if it is malformed.
  init?(line: Bytes) {
    let dash: [UInt8] = [0xe2, 0x80, 0x94, 0x20]
    guard line.starts(with: dash), let space = line.lastIndex(of: UInt8(ascii: " ")), space > line.startIndex + 3
    else { return nil }
    let name = line[line.startIndex + dash.count..<space]
    guard let decoded = try? Base64.decode(line[space...].dropFirst()), decoded.count > 4,
      let text = String(validating: name, as: UTF8.self), NoteName.allows(text)
    else { return nil }
    var reader = ByteReader(decoded)
    guard let keyID = try? reader.readUInt32() else { return nil }
    self.init(name: text, keyID: keyID, bytes: reader.rest)
  }
}
