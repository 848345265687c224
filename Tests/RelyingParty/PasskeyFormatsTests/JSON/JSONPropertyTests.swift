// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

/// Properties of random texts.
@Suite struct JSONPropertyTests {
  private static let seeds = [
    #"{"id":"AQID","type":"public-key","response":{"clientDataJSON":"e30","userHandle":null},"n":[-0.5e+3,10,true]}"#,
    #"[{"a":"\ud83d\ude00\n\u0000","é":"日本"},{"b":{"c":[[],{},"",0]}}, false ]"#,
    #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":1,"k":2,"l":3,"m":4,"n":5,"o":6,"p":7,"q":8,"r":9}"#,
  ].map { Array($0.utf8) }

  private static let tokens = [
    "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"\\u0061\"", "\\", "1", "-", "0", ".5", "e9", "true", "null", " ",
  ]

  @Test func `random bytes do not trap`() throws {
    try PropertyRuns.check(default: 5_000) { generator in
      examine(generator.bytes(Int.random(in: 0...40, using: &generator)))
    }
  }

  @Test func `random tokens do not trap, and some are valid JSON`() throws {
    var accepted = 0
    try PropertyRuns.check { generator in
      let text = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
        Self.tokens[Int.random(in: Self.tokens.indices, using: &generator)]
      }
      if examine(Array(text.joined().utf8)) { accepted += 1 }
    }
    #expect(accepted > 200)
  }

  @Test func `mutated texts do not trap`() throws {
    var accepted = 0
    try PropertyRuns.check { generator in
      if examine(Self.corruptedText(using: &generator)) { accepted += 1 }
    }
    #expect(accepted > 300)
  }

  @Test(.enabled(if: AllocationCounter.isCounting, "\(AllocationCounter.absence)"))
  func `reading allocates at most a small multiple of its input`() throws {
    try PropertyRuns.check { generator in
      let text = Self.corruptedText(using: &generator)
      let allocated = AllocationCounter.bytes { try? JSON.parse(text) }
      // The Swift runtime may allocate on the first use of a type.
      try #require(allocated <= 32 * text.count + 4096, "\(allocated) bytes for \(text)")
    }
  }

  private static func corruptedText(using generator: inout SeededGenerator) -> [UInt8] {
    Mutation.mutated(seeds.randomElement(using: &generator) ?? [], using: &generator)
  }

  @Test func `rejects every proper prefix of a text without trapping`() {
    for seed in Self.seeds {
      for length in 0..<seed.count {
        #expect(throws: WireError.self) { try readJSON(seed.prefix(length)) }
      }
      #expect(examine(seed))
    }
  }

  /// Parses a text, uses all accessors, writes it and parses it again. Returns whether it is valid JSON.
  @discardableResult
  private func examine(_ text: [UInt8]) -> Bool {
    let value: JSONValue
    do {
      value = try readJSON(text)
    } catch {
      let bounds = JSONText.bytesBefore...JSONText.bytesBefore + text.count
      #expect(bounds.contains(error.offset), "\(error) in \(text)")
      return false
    }
    for style in [JSON.Style.compact, .pretty] {
      let written = JSON.write(.value(value), style)
      do {
        let again = try readJSON(written, maximumSize: .max)
        #expect(areEqual(value, again))
        #expect(JSON.write(.value(again), style) == written)
      } catch {
        Issue.record("\(error) in what was written for \(text)")
      }
    }
    return true
  }

  /// Whether two values are equal by their own accessors. Also calls the other accessors, which must not trap.
  private func areEqual(_ one: JSONValue, _ other: JSONValue) -> Bool {
    _ = (try? one.base64URL, try? one.base64, try? one.int64, try? one.uint64, try? one.double, try? one["a"])
    guard one.kind == other.kind else { return false }
    switch one.kind {
    case .null: return one.isNull && other.isNull
    case .bool: return (try? one.bool) == (try? other.bool)
    case .number: return one.encoded == other.encoded
    case .string: return (try? one.string) == (try? other.string)
    case .array:
      guard let ones = try? Array(one.array), let others = try? Array(other.array) else { return false }
      return ones.count == others.count && zip(ones, others).allSatisfy(areEqual)
    case .object:
      guard let ones = try? Array(one.members), let others = try? Array(other.members) else { return false }
      return ones.count == others.count
        && zip(ones, others).allSatisfy { one, other in
          one.name == other.name && areEqual(one.value, other.value)
        }
    }
  }
}
