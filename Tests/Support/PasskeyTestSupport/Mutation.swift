// SPDX-License-Identifier: Apache-2.0

/// The ways in which a property test corrupts valid bytes.
public enum Mutation: CaseIterable, Sendable {
  /// Flips one bit.
  case flipBit
  /// Changes one byte.
  case replaceByte
  /// Replaces one to eight bytes by a boundary value.
  case writeInterestingInteger
  /// Removes the end.
  case truncate
  /// Removes a run in the middle.
  case remove
  /// Inserts random bytes.
  case insert
  /// Duplicates a run.
  case duplicate
  /// Copies a run over another place.
  case splice

  /// Corrupts `bytes` in this way. Empty bytes can only grow.
  public func apply(to bytes: inout [UInt8], using generator: inout SeededGenerator) {
    if bytes.isEmpty {
      bytes = generator.bytes(Int.random(in: 1...8, using: &generator))
      return
    }
    let place = Int.random(in: 0..<bytes.count, using: &generator)
    switch self {
    case .flipBit:
      bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
    case .replaceByte:
      bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
    case .writeInterestingInteger:
      Self.overwrite(&bytes, at: place, with: Self.interestingInteger(using: &generator)[...])
    case .truncate:
      bytes.removeSubrange(place...)
    case .remove:
      bytes.removeSubrange(Self.run(at: place, in: bytes, using: &generator))
    case .insert:
      bytes.insert(contentsOf: generator.bytes(Int.random(in: 1...16, using: &generator)), at: place)
    case .duplicate:
      bytes.insert(contentsOf: bytes[Self.run(at: place, in: bytes, using: &generator)], at: place)
    case .splice:
      let source = bytes[Self.run(at: place, in: bytes, using: &generator)]
      Self.overwrite(&bytes, at: Int.random(in: 0..<bytes.count, using: &generator), with: source)
    }
  }

  /// Returns `bytes` after one to four random mutations.
  public static func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var corrupted = bytes
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      (allCases.randomElement(using: &generator) ?? .flipBit).apply(to: &corrupted, using: &generator)
    }
    return corrupted
  }

  /// Returns the head of one input with the tail of another.
  public static func crossed(_ head: [UInt8], _ tail: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    Array(head.prefix(Int.random(in: 0...head.count, using: &generator)))
      + tail.suffix(Int.random(in: 0...tail.count, using: &generator))
  }

  private static func run(
    at place: Int, in bytes: [UInt8], using generator: inout SeededGenerator
  ) -> Range<Int> {
    place..<min(bytes.count, place + Int.random(in: 1...16, using: &generator))
  }

  private static func overwrite(_ bytes: inout [UInt8], at place: Int, with source: ArraySlice<UInt8>) {
    for (offset, byte) in source.prefix(bytes.count - place).enumerated() {
      bytes[place + offset] = byte
    }
  }

  /// Returns a boundary value, such as a maximum, in one, two, four or eight bytes, big-endian.
  private static func interestingInteger(using generator: inout SeededGenerator) -> [UInt8] {
    let width = [1, 2, 4, 8].randomElement(using: &generator) ?? 1
    let number = interestingIntegers.randomElement(using: &generator) ?? 0
    return (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  private static let interestingIntegers: [UInt64] = [
    0, 1, 16, 17, 23, 24, 31, 32, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x1_0000,
    0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000, UInt64(Int64.max), UInt64(Int64.max) + 1, .max - 1, .max,
  ]
}
