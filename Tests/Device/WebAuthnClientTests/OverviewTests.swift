// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyTestSupport
import Testing
import WebAuthnAuthenticator
import WebAuthnClient
import WebAuthnTypes

/// Runs the code of the overview and compares it with the article.
struct OverviewTests {
  private static let creationOptions = [UInt8](
    #"""
    {"rp":{"id":"raxx.app","name":"Raxx"},"user":{"id":"YWRh","name":"ada@raxx.app","displayName":"Ada"},
     "challenge":"MDEyMzQ1Njc4OWFiY2RlZg","pubKeyCredParams":[{"type":"public-key","alg":-7}],
     "authenticatorSelection":{"residentKey":"required"}}
    """#.utf8)
  private static let requestOptions = [UInt8](#"{"challenge":"MDEyMzQ1Njc4OWFiY2RlZg","rpId":"raxx.app"}"#.utf8)

  @Test func `the overview's client registers and signs in`() async throws {
    let world = try World()
    let device = world.device
    let interaction = world.interaction
    let creationOptions = Self.creationOptions[...]
    let requestOptions = Self.requestOptions[...]
    // [shown]
    let client = Client(
      origin: try WebOrigin("https://api.raxx.app"), authenticator: device, interaction: interaction)
    let made = try await client.create(CreationOptions(asReadByBrowser: creationOptions))
    let signedIn = try await client.get(RequestOptions(asReadByBrowser: requestOptions))
    print("register with", made.json.count, "bytes, sign in with", signedIn.json.count)
    // [until here]
    #expect(made.id == signedIn.id)
    #expect(made.copies.publicKeyAlgorithm == .es256)
  }

  @Test func `the overview shows the tested code`() throws {
    let source = try lines("Tests/Device/WebAuthnClientTests/OverviewTests.swift")
    let overview = try lines("Sources/Device/WebAuthnClient/WebAuthnClient.docc/WebAuthnClient.md")
    let begin = try #require(source.firstIndex(of: "    // [shown]"))
    let end = try #require(source.firstIndex(of: "    // [until here]"))
    let shown = source[(begin + 1)..<end].map { (line) in String(line.dropFirst(4)) }
    let fence = try #require(overview.firstIndex(of: "```swift"))
    #expect(shown == Array(overview[(fence + 1)...].prefix { (line) in line != "```" }))
  }

  private func lines(_ path: String) throws -> [String] {
    String(decoding: try File.bytes("\(projectFolder)/\(path)"), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
