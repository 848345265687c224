// SPDX-License-Identifier: Apache-2.0

import PasskeyCOSE
import PasskeyCrypto
import PasskeyFormats
import PasskeyService
import PasskeyServiceTestSupport
import PasskeyTestSupport
import PasskeyTransparencyLog
import Testing

@testable import PasskeyHTTP

/// The audit log for monitors: `/api/audit`.
struct AuditTileEndpointTests {
  /// A server with a log, and the folder of a monitor.
  private struct LogServer {
    let world: EndpointWorld
    let folder: TemporaryFolder

    init(limits: Endpoints.Limits = .none) throws {
      world = try EndpointWorld(limits: limits, servesAuditTiles: true)
      folder = try TemporaryFolder()
    }

    /// Appends records and sequences them.
    func grow(by count: Int) async throws {
      for _ in 0..<count { try await world.storage.append([Sample.draft(address: "192.0.2.1")]) }
      _ = try await world.service.auditSequencer().sequence(at: world.now)
    }

    /// Runs the monitor, and returns its output.
    func monitor(_ verifier: String, proof: String = "") async throws -> String {
      let program = "PYTHONDONTWRITEBYTECODE=1 python3 '\(projectFolder)/Tests/Interop/log_monitor.py'"
      let arguments = "'\(verifier)' \(world.url)/api/audit state \(proof)"
      return try await waiting { [path = folder.path] in try Shell.run("\(program) \(arguments)", in: path) }
    }

    func get(_ path: String) async throws -> RawClient.Answer { try await world.receive("GET", "/api/audit/\(path)") }
  }

  @Test func `without the setting nothing is served or described`() async throws {
    let world = try EndpointWorld()
    for path in ["/api/audit/checkpoint", "/api/audit/tile/0/000.p/1"] {
      try await world.send("GET", path).expect(404)
    }
    #expect(!String(decoding: world.endpoints.openAPIDocument, as: UTF8.self).contains("/api/audit"))
  }

  @Test func `a store without a log has no checkpoint and no tile`() async throws {
    let server = try LogServer()
    try await server.world.send("GET", "/api/audit/checkpoint").expect(404, "http.not-found")
    #expect(try await server.get("tile/0/000.p/1").status == 404)
  }

  @Test func `checkpoint and tiles have the types and the caching of their content, and other paths get 404`()
    async throws
  {
    let server = try LogServer()
    let log = try await server.world.service.beginAuditLog(in: server.world.console)
    try await server.grow(by: 299)
    // This request is checked against the description of the server.
    try await server.world.send("GET", "/api/audit/checkpoint").expect(200)
    let checkpoint = try await server.get("checkpoint")
    #expect(checkpoint.header("content-type") == "text/plain; charset=utf-8")
    #expect(checkpoint.header("cache-control") == "public, max-age=1")
    #expect(checkpoint.body.hasPrefix("\(log.origin)\n300\n"))
    for (path, count) in [
      ("0/000", 8_192), ("0/000.p/5", 160), ("0/001.p/44", 1_408), ("0/001.p/1", 32), ("1/000.p/1", 32),
    ] {
      let tile = try await server.get("tile/\(path)")
      #expect(tile.status == 200 && tile.header("content-length") == "\(count)", "\(path)")
      #expect(tile.header("content-type") == "application/octet-stream")
      #expect(tile.header("cache-control") == "public, max-age=86400, immutable")
    }
    let missing = [
      "0/001", "0/001.p/45", "0/002.p/1", "1/000", "1/000.p/2", "2/000.p/1", "0/000.p/0", "0/000.p/256", "0/0",
      "0/x000/000",
      "8/000.p/1", "entries/000", "entries/000.p/1", "0", "0/", "0/000/", "0/000.p", "-1/000", "0/%2e%2e",
    ]
    for path in missing {
      let answer = try await server.get("tile/\(path)")
      #expect(answer.status == 404 || answer.status == 400, "\(path)")
      #expect(answer.header("cache-control") == "no-store")
    }
    #expect(try await server.get("tile").status == 404)
    let document = server.world.endpoints.openAPIDocument
    let description = try JSON.parse(document[...], maximumSize: document.count)
    let paths = try description.require("paths").members.map(\.name)
    #expect(paths.contains("/api/audit/checkpoint") && paths.contains("/api/audit/tile/{tile}"))
  }

  @Test func `requests of one address are limited`() async throws {
    var limits = Endpoints.Limits.none
    limits.tilesPerAddress = RateLimit(burst: 2, then: .seconds(10))
    let server = try LogServer(limits: limits)
    try await server.world.service.beginAuditLog(in: server.world.console)
    #expect(try await server.get("tile/0/000.p/1").status == 200)
    try await server.world.send("GET", "/api/audit/checkpoint").expect(200)
    try await server.world.send("GET", "/api/audit/checkpoint").expect(429, "http.too-many-requests")
    #expect(try await server.get("tile/0/000.p/1").header("retry-after") == "10")
    server.world.pass(10)
    #expect(try await server.get("tile/0/000.p/1").status == 200)
  }

  @Test func `a monitor in Python verifies the tree, its growth and a record`() async throws {
    let server = try LogServer()
    let log = try await server.world.service.beginAuditLog(in: server.world.console)
    #expect(try await server.monitor(log.verifier) == "0 to 1\n")
    try await server.grow(by: 254)
    #expect(try await server.monitor(log.verifier) == "1 to 255\n")
    try await server.grow(by: 1)
    #expect(try await server.monitor(log.verifier) == "255 to 256\n")
    try await server.grow(by: 444)
    let proof = try await server.world.service.auditProof(of: .number(300)).bytes
    try File.write(proof, to: "\(server.folder.path)/record.tlog-proof")
    #expect(try await server.monitor(log.verifier, proof: "record.tlog-proof") == "256 to 700\n")
    // The monitor finds what is wrong.
    let text = String(decoding: proof, as: UTF8.self)
    let moved = text.replacing("index 299", with: "index 298")
    #expect(moved != text)
    try File.write(Array(moved.utf8), to: "\(server.folder.path)/moved.tlog-proof")
    let refused = try await server.monitor(log.verifier, proof: "moved.tlog-proof")
    #expect(refused.hasPrefix("refused: the proof of inclusion"))
  }
}
