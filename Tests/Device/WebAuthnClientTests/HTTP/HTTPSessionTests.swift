// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCommandLine
import PasskeyCrypto
import PasskeyTransfers
import Testing

@testable import WebAuthnBrowser
@testable import WebAuthnClient

struct HTTPSessionTests {
  private func session(
    _ server: FaultServer, _ configure: (inout HTTPSettings) -> Void = { _ in }
  ) throws -> HTTPSession {
    var settings = HTTPSettings()
    configure(&settings)
    return HTTPSession(server: try ServerAddress(server.address), settings: settings)
  }

  @Test func `A closed session finishes its requests and accepts no more`() async throws {
    let server = try FaultServer(.answer())
    let session = try session(server)
    async let first = session.send(ServerRequest("GET", "/first"))
    #expect(try await first.status == 200)
    async let second: Void = session.close()
    async let third: Void = session.close()
    _ = await (second, third)
    await session.close()
    let error = await #expect(throws: ClientError.self) { try await session.send(ServerRequest("GET", "/late")) }
    #expect(error?.code == .cancelled)
    #expect(server.requests.count == 1)
  }

  @Test func `An unused session closes at once`() async throws {
    await HTTPSession(server: try ServerAddress("http://127.0.0.1:1")).close()
  }

  @Test func `A request is sent byte for byte`() async throws {
    let server = try FaultServer(.answer())
    let session = try session(server)
    let path = "/a/../b//c/%2e%2E/%2f?q=a+b&x='{}|\\^[]`~"
    var request = ServerRequest("POST", path, json: Array(#"{"a":"\u0000é"}"#.utf8) + [0])
    request.headers = [HeaderField("Passkey-Step-Up", "grant"), HeaderField("x-empty", "")]
    request.bearer = SecretBytes(utf8: "token")
    let reply = try await session.send(request)
    #expect(reply.status == 200 && reply.body == Array("{}".utf8))
    let sent = try #require(server.requests.first)
    #expect(sent.hasPrefix("POST \(path) HTTP/1.1\r\n"), "\(sent)")
    let lines = sent.lowercased().split(separator: "\r\n").map(String.init)
    for line in [
      "host: 127.0.0.1:\(server.port)", "content-type: application/json", "content-length: \(request.body.count)",
      "passkey-step-up: grant", "x-empty:", "authorization: bearer token", "user-agent: passkey/\(Version.current)",
    ] {
      #expect(lines.contains(line), "\(line) in \(sent)")
    }
    #expect(!sent.lowercased().contains("expect:"))
    #expect(sent.utf8.suffix(request.body.count).elementsEqual(request.body))
  }

  @Test func `A large body is sent without Expect`() async throws {
    let server = try FaultServer(.answer())
    let session = try session(server)
    _ = try await session.send(ServerRequest("PUT", "/", body: [UInt8](repeating: 0x61, count: 300_000)))
    let sent = try #require(server.requests.first)
    #expect(!sent.lowercased().contains("expect:") && sent.utf8.count > 300_000)
  }

  @Test(arguments: ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])
  func `Every method goes without a body`(_ method: String) async throws {
    let server = try FaultServer(
      .reply(
        "HTTP/1.1 200 OK\r\n" + (method == "HEAD" ? "Content-Length: 5\r\n\r\n" : "Content-Length: 0\r\n\r\n"),
        then: .next))
    let session = try session(server)
    for _ in 0..<2 { #expect(try await session.send(ServerRequest(method, "/x")).status == 200) }
    #expect(server.requests.count == 2)
    for sent in server.requests {
      #expect(sent.hasPrefix("\(method) /x HTTP/1.1\r\n"), "\(sent)")
      #expect(!sent.lowercased().contains("content-type"))
    }
  }

  @Test func `Writing methods send a body, empty or JSON`() async throws {
    let server = try FaultServer(.answer())
    let session = try session(server)
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
      _ = try await session.send(ServerRequest(method, "/x", json: Array("{}".utf8)))
      #expect(server.requests.last?.hasSuffix("\r\n\r\n{}") == true)
      #expect(server.requests.last?.hasPrefix("\(method) ") == true)
    }
    // A request with another method shows that the handle retains nothing of the previous one.
    _ = try await session.send(ServerRequest("GET", "/x"))
    #expect(server.requests.last?.hasPrefix("GET /x") == true)
    #expect(server.requests.last?.lowercased().contains("content-length") == false)
  }

  @Test(arguments: [
    ServerRequest("get", "/"), ServerRequest("", "/"), ServerRequest("CONNECT", "/"), ServerRequest("GET", ""),
    ServerRequest("GET", "x"), ServerRequest("GET", "/a b"), ServerRequest("GET", "/a#b"), ServerRequest("GET", "/é"),
    ServerRequest("GET", "/a\r\nX: y"), ServerRequest("GET", "/", body: [1]),
    ServerRequest("GET", "/", headers: [HeaderField("x", "a\r\nb: c")]),
    ServerRequest("GET", "/", headers: [HeaderField("x y", "a")]),
    ServerRequest("GET", "/", headers: [HeaderField("Host", "evil.example")]),
    ServerRequest("GET", "/", headers: [HeaderField("Cookie", "a=b")]),
    ServerRequest("POST", "/", headers: [HeaderField("Transfer-Encoding", "chunked")]),
    ServerRequest("POST", "/", body: [1], contentType: "a\nb"),
  ])
  func `A request that cannot be sent unchanged is refused`(_ request: ServerRequest) async throws {
    let server = try FaultServer(.answer())
    let session = try session(server)
    let error = await #expect(throws: ClientError.self) { try await session.send(request) }
    #expect(error?.code == .requestMalformed)
    #expect(error?.outcome == (request.isWrite ? .notSent : nil))
    #expect(server.connectionCount == 0)
  }

  @Test func `Requests run one after the other`() async throws {
    let server = try FaultServer(.answer())
    let session = try session(server)
    try await withThrowingTaskGroup(of: Int.self) { (group) in
      for number in 0..<20 {
        group.addTask { try await session.send(ServerRequest("POST", "/\(number)")).status }
      }
      for try await status in group { #expect(status == 200) }
    }
    #expect(Set(server.requests.map { $0.prefix { $0 != "\r" } }).count == 20)
    #expect(server.requests.count == 20)
  }

  @Test(.timeLimit(.minutes(10)))
  func `Cancelling a task cancels its request, and a waiting one was never sent`() async throws {
    let server = try FaultServer(.reply("", then: .stall))
    let session = try session(server)
    let first = Task { () -> ClientError? in
      do throws(ClientError) { _ = try await session.send(ServerRequest("POST", "/first")) } catch { return error }
      return nil
    }
    while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    let second = Task { () -> ClientError? in
      do throws(ClientError) { _ = try await session.send(ServerRequest("POST", "/second")) } catch { return error }
      return nil
    }
    try await Task.sleep(for: .milliseconds(50))
    second.cancel()
    let waited = try #require(await second.value)
    #expect(waited.code == .cancelled && waited.outcome == .notSent && waited.domName == "AbortError")
    first.cancel()
    let given = try #require(await first.value)
    #expect(given.code == .cancelled && given.outcome == .unknown)
    #expect(server.requests.count == 1)
    // The session still serves other requests.
    let third = Task { () -> ClientError? in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      do throws(ClientError) { _ = try await session.send(ServerRequest("GET", "/third")) } catch { return error }
      return nil
    }
    let cancelledBefore = try #require(await third.value)
    #expect(cancelledBefore.code == .cancelled && cancelledBefore.outcome == nil)
  }

  @Test func `Cookies persist between requests, unless a request brings its own`() async throws {
    let server = try FaultServer { (_, number) in
      .answer("200 OK", "{}", "Set-Cookie: n=\(number); Path=/; HttpOnly\r\nSet-Cookie: other=x; Path=/\r\n")
    }
    let session = try session(server)
    func sent(_ number: Int) -> String { server.requests[number].lowercased() }
    let first = try await session.send(ServerRequest("GET", "/"))
    #expect(first.cookies.contains("n") && first.cookies.count == 2)
    #expect(!sent(0).contains("cookie:"))
    _ = try await session.send(ServerRequest("GET", "/"))
    #expect(sent(1).contains("n=0") && sent(1).contains("other=x"))
    var bare = ServerRequest("GET", "/")
    bare.cookies = CookieJar()
    _ = try await session.send(bare)
    #expect(!sent(2).contains("cookie:"))
    var old = ServerRequest("GET", "/")
    old.cookies = first.cookies
    _ = try await session.send(old)
    #expect(sent(3).contains("n=0"))
    // In another session, like another process.
    let later = HTTPSession(server: session.server)
    _ = try await later.send(old)
    #expect(sent(4).contains("n=0") && sent(4).contains("other=x"))
    let elsewhere = HTTPSession(server: try ServerAddress("http://localhost:\(server.port)"))
    _ = try await elsewhere.send(old)
    #expect(!sent(5).contains("n=0"))
  }

  @Test func `The last header of a response counts, and trailers do not`() async throws {
    let server = try FaultServer(
      .reply(
        "HTTP/1.1 100 Continue\r\nx-early: 1\r\n\r\nHTTP/1.1 200 OK\r\nX-Late:  2 \r\nTwice: a\r\ntwice: b\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx-trailer: 3\r\n\r\n", then: .next))
    let session = try session(server)
    let reply = try await session.send(ServerRequest("GET", "/"))
    #expect(reply.header("x-early") == nil && reply.header("X-LATE") == "2" && reply.header("x-trailer") == nil)
    #expect(reply.header("twice") == nil)
    #expect(reply.body == Array("{}".utf8))
  }

  @Test func `A response body has a maximum length`() async throws {
    let body = String(repeating: "x", count: 5_000)
    let server = try FaultServer(.answer("200 OK", body))
    #expect(
      try await session(server) { $0.maximumReplyByteCount = 5_000 }.send(ServerRequest("GET", "/")).body.count == 5_000
    )
    let error = await #expect(throws: ClientError.self) {
      try await session(server) { $0.maximumReplyByteCount = 4_999 }.send(ServerRequest("GET", "/"))
    }
    #expect(error?.code == .replyTooLarge)
  }

  @Test func `Unencrypted requests stay on this machine, whatever a name resolves to`() async throws {
    for address in [
      "http://raxx.app", "http://127.0.0.1.evil.example", "http://10.0.0.1", "http://[::2]", "http://128.0.0.1",
    ] {
      let error = #expect(throws: ClientError.self) { try ServerAddress(address) }
      #expect(error?.code == .addressUnencrypted)
      #expect(error?.domName == "SecurityError")
    }
    let server = try FaultServer(.answer())
    var settings = HTTPSettings()
    settings.connectTo = ["localhost:80:127.0.0.1:\(server.port)"]
    #expect(
      try await HTTPSession(server: ServerAddress("http://localhost"), settings: settings).send(
        ServerRequest("GET", "/")
      ).status == 200)
    settings.connectTo = []
    settings.resolve = ["localhost:80:192.0.2.1"]
    let session = HTTPSession(server: try ServerAddress("http://localhost"), settings: settings)
    let error = await #expect(throws: ClientError.self) { try await session.send(ServerRequest("POST", "/")) }
    #expect(error?.code == .addressUnencrypted && error?.outcome == .notSent, "\(String(describing: error))")
  }

  @Test func `The environment's proxy is not used for this machine`() async {
    await #expect(processExitsWith: .success) {
      let proxy = try FaultServer(.answer("403 Forbidden", ""))
      let server = try FaultServer(.answer())
      for name in ["http_proxy", "https_proxy", "all_proxy"] {
        unsafe setenv(name, "http://127.0.0.1:\(proxy.port)", 1)
      }
      let own = try await HTTPSession(server: ServerAddress(server.address)).send(ServerRequest("GET", "/"))
      guard own.status == 200, proxy.connectionCount == 0 else { _exit(1) }
      do throws(ClientError) {
        _ = try await HTTPSession(server: try ServerAddress("https://raxx.app")).send(ServerRequest("GET", "/"))
        _exit(2)
      } catch {
        // Exit immediately: objects that are still in use would be reported as leaks.
        _exit(error.code == .proxyFailed && proxy.requests.count == 1 ? 0 : 3)
      }
    }
  }

  @Test func `A malformed address in the settings is reported`() async throws {
    var settings = HTTPSettings()
    settings.resolve = ["nonsense"]
    let session = HTTPSession(server: try ServerAddress("https://raxx.app"), settings: settings)
    let error = await #expect(throws: ClientError.self) { try await session.send(ServerRequest("POST", "/")) }
    #expect(error?.code == .requestMalformed && error?.outcome == .notSent, "\(String(describing: error))")
  }

  @Test(.timeLimit(.minutes(10)))
  func `A released session ends its thread`() async throws {
    let server = try FaultServer(.answer())
    weak var queue: TransferQueue?
    do {
      let session = try session(server)
      _ = try await session.send(ServerRequest("GET", "/"))
      queue = session.queue
    }
    while queue != nil { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test(arguments: [
    ("403 Forbidden", "the proxy refused to connect to https://raxx.app (status 403)"),
    (
      "407 Proxy Authentication Required",
      "the proxy for https://raxx.app asks for a user name and a password (status 407)"
    ),
  ])
  func `A configured proxy is used, and its refusal is reported`(status: String, detail: String) async throws {
    let proxy = try FaultServer(.answer(status, ""))
    var settings = HTTPSettings()
    settings.proxy = "http://127.0.0.1:\(proxy.port)"
    let session = HTTPSession(server: try ServerAddress("https://raxx.app"), settings: settings)
    var request = ServerRequest("POST", "/orders", json: [])
    request.bearer = SecretBytes(utf8: "token")
    let error = await #expect(throws: ClientError.self) { try await session.send(request) }
    #expect(error?.code == .proxyFailed, "\(String(describing: error))")
    #expect(error?.outcome == .notSent)
    #expect(error?.detail == detail)
    let sent = try #require(proxy.requests.first)
    #expect(sent.hasPrefix("CONNECT raxx.app:443 HTTP/1.1\r\n"))
    #expect(!sent.contains("token"))
  }
}
