// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct CBORPropertyTests {
  struct Difference: Error {
    let what: String
    let input: [UInt8]
  }

  @Test func `written CBOR is canonical and survives a round trip`() throws {
    try PropertyRuns.check { generator in
      let tree = CBORTree.random(depth: 4, using: &generator)
      let bytes = CBORWriter.bytes(of: tree)
      let value = try CBORValue(parsing: bytes, rules: tree.hasTags ? .wellFormed : .canonical)
      guard CBORTree(value) == tree else { throw Difference(what: "another tree", input: bytes) }
    }
  }

  @Test func `canonical input is written back unchanged, and no input traps`() throws {
    try PropertyRuns.check { generator in
      let corrupted = Mutation.mutated(
        CBORWriter.bytes(of: .random(depth: 4, using: &generator)), using: &generator)
      try Self.judge(corrupted)
      try Self.judge(generator.bytes(Int.random(in: 0...48, using: &generator)))
    }
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
  func `reading allocates at most a small multiple of its input`() throws {
    try PropertyRuns.check { generator in
      let corrupted = Mutation.mutated(
        CBORWriter.bytes(of: .random(depth: 4, using: &generator)), using: &generator)
      let allocated = AllocationCounter.bytes { try? CBORValue(parsing: corrupted, rules: .general) }
      guard allocated <= 16 * corrupted.count + runtimeAllowance else {
        throw Difference(what: "\(allocated) bytes", input: corrupted)
      }
    }
  }

  @Test(
    .enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"),
    arguments: ["9bffffffffffffffff00", "bb7fffffffffffffff", "5b7fffffffffffffff", "7bffffffffffffffff", "a0"])
  func `a length beyond the input allocates nothing`(digits: String) {
    let bytes = hex(digits)
    #expect(AllocationCounter.bytes { try? CBORValue(parsing: bytes, rules: .wellFormed) } < runtimeAllowance)
  }

  /// Checks that all readers agree, offsets are in the input, and traversal ends.
  private static func judge(_ bytes: [UInt8]) throws {
    do throws(WireError) {
      let value = try CBORValue(parsing: bytes, rules: .general)
      _ = CBORDiagnostic.text(of: value, layout: .indented)
      let again = CBORWriter.bytes(of: CBORTree(value))
      if (try? CBORValue(parsing: bytes, rules: .canonical)) != nil, again != bytes {
        throw WireError(.cborNotShortest, at: -1)
      }
      _ = try CBORValue(parsing: again, rules: .wellFormed)
    } catch {
      guard bytes.startIndex...bytes.endIndex ~= error.offset else { throw Difference(what: "\(error)", input: bytes) }
      guard (try? CBORValue(parsing: bytes, rules: .wellFormed)) == nil else {
        throw Difference(what: "read by the stricter rules only: \(error)", input: bytes)
      }
    }
  }
}

/// The Swift runtime may allocate on the first use of a type.
private let runtimeAllowance = 4096

extension CBORTree {
  fileprivate var hasTags: Bool {
    switch self {
    case .tagged: true
    case .array(let items): items.contains(where: \.hasTags)
    case .map(let pairs): pairs.values.contains(where: \.hasTags)
    default: false
    }
  }

  fileprivate static func random(depth: Int, using generator: inout SeededGenerator) -> Self {
    switch Int.random(in: 0..<(depth > 0 ? 11 : 8), using: &generator) {
    case 0: .unsigned(randomNumber(using: &generator))
    case 1: .negative(randomNumber(using: &generator))
    case 2: .bytes(generator.bytes(Int.random(in: 0...40, using: &generator)))
    case 3: .text(randomText(using: &generator))
    case 4: .bool(.random(using: &generator))
    case 5: .float(CBORFloat(Float16(bitPattern: .random(in: .min ... .max, using: &generator))))
    case 6: .float(CBORFloat(Double(bitPattern: generator.next())))
    case 7: CBORSimple(rawValue: .random(in: .min ... .max, using: &generator)).map { .simple($0) } ?? .null
    case 8:
      .array((0..<Int.random(in: 0...5, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) })
    case 9: .tagged(randomNumber(using: &generator), random(depth: depth - 1, using: &generator))
    default: randomMap(depth: depth, using: &generator)
    }
  }

  private static func randomMap(depth: Int, using generator: inout SeededGenerator) -> Self {
    var pairs: [CBORKey: CBORTree] = [:]
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      let key: CBORKey =
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .unsigned(randomNumber(using: &generator))
        case 1: .negative(randomNumber(using: &generator))
        case 2: .bytes(generator.bytes(Int.random(in: 0...4, using: &generator)))
        default: .text(randomText(using: &generator))
        }
      pairs[key] = random(depth: depth - 1, using: &generator)
    }
    return .map(pairs)
  }

  /// Numbers of every head length, with equal probability.
  private static func randomNumber(using generator: inout SeededGenerator) -> UInt64 {
    generator.next() >> UInt64.random(in: 0..<64, using: &generator)
  }

  private static func randomText(using generator: inout SeededGenerator) -> String {
    String(decoding: generator.bytes(Int.random(in: 0...20, using: &generator)), as: UTF8.self)
  }
}
