// SPDX-License-Identifier: Apache-2.0

import PasskeySQLite
import PasskeyStorage
import PasskeyTestSupport
import Testing

/// Administration of a SQLite file that belongs to a server with the service embedded.
@Suite struct SharedFileTests {
  @Test func `a file of an embedding server is administered like one of the service`() async throws {
    let place = try TemporaryFolder()
    await (try SQLiteStorage.open("\(place.path)/shop.db", owner: .embeddingServer)).close()
    let before = try Shell.run("head -c 100 shop.db | od -An -tx1 -j 60 -N 12", in: place.path)
    #expect(
      try Shell.run("passkey-server init ada@raxx.app --database shop.db", in: place.path).contains("ada@raxx.app"))
    #expect(try Shell.run("passkey-server user list --database shop.db", in: place.path).contains("ada@raxx.app"))
    #expect(try Shell.run("passkey-server audit verify --database shop.db; echo $?", in: place.path).hasSuffix("\n0\n"))
    // The user version, the vacuum mode and the application ID are unchanged.
    #expect(try Shell.run("head -c 100 shop.db | od -An -tx1 -j 60 -N 12", in: place.path) == before)
  }
}
