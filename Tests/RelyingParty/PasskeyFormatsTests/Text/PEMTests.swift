// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats
import PasskeyTestSupport
import Testing

@Suite struct PEMTests {
  @Test func `reads the label and bytes of a block`() throws {
    let blocks = try PEM.blocks(in: "-----BEGIN CERTIFICATE-----\nMAMC\nAQU=\n-----END CERTIFICATE-----\n")
    #expect(blocks.map(\.label) == ["CERTIFICATE"])
    #expect(blocks.map(\.bytes) == [hex("3003020105")])
    #expect(blocks.map(\.offset) == [0])
  }

  @Test func `reads several blocks and ignores the text between them`() throws {
    let text = """
      subject=CN = raxx.app
      -----BEGIN CERTIFICATE-----
      MAMCAQU=
      -----END CERTIFICATE-----
      # MAMCAQY=, the key: ----- not a boundary
      -----BEGIN EC PRIVATE KEY-----
      MAMCAQY=
      -----END EC PRIVATE KEY-----
      -----BEGIN X-----
      -----END X-----
      """
    let blocks = try PEM.blocks(in: text)
    #expect(blocks.map(\.label) == ["CERTIFICATE", "EC PRIVATE KEY", "X"])
    #expect(blocks.map(\.bytes) == [hex("3003020105"), hex("3003020106"), []])
    #expect(blocks.map(\.offset) == [22, 127, 196])
  }

  @Test(arguments: ["\n", "\r\n", "\r", " \r\n", "\n\n"])
  func `accepts any line ending`(end: String) throws {
    let lines = ["-----BEGIN X-----", "MAMC", "AQU=", "-----END X-----"]
    #expect(try PEM.blocks(in: lines.joined(separator: end)).map(\.bytes) == [hex("3003020105")])
    #expect(try PEM.blocks(in: lines.joined(separator: end) + end).map(\.bytes) == [hex("3003020105")])
  }

  @Test func `returns no blocks for a text without blocks`() throws {
    #expect(try PEM.blocks(in: "") == [])
    #expect(try PEM.blocks(in: "MAMCAQU=") == [])
    #expect(try PEM.blocks(in: "  -----BEGIN X-----\n") == [])
  }

  @Test(arguments: [
    ("-----BEGIN X-----\nMAMC\n", WireError(.pemMissingBoundary, at: 23)),
    ("-----BEGIN X-----\nMAMC\n-----END Y-----\n", WireError(.pemMissingBoundary, at: 23)),
    ("-----BEGIN X-----\nMAMC\n-----BEGIN X-----\n", WireError(.pemMissingBoundary, at: 23)),
    ("-----END X-----\n", WireError(.pemMissingBoundary, at: 0)),
    ("-----BEGIN X----\n", WireError(.pemMissingBoundary, at: 0)),
    ("-----BEGIN -----\n-----END ----\n", WireError(.pemMissingBoundary, at: 17)),
    ("-----BEGIN \u{7}-----\n", WireError(.pemMissingBoundary, at: 0)),
    ("-----BEGIN X-----\nProc-Type: 4,ENCRYPTED\n-----END X-----\n", WireError(.base64InvalidCharacter, at: 22)),
    ("-----BEGIN X-----\nMAMCAQU\n-----END X-----\n", WireError(.base64InvalidLength, at: 26)),
    ("-----BEGIN X-----\nMAMCAQV=\n-----END X-----\n", WireError(.base64StrayBits, at: 24)),
    ("-----BEGIN X-----\nMA-_\n-----END X-----\n", WireError(.base64InvalidCharacter, at: 20)),
  ])
  func `rejects an unclosed or malformed block at the offset of the error`(text: String, error: WireError) {
    #expect(throws: error) { try PEM.blocks(in: text) }
    let whole = Array("..\(text)".utf8)
    #expect(throws: WireError(error.code, at: error.offset + 2)) { try PEM.blocks(in: whole[2...]) }
  }

  @Test func `a mutated text does not trap`() throws {
    var random = SeededGenerator(seed: 7468)
    let text = Array("-----BEGIN X-----\nMAMCAQU=\n-----END X-----\n".utf8)
    var refused = 0
    for _ in 0..<5000 {
      var mutated = text
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        mutated[Int.random(in: mutated.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
      }
      let shortened = mutated.prefix(Int.random(in: 0...mutated.count, using: &random))
      do {
        _ = try PEM.blocks(in: shortened)
      } catch {
        refused += 1
        #expect(0...shortened.count ~= error.offset)
      }
    }
    #expect(refused > 1000)
  }
}
