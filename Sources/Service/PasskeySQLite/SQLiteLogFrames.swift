// SPDX-License-Identifier: Apache-2.0

internal import CPasskeySQLite
internal import PasskeyFormats
internal import PasskeySystem
internal import PasskeyStorage

/// The header of the index of the write-ahead log, which all processes share (https://sqlite.org/walformat.html).
///
/// A transaction writes its frames to the log first and then the header. So the log must have all frames that the header
/// counts.
struct SQLiteLogIndex: Hashable {
  /// The number of committed frames; 0 after the log began again.
  let frameCount: Int
  let pageSize: Int
  /// The bytes that each frame of this pass of the log repeats.
  let salt: [UInt8]
  /// The checksum of the last frame.
  fileprivate let checksum: LogChecksum
  fileprivate let hasBigEndianChecksums: Bool
  /// The number of frames that are in the database file.
  let copiedCount: Int

  /// Copies the header. Returns nil while a process changes it, and for a version that this type does not know.
  init?(at index: UnsafeRawPointer) {
    var header = [UInt8](repeating: 0, count: 48)
    let isWhole = unsafe header.withUnsafeMutableBytes { (header) in
      guard let start = header.baseAddress else { return false }
      return unsafe passkey_sqlite_copy_log_header(index, start)
    }
    func number(_ place: Int) -> UInt32 {
      unsafe header.withUnsafeBytes { (header) in unsafe header.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
    }
    guard isWhole, number(0) == 3_007_000, header[12] == 1 else { return nil }
    let size = unsafe header.withUnsafeBytes { (header) in
      unsafe header.loadUnaligned(fromByteOffset: 14, as: UInt16.self)
    }
    // 1 stands for 65,536.
    pageSize = Int(size & 0xfe00) + Int(size & 1) << 16
    frameCount = Int(number(16))
    checksum = LogChecksum(one: number(24), two: number(28))
    salt = Array(header[32..<40])
    hasBigEndianChecksums = header[13] == 1
    copiedCount = unsafe Int(index.loadUnaligned(fromByteOffset: 96, as: UInt32.self))
  }
}

/// The checksum of a frame and all frames before it.
private struct LogChecksum: Hashable {
  var one: UInt32
  var two: UInt32

  /// Reads it from the end of a header.
  init(in header: some RandomAccessCollection<UInt8>) {
    let words = Array(header.suffix(8))
    (one, two) = (words.integer(at: 0), words.integer(at: 4))
  }

  init(one: UInt32, two: UInt32) {
    (self.one, self.two) = (one, two)
  }

  /// Adds bytes, a multiple of eight.
  mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
    unsafe bytes.withUnsafeBytes { (bytes) in
      for place in stride(from: 0, to: bytes.count - 7, by: 8) {
        let first = unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        let second = unsafe bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        one &+= (isBigEndian ? UInt32(bigEndian: first) : UInt32(littleEndian: first)) &+ two
        two &+= (isBigEndian ? UInt32(bigEndian: second) : UInt32(littleEndian: second)) &+ one
      }
    }
  }
}

extension [UInt8] {
  fileprivate func integer(at place: Int) -> UInt32 {
    self[place..<place + 4].reduce(0) { (number, byte) in number << 8 | UInt32(byte) }
  }
}

/// The frames of a write-ahead log, read from its file.
struct SQLiteLogFrames {
  private let file: OpenFile
  private let index: SQLiteLogIndex

  init(_ file: OpenFile, _ index: SQLiteLogIndex) {
    (self.file, self.index) = (file, index)
  }

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  private func offset(_ number: Int) -> Int {
    Self.headerSize + (number - 1) * (Self.frameHeaderSize + index.pageSize)
  }

  /// The header of the log, if it is that of the index.
  private var header: [UInt8]? {
    get throws(SystemError) {
      let header = try file.read(Self.headerSize, at: 0)
      guard header.count == Self.headerSize, header.integer(at: 0) & ~1 == 0x377f_0682,
        header[16..<24].elementsEqual(index.salt)
      else { return nil }
      return header
    }
  }

  /// The header of a frame, numbered from 1; nil if it is no frame of this log.
  func header(ofFrame number: Int) throws(SystemError) -> [UInt8]? {
    let header = try file.read(Self.frameHeaderSize, at: offset(number))
    guard header.count == Self.frameHeaderSize, header[8..<16].elementsEqual(index.salt) else { return nil }
    return header
  }

  /// Whether the log begins and ends as the index says.
  var haveEnds: Bool {
    get throws(SystemError) {
      guard try header != nil, let last = try header(ofFrame: index.frameCount) else { return false }
      return LogChecksum(in: last) == index.checksum
    }
  }

  /// Whether a frame has the content that its checksum was made of.
  func isIntact(_ number: Int) throws(SystemError) -> Bool {
    guard let before = try number == 1 ? header : header(ofFrame: number - 1) else { return false }
    let size = Self.frameHeaderSize + index.pageSize
    let frame = try file.read(size, at: offset(number))
    guard frame.count == size, frame[8..<16].elementsEqual(index.salt) else { return false }
    var checksum = LogChecksum(in: before)
    checksum.add(frame[..<8], isBigEndian: index.hasBigEndianChecksums)
    checksum.add(frame[Self.frameHeaderSize...], isBigEndian: index.hasBigEndianChecksums)
    return checksum == LogChecksum(in: frame[..<Self.frameHeaderSize])
  }

  /// Whether frames with these numbers are intact.
  func areIntact(_ numbers: some Sequence<Int>) throws(SystemError) -> Bool {
    for number in numbers where try !isIntact(number) { return false }
    return true
  }
}
