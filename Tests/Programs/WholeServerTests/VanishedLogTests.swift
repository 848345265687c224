// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// A server whose database is replaced by one without its transparency log.
@Suite struct VanishedLogTests {
  @Test func `a log that vanishes under a running server is reported, and again after a restart`() async throws {
    let place = try await ServerPlace(.sqlite())
    let server = try await ServerProcess.start(place)
    let kept = "\(place.folder.path)/passkey.secret.audit-checkpoint"
    // The server has seen the log.
    #expect(
      try await HangGuard.waits { () async throws -> Bool in
        try File.names(in: place.folder.path).contains("passkey.secret.audit-checkpoint")
      })
    let checkpoint = try File.bytes(kept)
    let change = "DELETE FROM audit_logs"
    let program = "import sqlite3; c = sqlite3.connect('passkey.sqlite', 60); c.execute('\(change)'); c.commit()"
    let printed = try await waiting { [path = place.folder.path] in
      try Shell.run("python3 -c \"\(program)\"", in: path)
    }
    #expect(printed.isEmpty)
    func reports(_ text: String) async throws -> Bool {
      try await HangGuard.waits { () async throws -> Bool in
        try place.output().contains { $0.contains("warning: ") && $0.contains(text) }
      }
    }
    #expect(try await reports("audit.rolled-back: the log raxx.app/audit/"))
    #expect(try await server.stop() == 0)
    let next = try await ServerProcess.start(place)
    #expect(try await reports("the database has no transparency log"))
    #expect(try await next.stop() == 0)
    // The evidence remains.
    #expect(try File.bytes(kept) == checkpoint)
  }
}
