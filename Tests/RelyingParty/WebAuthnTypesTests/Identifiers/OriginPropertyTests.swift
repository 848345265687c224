// SPDX-License-Identifier: Apache-2.0

import PasskeyTestSupport
import Testing
import WebAuthnTypes

@Suite struct OriginPropertyTests {
  private static let seeds = [
    "https://raxx.app", "https://raxx.app:443", "http://[::1]:8080", "android:apk-key-hash:AAECAwQF",
    "https://a-b.example:1",
  ]

  @Test func `parsing an origin's text gives the same origin, and error offsets are inside the text`() throws {
    var accepted = 0
    try PropertyRuns.check { generator in
      let seed = [UInt8]((Self.seeds.randomElement(using: &generator) ?? "").utf8)
      let bytes = Mutation.mutated(seed, using: &generator)
      do throws(FormatError) {
        let origin = try WebOrigin(utf8: bytes[...])
        let again = try WebOrigin(origin.text)
        guard again == origin, again.kind == origin.kind, origin.isSerialized(as: again.text.bytes) else {
          throw FormatError(.originInvalid, at: -1)
        }
        accepted += 1
      } catch {
        guard (0...bytes.count).contains(error.offset) else { throw error }
      }
    }
    #expect(accepted > 100, "too few inputs were accepted")
  }

  @Test func `origins are equal if, and only if, scheme, host and port are`() throws {
    try PropertyRuns.check { generator in
      func origin() -> WebOrigin? {
        let scheme = Bool.random(using: &generator) ? "https" : "http"
        let host = ["raxx.app", "raxx.apps", "[::1]"].randomElement(using: &generator) ?? ""
        let port = ["", ":443", ":80", ":8080"].randomElement(using: &generator) ?? ""
        return try? WebOrigin("\(scheme)://\(host)\(port)")
      }
      guard let one = origin(), let other = origin(), (one == other) == (one.kind == other.kind) else {
        throw FormatError(.originInvalid, at: 0)
      }
    }
  }
}
