// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyHTTP
import PasskeyHTTPServer
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// Uses OpenSSL's command line as the client and to create temporary certificates.
@Suite(.enabled(if: OpenSSLTool.isThere, "the command line of OpenSSL is not here"))
struct TLSTests {
  @Test func `requests over TLS are answered, and versions before 1.2 are refused`() async throws {
    let folder = try TemporaryFolder()
    let tls = try await waiting { [path = folder.path] in try OpenSSLTool.makeIdentity("server", in: path) }
    try await withServer({ $0.tls = tls }) { (server) in
      let request =
        "POST /there HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 5\\r\\nConnection: close\\r\\n\\r\\nhello"
      for (options, isSpoken) in [("-tls1_3", true), ("-tls1_2", true), ("-tls1_1 -cipher ALL:@SECLEVEL=0", false)] {
        let answer = try await waiting { [port = server.port] in
          OpenSSLTool.output(
            of: "printf '\(request)' | openssl s_client -quiet -verify_return_error -CAfile \(tls.certificatePath)"
              + " -connect 127.0.0.1:\(port) \(options)")
        }
        #expect(answer.hasPrefix("HTTP/1.1 200") == isSpoken, "\(options): \(answer)")
        guard isSpoken else { continue }
        // Other hosts of the domain may have no TLS.
        #expect(answer.lowercased().contains("strict-transport-security: max-age=63072000\r\n"))
        #expect(answer.contains(#""count":5,"client":"127.0.0.1","encrypted":true"#))
      }
    }
  }

  @Test(arguments: [StrictTransportSecurity.off, .subdomains])
  func `the hosts below are reached only with TLS if the operator says so`(choice: StrictTransportSecurity) throws {
    var headers = EndpointHeaders()
    SecurityHeaders.add(to: &headers, isEncrypted: true, transport: choice)
    let expected = choice == .off ? nil : "max-age=63072000; includeSubDomains"
    #expect(headers["strict-transport-security"] == expected)
  }

  /// Offers each suite alone, as a scanner does: only suites with forward secrecy and AEAD complete the handshake (RFC
  /// 9325 §4.2).
  @Test(arguments: ["ec", "rsa"])
  func `TLS 1.2 accepts only suites with forward secrecy and AEAD`(kind: String) async throws {
    let folder = try TemporaryFolder()
    let tls = try await waiting { [path = folder.path] in
      try OpenSSLTool.makeIdentity("server", in: path, isRSA: kind == "rsa")
    }
    try await withServer({ $0.tls = tls }) { (server) in
      let (accepted, offered) = try await waiting { [port = server.port] in
        let suites = OpenSSLTool.output(of: "openssl ciphers -tls1_2 ALL:eNULL:@SECLEVEL=0").split {
          ":\n".contains($0)
        }
        let accepted = suites.filter { (suite) in
          OpenSSLTool.output(
            of: "openssl s_client -tls1_2 -cipher \(suite):@SECLEVEL=0 -connect 127.0.0.1:\(port) </dev/null"
          ).contains("Cipher is \(suite)\n")
        }
        return (Set(accepted.map(String.init)), suites.count)
      }
      #expect(offered > 40)
      let name = kind == "ec" ? "ECDHE-ECDSA" : "ECDHE-RSA"
      #expect(
        accepted == ["\(name)-AES256-GCM-SHA384", "\(name)-AES128-GCM-SHA256", "\(name)-CHACHA20-POLY1305"])
    }
  }

  @Test func `a client that does not use TLS is disconnected`() async throws {
    let folder = try TemporaryFolder()
    let tls = try await waiting { [path = folder.path] in try OpenSSLTool.makeIdentity("server", in: path) }
    try await withServer({
      $0.tls = tls
      $0.limits.inactivity = .seconds(1)
      $0.limits.requestDeadline = .seconds(1)
    }) { (server) in
      let found = try await waiting { [port = server.port] in
        let plain = try RawClient(port: port)
        plain.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        let silent = try RawClient(port: port)
        return (plain.answer(), plain.isEnded(), silent.isEnded())
      }
      #expect(found == (nil, true, true))
      #expect(await eventually { server.connectionCount == 0 })
    }
  }

  @Test func `an unusable certificate prevents the start`() async throws {
    let folder = try TemporaryFolder()
    let (one, other) = try await waiting { [path = folder.path] in
      (try OpenSSLTool.makeIdentity("one", in: path), try OpenSSLTool.makeIdentity("other", in: path))
    }
    let unusable = [
      TLSFiles(certificatePath: one.certificatePath, keyPath: other.keyPath),
      TLSFiles(certificatePath: one.keyPath, keyPath: one.certificatePath),
      TLSFiles(certificatePath: one.certificatePath, keyPath: "\(folder.path)/none"),
      TLSFiles(certificatePath: "/dev/null", keyPath: one.keyPath),
      TLSFiles(certificatePath: "/dev/zero", keyPath: one.keyPath),
    ]
    for tls in unusable {
      let error = #expect(throws: EndpointError.self) {
        try HTTPServer(HTTPServerConfiguration(tls: tls), handler: Echo.answer)
      }
      #expect(error?.code == .certificateUnusable)
    }
  }
}

enum OpenSSLTool {
  static let isThere = output(of: "openssl version").hasPrefix("OpenSSL")

  /// Creates a self-signed certificate for localhost, and its key.
  static func makeIdentity(_ name: String, in folder: String, isRSA: Bool = false) throws -> TLSFiles {
    let files = TLSFiles(certificatePath: "\(folder)/\(name).crt", keyPath: "\(folder)/\(name).key")
    _ = output(
      of:
        "openssl req -x509 -newkey \(isRSA ? "rsa:2048" : "ec -pkeyopt ec_paramgen_curve:P-256") -nodes -subj /CN=localhost -days 2"
        + " -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -out \(files.certificatePath) -keyout \(files.keyPath)")
    _ = try File.bytes(files.keyPath)
    return files
  }

  /// Returns the standard output of a command.
  static func output(of command: String) -> String {
    guard let stream = unsafe popen("( \(command) ) 2>/dev/null", "r") else { return "" }
    defer { unsafe pclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while case let count = unsafe fread(&chunk, 1, chunk.count, stream), count > 0 { bytes += chunk.prefix(count) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
