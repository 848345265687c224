// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing
import WireFormats

@testable import WebAuthnTypes

@Suite struct ClientDataPropertyTests {
  private static let pieces = [
    #"{"type":"webauthn.get""#, #","challenge":"AAECAwQFBgcICQoLDA0ODw""#, #","origin":"https://raxx.app""#,
    #","crossOrigin":false"#, #","crossOrigin":true"#, #","topOrigin":"https://example.com""#, "}", ",", " ", "{", "\"",
    #","other":[1]"#, #""type":"webauthn.get""#, #"\u0041"#, "\u{feff}", "é",
  ]

  @Test func `the quick way reads what the parser reads`() throws {
    var quickReadings = 0
    try PropertyRuns.check { generator in
      let text = Self.text(using: &generator)
      guard let quick = SerializedClientData.read(text) else { return }
      let full = try ClientData(parsingAsJSON: text)
      guard quick == full else { throw Disagreement(text: text) }
      quickReadings += 1
    }
    #expect(quickReadings > 100, "a property about the quick way that never went it")
  }

  @Test func `the limited algorithm agrees with the parser`() throws {
    let challenge = try Challenge([UInt8](0..<16))
    let origin = try Origin("https://raxx.app")
    let top = try Origin("https://example.com")
    var matches = 0
    try PropertyRuns.check { generator in
      let text = Self.text(using: &generator)
      for (topOrigin, isRequired) in [(nil, true), (top, true), (top, false)] {
        let limited = ClientData.matches(
          text, type: .get, challenge: challenge, origin: origin, topOrigin: topOrigin, requiresTopOrigin: isRequired)
        let full = Self.fullVerdict(text, challenge, origin, topOrigin, isRequired)
        guard limited == full else { throw Disagreement(text: text) }
        matches += limited ? 1 : 0
      }
    }
    #expect(matches > 100, "a property about matches that had none to look at")
  }

  @Test func `no bytes stop the program, and every fault lies inside`() throws {
    try PropertyRuns.check { generator in
      let text = Self.text(using: &generator)
      let slice = ([0x5a, 0x5a] + text + [0x5a]).dropFirst(2).dropLast()
      do throws(FormatError) {
        _ = try ClientData(parsing: slice)
      } catch {
        guard (slice.startIndex...slice.endIndex).contains(error.offset) else { throw error }
      }
    }
  }

  private static func fullVerdict(
    _ text: Bytes, _ challenge: Challenge, _ origin: Origin, _ topOrigin: Origin?, _ isRequired: Bool
  ) -> Bool {
    guard let data = try? ClientData(parsingAsJSON: text), data.type == .get, data.challenge == challenge.bytes,
      (try? Origin(data.origin)) == origin
    else { return false }
    let received = data.topOrigin.map { try? Origin($0) }
    switch (topOrigin, received) {
    case (nil, nil): return data.crossOrigin != true
    case (nil, .some): return false
    case (.some, nil): return data.crossOrigin == true && !isRequired
    case (.some(let expected), .some(let received)): return data.crossOrigin == true && received == expected
    }
  }

  /// The usual text spoilt now and then, or pieces of it in any order.
  private static func text(using generator: inout SeededGenerator) -> Bytes {
    let framed = pieces[0...2].joined() + pieces[4] + pieces[5] + "}"
    let usual = pieces[0...3].joined() + "}"
    let whole = [usual, framed, pieces[0...2].joined() + pieces[4] + "}", pieces[0...2].joined() + "}"]
    let good = [UInt8]((whole.randomElement(using: &generator) ?? usual).utf8)
    switch Int.random(in: 0...9, using: &generator) {
    case 0: return good[...]
    case 1...3:
      let count = Int.random(in: 0...9, using: &generator)
      return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined().bytes
    case 4:
      // A piece in the middle of what is good.
      let place = Int.random(in: 0...good.count, using: &generator)
      return good[..<place] + (pieces.randomElement(using: &generator) ?? "").utf8 + good[place...]
    default: return Mutation.mutated(good, using: &generator)[...]
    }
  }

  private struct Disagreement: Error, CustomStringConvertible {
    let text: Bytes

    var description: String { "two verdicts on \(String(decoding: text, as: UTF8.self))" }
  }
}
