// SPDX-License-Identifier: Apache-2.0

/// A ZIP archive whose files are stored without compression (PKWARE APPNOTE 6.3).
enum StoredArchive {
  private static let localSignature: UInt32 = 0x0403_4b50
  private static let centralSignature: UInt32 = 0x0201_4b50
  private static let endSignature: UInt32 = 0x0605_4b50

  // 2.0  [the version that every reader knows]
  private static let version: UInt16 = 20
  // 1980-01-01, the first day that the format can express: the archive depends on the files alone.
  private static let date: UInt16 = 0x0021

  /// Returns an archive of files with short ASCII names.
  static func bytes(of files: [(name: String, content: [UInt8])]) -> [UInt8] {
    var archive: [UInt8] = []
    var directory: [UInt8] = []
    for file in files {
      let start = UInt32(archive.count)
      let name = [UInt8](file.name.utf8)
      let size = LittleEndian.bytes(UInt32(file.content.count))
      // Version needed, flags, method 0 (stored), time and date, checksum, packed and unpacked size, lengths.
      let shared =
        [version, 0, 0, 0, date].flatMap { (number) in LittleEndian.bytes(number) }
        + LittleEndian.bytes(checksum(file.content)) + size + size
        + LittleEndian.bytes(UInt16(name.count)) + LittleEndian.bytes(UInt16(0))
      archive += LittleEndian.bytes(localSignature) + shared + name + file.content
      // Comment length, disk, internal and external attributes, position of the local header.
      directory += LittleEndian.bytes(centralSignature) + LittleEndian.bytes(version) + shared
      directory += [UInt16(0), 0, 0].flatMap { (number) in LittleEndian.bytes(number) }
      directory += LittleEndian.bytes(UInt32(0)) + LittleEndian.bytes(start) + name
    }
    let count = LittleEndian.bytes(UInt16(files.count))
    // Disk numbers, entries here and in total, size and position of the directory, comment length.
    let end =
      LittleEndian.bytes(endSignature) + LittleEndian.bytes(UInt32(0)) + count + count
      + LittleEndian.bytes(UInt32(directory.count)) + LittleEndian.bytes(UInt32(archive.count))
      + LittleEndian.bytes(UInt16(0))
    return archive + directory + end
  }

  /// The CRC-32 of the format, with the reversed polynomial 0xedb88320.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xffff_ffff
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xedb8_8320) }
    }
    return ~sum
  }
}
