// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

// C2SP tlog-tiles: each entry follows its length, 16 bits, big-endian.

/// The entries of a full or partial tile, as one resource.
package enum EntryBundle {
  /// The largest entry, because lengths have 16 bits.
  package static let maximumEntryByteCount = Int(UInt16.max)

  /// Encodes 1 to 256 entries.
  ///
  /// - Throws: `tlog.too-large` for a larger entry or more entries.
  package static func encode(_ entries: [Bytes]) throws(TransparencyLogError) -> [UInt8] {
    guard entries.count <= TileAddress.fullWidth else {
      throw TransparencyLogError(.tooLarge, "\(entries.count) entries")
    }
    var writer = ByteWriter(capacity: entries.reduce(0) { $0 + 2 + $1.count })
    for entry in entries {
      guard let length = UInt16(exactly: entry.count) else {
        throw TransparencyLogError(.tooLarge, "an entry of \(entry.count) bytes")
      }
      writer.write(length)
      writer.write(entry)
    }
    return writer.bytes
  }

  /// Decodes a bundle.
  ///
  /// - Parameters:
  ///   - bytes: The bundle.
  ///   - width: The number of entries, from its address.
  /// - Returns: The entries, as slices of `bytes`.
  /// - Throws: `tlog.bundle-malformed`.
  package static func decode(_ bytes: Bytes, width: Int) throws(TransparencyLogError) -> [Bytes] {
    guard 1...TileAddress.fullWidth ~= width else { throw TransparencyLogError(.bundleMalformed, "\(width) entries") }
    do throws(WireError) {
      var reader = ByteReader(bytes)
      var entries: [Bytes] = []
      for _ in 0..<width {
        entries.append(try reader.read(Int(reader.readUInt16())))
      }
      try reader.finish()
      return entries
    } catch {
      throw TransparencyLogError(.bundleMalformed, "\(error)")
    }
  }
}
