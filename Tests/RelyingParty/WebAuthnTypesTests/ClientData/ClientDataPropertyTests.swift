// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@testable import WebAuthnTypes

@Suite struct ClientDataPropertyTests {
  private static let pieces = [
    #"{"type":"webauthn.get""#, #","challenge":"AAECAwQFBgcICQoLDA0ODw""#, #","origin":"https://raxx.app""#,
    #","crossOrigin":false"#, #","crossOrigin":true"#, #","topOrigin":"https://example.com""#, "}", ",", " ", "{", "\"",
    #","other":[1]"#, #""type":"webauthn.get""#, #"\u0041"#, "\u{feff}", "é",
  ]

  @Test func `the fast path gives the parser's result`() throws {
    var fastResults = 0
    try PropertyRuns.check { generator in
      let text = Self.text(using: &generator)
      guard let fast = SerializedClientData.read(text) else { return }
      let full = try ClientData(parsingAsJSON: text)
      guard fast == full else { throw Disagreement(text: text) }
      fastResults += 1
    }
    #expect(fastResults > 100, "too few inputs took the fast path")
  }

  @Test func `client data never trap, and error offsets are inside the input`() throws {
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

  /// Valid text, sometimes mutated, or pieces of it in random order.
  private static func text(using generator: inout SeededGenerator) -> Bytes {
    let framed = pieces[0...2].joined() + pieces[4] + pieces[5] + "}"
    let typical = pieces[0...3].joined() + "}"
    let whole = [typical, framed, pieces[0...2].joined() + pieces[4] + "}", pieces[0...2].joined() + "}"]
    let valid = [UInt8]((whole.randomElement(using: &generator) ?? typical).utf8)
    switch Int.random(in: 0...9, using: &generator) {
    case 0: return valid[...]
    case 1...3:
      let count = Int.random(in: 0...9, using: &generator)
      return (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined().bytes
    case 4:
      // A piece inserted into valid text.
      let place = Int.random(in: 0...valid.count, using: &generator)
      return valid[..<place] + (pieces.randomElement(using: &generator) ?? "").utf8 + valid[place...]
    default: return Mutation.mutated(valid, using: &generator)[...]
    }
  }

  private struct Disagreement: Error, CustomStringConvertible {
    let text: Bytes

    var description: String { "different results for \(String(decoding: text, as: UTF8.self))" }
  }
}
