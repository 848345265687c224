// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyHTTP
import PasskeyProfiles
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct ClientMarkTests {
  private static func mark(_ text: String, of user: String?) throws -> ClientMark {
    ClientMark(
      server: try ServerAddress("https://raxx.app"), profile: "raxx", user: user, content: SecretBytes(utf8: text))
  }

  @Test func `A store returns the latest mark of a user, or of any user`() throws {
    let marks = MemoryClientMarks()
    let server = try ServerAddress("https://raxx.app")
    #expect(marks.mark(at: server, profile: "raxx", user: nil) == nil)
    marks.keep(try Self.mark("one", of: "ada@raxx.app"))
    marks.keep(try Self.mark("two", of: "bob@raxx.app"))
    #expect(try marks.mark(at: server, profile: "raxx", user: nil) == Self.mark("two", of: "bob@raxx.app"))
    marks.keep(try Self.mark("three", of: "Ada@raxx.app"))
    #expect(try marks.mark(at: server, profile: "raxx", user: "ADA@raxx.app") == Self.mark("three", of: "Ada@raxx.app"))
    #expect(try marks.mark(at: server, profile: "raxx", user: nil) == Self.mark("three", of: "Ada@raxx.app"))
    #expect(marks.mark(at: server, profile: "raxx", user: "eve@raxx.app") == nil)
    #expect(marks.mark(at: server, profile: "yapt", user: "ada@raxx.app") == nil)
    #expect(try marks.mark(at: ServerAddress("https://evil.example"), profile: "raxx", user: nil) == nil)
  }

  @Test func `A mark survives a round trip, and shows its secret nowhere else`() throws {
    let mark = try Self.mark("secret-mark", of: "ada@raxx.app")
    #expect(try ClientMark(json: mark.json[...]) == mark)
    #expect(try ClientMark(json: Self.mark("x", of: nil).json[...]) == Self.mark("x", of: nil))
    var shown = "\(mark) \(String(reflecting: mark))"
    dump(mark, to: &shown)
    #expect(!shown.contains("secret-mark"))
    for text in ["", "{}", "[]", #"{"version":2,"server":"https://raxx.app","profile":"raxx","mark":"x"}"#] {
      #expect(throws: ClientError.self) { try ClientMark(json: Array(text.utf8)[...]) }
    }
  }

  @Test func `A mark that is not a valid header value is not sent`() throws {
    let handshake = try PasskeyOwner().handshake(.raxx, at: "https://raxx.app")
    for (text, isSent) in [
      ("abc.def", true), (String(repeating: "a", count: 2_048), true), (String(repeating: "a", count: 2_049), false),
      ("a\r\nHost: b", false), ("", false), ("a b", false),
    ] {
      handshake.marks.keep(try Self.mark(text, of: "ada@raxx.app"))
      let request = try handshake.request(.signInOptions, of: "ada@raxx.app")
      #expect(request.headers.contains { $0.name == "passkey-client" && $0.value == text } == isSent, "\(text.count)")
    }
  }

  @Test(arguments: [ServiceProfile.raxx, .yapt])
  func `A client sends its mark in every ceremony from its first sign-in on, to its server only`(
    profile: ServiceProfile
  ) async throws {
    let world = try ServerWorld(profile.name == "yapt" ? .yapt : .raxx)
    let handshake = try PasskeyOwner().handshake(profile, at: world.address)
    func shown(_ endpoint: EndpointName, of user: String?) throws -> Bool {
      let request = try handshake.request(endpoint, of: user)
      return request.headers.contains { $0.name == "passkey-client" }
        || request.cookies?.contains("yapt.sid.client") == true
    }
    #expect(try !shown(.signInOptions, of: "ada@example.org"))
    let session = try #require(try await handshake.register(user: "ada@example.org").session)
    for endpoint in EndpointName.allCases where profile[endpoint]?.path.contains("{") == false {
      #expect(try shown(endpoint, of: "ada@example.org") == endpoint.isCeremony, "\(endpoint)")
    }
    #expect(try !shown(.signInOptions, of: "bob@example.org"))
    #expect(try shown(.signInOptions, of: nil))
    let first = handshake.marks.mark(at: handshake.http.server, profile: profile.name, user: nil)
    try await handshake.signOut(of: session)
    world.pass(60)
    _ = try await handshake.signIn(user: "ada@example.org")
    let second = handshake.marks.mark(at: handshake.http.server, profile: profile.name, user: "ada@example.org")
    // The new mark expires later and is for the same client.
    #expect(first != nil && second != nil && first != second)
  }
}
