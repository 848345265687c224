// SPDX-License-Identifier: Apache-2.0

import Testing
import WebAuthnClient

@testable import PasskeyAudit

/// Sites whose documents cannot be judged, and lists of origins.
struct DocumentChecksTests {
  private static func verdict(
    _ id: String, relyingPartyID: String? = nil, _ answer: @escaping @Sendable (String) -> ServerReply
  ) async throws -> Verdict {
    var options = try AuditTests.options("https://shop.example")
    options.relyingPartyID = relyingPartyID
    options.requestsPerSecond = 1_000_000
    let world = try AuditWorld(options, transport: AuditTransport { answer($0.path) })
    let check = try #require(Check.all.first { $0.id == id })
    do {
      return try await check.run(world)
    } catch let error as CannotTell {
      return .cannotTell(error.reason)
    }
  }

  private static func json(_ text: String) -> ServerReply {
    ServerReply(status: 200, headers: [HeaderField("content-type", "application/json")], body: Array(text.utf8))
  }

  private static let sameAnswer = Verdict.cannotTell(
    "the server answers unknown paths in the same way, so it may not have the document")

  @Test(arguments: [
    "documents.webauthn-json", "documents.webauthn-type", "documents.passkey-endpoints-json",
    "documents.assetlinks-json",
    "documents.apple-json",
  ])
  func `a single-page application does not fail`(id: String) async throws {
    let verdict = try await Self.verdict(id) { (path) in
      ServerReply(
        status: 200, headers: [HeaderField("content-type", "text/html; charset=utf-8")], body: Array("<p>\(path)".utf8))
    }
    #expect(verdict == Self.sameAnswer)
  }

  @Test(arguments: ["documents.assetlinks-redirect", "documents.apple-redirect", "documents.webauthn-redirect"])
  func `a site that redirects every path does not fail`(id: String) async throws {
    let verdict = try await Self.verdict(id) { (_) in
      ServerReply(status: 302, headers: [HeaderField("location", "http://shop.example/login")])
    }
    #expect(verdict == Self.sameAnswer)
  }

  @Test func `a page instead of a document fails if other paths are unknown`() async throws {
    let verdict = try await Self.verdict("documents.webauthn-json") { (path) in
      path.hasSuffix("/webauthn") ? Self.json("<p>") : ServerReply(status: 404)
    }
    #expect(
      verdict == .fail("/.well-known/webauthn: the document is not an object with the list `origins`"))
  }

  @Test func `the documents of another host are not judged`() async throws {
    let verdict = try await Self.verdict("documents.webauthn-json", relyingPartyID: "example.org") { (_) in
      Self.json("{}")
    }
    #expect(
      verdict == .cannotTell("/.well-known/webauthn belongs to example.org, the RP ID, and not to this host"))
  }

  @Test(arguments: ["documents.webauthn-origins", "documents.webauthn-labels"])
  func `an invalid list of origins is not judged further`(id: String) async throws {
    let verdict = try await Self.verdict(id) { (_) in Self.json(#"{"origins":[1]}"#) }
    #expect(verdict == .cannotTell("the document has no list `origins`"))
  }

  @Test func `a label is the name below a public suffix`() async throws {
    func verdict(_ hosts: [String]) async throws -> Verdict {
      let list = hosts.map { "\"https://\($0)\"" }.joined(separator: ",")
      return try await Self.verdict("documents.webauthn-labels") { (path) in
        path.hasSuffix("/webauthn") ? Self.json("{\"origins\":[\(list)]}") : ServerReply(status: 404)
      }
    }
    let one = ["shop.com", "shop.co.uk", "www.shop.com.au", "a.b.shop.jp", "shop.co.jp", "shop.org"]
    #expect(try await verdict(one) == .pass)
    let six = (1...6).map { "shop\($0).co.uk" }
    #expect(try await verdict(six) == .fail("/.well-known/webauthn: the origins have 6 different names"))
  }
}
