// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

@testable import PasskeyHTTP
@testable import PasskeyHTTPServer

/// Renewal of the certificate, and with it the daemons, while the server runs.
struct RenewalTests {
  static let canServeTLS = OpenSSLTool.isThere && OpenSSLTool.output(of: "python3 -V").hasPrefix("Python")

  @Test func `daemons are replaced under load without losing a request`() async throws {
    try await withServer({ $0.threadCount = 2 }) { (server) in
      let port = server.port
      let (answered, ended, lost) = (Tally(), Tally(), Tally())
      let isOver = Tally()
      try await withThrowingTaskGroup { (group) in
        for _ in 0..<8 {
          group.addTask {
            try await waiting {
              while isOver.value == 0 {
                guard let client = try? RawClient(port: port) else { return lost.add() }
                var isOpen = true
                while isOpen, isOver.value == 0 {
                  client.send("POST /load HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc")
                  guard let answer = client.answer(), answer.status == 200 else { return lost.add() }
                  answered.add()
                  isOpen = answer.header("connection") != "close"
                  if !isOpen { ended.add() }
                }
              }
            }
          }
        }
        for round in 1...20 {
          #expect(await eventually { answered.value > round * 100 })
          #expect(try server.daemons.renew(nil))
        }
        let count = answered.value
        #expect(await eventually { answered.value > count + 100 })
        isOver.add()
        try await group.waitForAll()
      }
      #expect(lost.value == 0)
      // Each of the eight clients was told at least once that its connection closes.
      #expect(ended.value >= 8)
      #expect(await eventually { server.daemons.count == 1 && server.connectionCount == 0 })
    }
  }

  @Test func `running requests finish after a renewal, and idle connections stay usable`()
    async throws
  {
    let gate = Gate()
    let handler: EndpointHandler = { (request) in
      if request.target.path == "/begun" { await gate.pass() }
      return await Echo.answer(request)
    }
    try await withServer(handler: handler) { (server) in
      let port = server.port
      let (begun, idle) = try await waiting {
        let clients = (Unchecked(try RawClient(port: port)), Unchecked(try RawClient(port: port)))
        clients.0.value.send("GET /begun HTTP/1.1\r\nHost: h\r\n\r\n")
        return clients
      }
      #expect(await eventually { gate.count == 1 && server.connectionCount == 2 })
      #expect(try server.daemons.renew(nil))
      let new = try await waiting {
        let client = try RawClient(port: port)
        client.send("GET /new HTTP/1.1\r\nHost: h\r\n\r\n")
        return client.answer()
      }
      #expect(new?.status == 200 && new?.header("connection") == nil)
      // A daemon without connections, which was replaced later, is gone.
      #expect(try server.daemons.renew(nil))
      #expect(await eventually { server.daemons.count == 2 })
      let answer = try await waiting {
        idle.value.send("GET /idle HTTP/1.1\r\nHost: h\r\n\r\n")
        return idle.value.answer()
      }
      #expect(answer?.status == 200 && answer?.header("connection") == "close")
      gate.open()
      let last = try await waiting { begun.value.answer() }
      #expect(last?.body.contains(#""path":"/begun""#) == true && last?.header("connection") == "close")
      #expect(await eventually { server.daemons.count == 1 })
    }
  }

  @Test func `a server that stops after a renewal finishes old requests, and renews no more`() async throws {
    let gate = Gate()
    let handler: EndpointHandler = { (request) in
      await gate.pass()
      return await Echo.answer(request)
    }
    try await withServer(handler: handler) { (server) in
      let port = server.port
      let clients = try await waiting {
        try (0..<4).map { (_) -> Unchecked<RawClient> in
          let client = try RawClient(port: port)
          client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
          return Unchecked(client)
        }
      }
      #expect(await eventually { gate.count == 4 })
      #expect(try server.daemons.renew(nil))
      await server.stop(within: .milliseconds(50))
      gate.open()
      let answers = try await waiting { clients.map { $0.value.answer()?.status } }
      #expect(answers == [503, 503, 503, 503])
      #expect(try server.daemons.renew(nil) == false)
      await #expect(throws: RawClient.Unreachable.self) { try await waiting { _ = try RawClient(port: port) } }
    }
  }

  @Test(.enabled(if: canServeTLS, "the command line of OpenSSL, or Python, is not here"))
  func `a certificate is replaced under load, and an unusable one is refused`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    try await waiting {
      for name in ["one", "other"] { _ = try OpenSSLTool.makeIdentity(name, in: path) }
      _ = OpenSSLTool.output(of: "cd \(path) && cat one.crt other.crt >both.crt && cp one.crt crt && cp one.key key")
    }
    let tls = TLSFiles(certificatePath: "\(path)/crt", keyPath: "\(path)/key")
    let begin: @Sendable (inout HTTPServerConfiguration) -> Void = {
      $0.tls = tls
      $0.threadCount = 2
    }
    let answered = Tally()
    let handler: EndpointHandler = { (request) in
      answered.add()
      return await Echo.answer(request)
    }
    try await withServer(begin, handler: handler) { (server) in
      let port = server.port
      async let load = waiting {
        OpenSSLTool.output(
          of: "python3 \(projectFolder)/Tests/Interop/keep_alive.py \(port) \(path)/both.crt 8 \(path)")
      }
      #expect(await eventually { unsafe access("\(path)/begun", F_OK) == 0 })
      #expect(try server.renewCertificate() == false)
      for name in ["other", "one", "other", "one", "other"] {
        // In between, the key does not match the certificate.
        _ = try await waiting { OpenSSLTool.output(of: "cp \(path)/\(name).crt \(path)/crt") }
        let error = #expect(throws: EndpointError.self) { try server.renewCertificate() }
        #expect(error?.code == .certificateUnusable)
        #expect(try await shown(port, path) != fingerprint(name, path))
        _ = try await waiting { OpenSSLTool.output(of: "cp \(path)/\(name).key \(path)/key") }
        #expect(try server.renewCertificate())
        #expect(try await shown(port, path) == fingerprint(name, path))
        // Each of the eight clients has met the new certificate, or will.
        let count = answered.value
        #expect(await eventually { answered.value > count + 80 })
      }
      _ = try await waiting { OpenSSLTool.output(of: "head -c 100 \(path)/one.crt >\(path)/crt; rm \(path)/key") }
      #expect(throws: EndpointError.self) { try server.renewCertificate() }
      #expect(try await shown(port, path) == fingerprint("other", path))
      _ = try await waiting { OpenSSLTool.output(of: "touch \(path)/stop") }
      let result = try JSON.parse([UInt8](try await load.utf8))
      let lost = try #require(try result["lost"]).array.map { try $0.string }
      #expect(lost == [])
      #expect(try #require(try result["answered"]).integer(Int.self) >= 300)
      #expect(try #require(try result["ended"]).integer(Int.self) >= 8)
      #expect(try #require(try result["certificates"]).array.map { try $0.string }.count == 2)
      #expect(await eventually { server.daemons.count == 1 })
    }
  }

  @Test func `a server without a certificate cannot renew it`() async throws {
    try await withServer { (server) in
      let isRenewed = try server.renewCertificate()
      #expect(!isRenewed)
      #expect(server.daemons.count == 1)
    }
  }

  /// Returns the certificate that the server presents to a new connection.
  private func shown(_ port: UInt16, _ folder: String) async throws -> String {
    try await waiting {
      OpenSSLTool.output(
        of: "openssl s_client -CAfile \(folder)/both.crt -connect 127.0.0.1:\(port) </dev/null"
          + " | openssl x509 -noout -fingerprint")
    }
  }

  private func fingerprint(_ name: String, _ folder: String) async throws -> String {
    let text = try await waiting {
      OpenSSLTool.output(of: "openssl x509 -noout -fingerprint -in \(folder)/\(name).crt")
    }
    #expect(!text.isEmpty)
    return text
  }
}
