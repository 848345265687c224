// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeySystem
import Testing
import WebAuthnClient
import WebAuthnTypes

struct RelatedOriginsTests {
  /// A document with constant content that counts its requests.
  final class Document: RelatedOriginsSource {
    private let origins: Result<RelatedOrigins, ClientError>
    let asked = Locked<[String]>([])

    init(_ origins: [String]) throws {
      let list = origins.map { (origin) in "\"\(origin)\"" }.joined(separator: ",")
      self.origins = .success(try RelatedOrigins(json: [UInt8]("{\"origins\":[\(list)]}".utf8)[...]))
    }

    init(failing error: ClientError) {
      origins = .failure(error)
    }

    func document(of relyingParty: RelyingPartyID) async throws(ClientError) -> RelatedOrigins {
      asked.withLock { (asked) in asked.append(relyingParty.text) }
      return try origins.get()
    }
  }

  private func granted(_ origin: String, _ document: Document) async throws -> ClientError.Code? {
    let scope = RelyingPartyScope(
      of: try WebOrigin(origin), publicSuffixes: PublicSuffixList.system, relatedOrigins: document)
    return try await failure { try await scope.relyingPartyID(requested: RelyingPartyID("raxx.app")) }?.code
  }

  @Test func `an origin in the document may use the RP ID`() async throws {
    let document = try Document(["https://raxx.co.uk", "https://aiday.example:8443"])
    #expect(try await granted("https://raxx.co.uk", document) == nil)
    #expect(try await granted("https://aiday.example:8443", document) == nil)
    #expect(document.asked.withLock { (asked) in asked } == ["raxx.app", "raxx.app"])
  }

  @Test func `another port, scheme or host is another origin`() async throws {
    let document = try Document(["https://raxx.co.uk", "http://aiday.example"])
    #expect(try await granted("https://raxx.co.uk:8443", document) == .originNotAllowed)
    #expect(try await granted("https://www.raxx.co.uk", document) == .originNotAllowed)
    #expect(try await granted("https://aiday.example", document) == .originNotAllowed)
    #expect(try await granted("http://aiday.example", document) == .originInsecure)
  }

  @Test func `the document is fetched only if needed`() async throws {
    let document = try Document([])
    #expect(try await granted("https://api.raxx.app", document) == nil)
    #expect(try await granted("https://127.0.0.1", document) == .originHasNoDomain)
    #expect(document.asked.withLock { (asked) in asked }.isEmpty)
  }

  @Test func `five labels count, and a sixth does not`() async throws {
    let six = (1...6).map { (number) in "https://label\(number).com" }
    #expect(try await granted("https://label5.com", Document(six)) == nil)
    #expect(try await granted("https://label6.com", Document(six)) == .originNotAllowed)
  }

  @Test func `a label counts once, under any public suffix`() async throws {
    let same = ["https://a.com", "https://a.de", "https://www.a.co.uk", "https://b.com", "https://c.com"]
    #expect(try await granted("https://e.com", Document(same + ["https://d.com", "https://e.com"])) == nil)
    // After five labels, a further origin with one of these labels still counts.
    let full = (1...5).map { (number) in "https://label\(number).com" } + ["https://six.com", "https://label1.fr"]
    #expect(try await granted("https://label1.fr", Document(full)) == nil)
    #expect(try await granted("https://six.com", Document(full)) == .originNotAllowed)
  }

  @Test func `an origin without a label is skipped`() async throws {
    let nothing = [
      "https://com", "https://co.uk", "https://github.io", "https://127.0.0.1", "https://[::1]", "nonsense",
      "ftp://x.com",
    ]
    let five = (1...5).map { (number) in "https://label\(number).com" }
    #expect(try await granted("https://label5.com", Document(nothing + five)) == nil)
    #expect(try await granted("https://github.io", Document(nothing)) == .originNotAllowed)
  }

  @Test func `a document that cannot be fetched is reported with its cause`() async throws {
    for code in [ClientError.Code.relatedOriginsUnavailable, .unreachable, .redirected, .replyTimedOut] {
      let document = Document(failing: ClientError(code))
      #expect(try await granted("https://raxx.co.uk", document) == .relatedOriginsUnavailable)
    }
    let document = Document(failing: ClientError(.cancelled))
    #expect(try await granted("https://raxx.co.uk", document) == .cancelled)
  }
}
