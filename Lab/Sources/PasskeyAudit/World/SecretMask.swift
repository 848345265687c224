// SPDX-License-Identifier: Apache-2.0

/// Replaces all known secrets in a text. Where several begin at the same place, the longest one counts. Where they overlap,
/// one mark replaces them.
struct SecretMask {
  /// The replacement of a secret.
  static let mark = "[redacted]"

  /// The length in bytes of the shortest secret that is found.
  static let minimumByteCount = 4

  // An audit knows thousands of secrets, so they are found by their first four bytes.
  private var secrets: [UInt32: [[UInt8]]] = [:]

  mutating func insert(_ secret: String) {
    let bytes = Array(secret.utf8)
    guard bytes.count >= Self.minimumByteCount else { return }
    let start = bytes.prefix(Self.minimumByteCount).reduce(0, Self.shift)
    var others = secrets[start] ?? []
    guard !others.contains(bytes) else { return }
    others.insert(bytes, at: others.firstIndex { $0.count < bytes.count } ?? others.endIndex)
    secrets[start] = others
  }

  func callAsFunction(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var masked: [UInt8] = []
    // Everything before has been copied or replaced.
    var end = 0
    // The last four bytes that were read.
    var start: UInt32 = 0
    for (index, byte) in bytes.enumerated() {
      start = Self.shift(start, byte)
      let place = index + 1 - Self.minimumByteCount
      guard place >= 0, let secret = secrets[start]?.first(where: { bytes[place...].starts(with: $0) }) else {
        continue
      }
      if place >= end {
        masked += bytes[end..<place]
        masked += Self.mark.utf8
      }
      end = max(end, place + secret.count)
    }
    return end == 0 ? text : String(decoding: masked + bytes[end...], as: UTF8.self)
  }

  private static func shift(_ start: UInt32, _ byte: UInt8) -> UInt32 {
    start << 8 | UInt32(byte)
  }
}
