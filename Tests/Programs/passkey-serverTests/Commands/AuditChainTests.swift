// SPDX-License-Identifier: Apache-2.0

import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// The commands of the audit trail on a store whose trail is a chain.
@Suite struct AuditChainTests {
  private let place: TemporaryFolder

  init() async throws {
    place = try TemporaryFolder()
    try await ChainStore.create("\(place.path)/passkey.sqlite", secretPath: "\(place.path)/passkey.secret")
  }

  private func run(_ command: String) throws -> String {
    try Shell.run(command, in: place.path).replacing(#/[0-9a-f]{64}/#, with: "HASH")
  }

  private static let invalid = "passkey-server: error: the audit trail is invalid: audit.head-mismatch:"

  @Test func `a chain stays one, and contains the ends that were kept`() throws {
    _ = try run("passkey-server init ada@raxx.app")
    #expect(try run("ls passkey.secret*") == "passkey.secret\n")
    #expect(
      try run("passkey-server audit verify | tee end")
        == "passkey-server: 2 records form an unbroken chain, sealed with the secret\n2:HASH\n")
    _ = try run("passkey-server audit verify 2>/dev/null >end; passkey-server user add bob@raxx.app")
    let four = "passkey-server: 4 records form an unbroken chain, sealed with the secret\n4:HASH\n"
    #expect(try run("passkey-server audit verify --end \"$(cat end)\"") == four)
    let zeros = String(repeating: "0", count: 64)
    for (number, end) in [(2, 2), (9, 4)] {
      #expect(
        try run("passkey-server audit verify --end \(number):\(zeros)")
          .hasPrefix("\(Self.invalid) \(number) HASH expected, \(end) HASH received\n"))
    }
    _ = try run("passkey-server backup copy.sqlite")
    #expect(try run("passkey-server audit verify --database copy.sqlite --end \"$(cat end)\"") == four)
    #expect(try run("passkey-server audit key").contains("the trail is a chain, not a log"))
  }

  @Test func `the seal needs the secret, and another secret seals it again`() throws {
    _ = try run("passkey-server init ada@raxx.app; mv passkey.secret away")
    #expect(try run("passkey-server audit verify").contains("there is no secret"))
    #expect(
      try run("passkey-server audit verify --no-seal")
        == "passkey-server: 2 records form an unbroken chain; the seal was not checked\n2:HASH\n")
    #expect(
      try run("head -c 32 /dev/urandom >passkey.secret; chmod 600 passkey.secret; passkey-server audit verify")
        .hasPrefix("passkey-server: error: the audit trail was sealed with a different secret: audit.seal-mismatch"))
    #expect(
      try run("mv away passkey.secret; passkey-server audit seal; passkey-server audit verify")
        == """
        passkey-server: sealed the trail at record 3
        passkey-server: 3 records form an unbroken chain, sealed with the secret
        3:HASH

        """)
  }

  @Test func `a chain becomes a log that names its end`() throws {
    _ = try run("passkey-server init ada@raxx.app")
    #expect(try run("passkey-server audit begin").contains("follows record 2; its key:"))
    let verified = try run("passkey-server audit verify")
    #expect(verified.contains("2 records form an unbroken chain, sealed with the secret\n"))
    #expect(verified.contains("1 record is in the log raxx.app/audit/"))
    #expect(try run("passkey-server audit begin").contains("the trail is a log already"))
    #expect(
      try run("passkey-server audit seal")
        == "passkey-server: error: the trail is a log: only a chain is sealed\n[5]\n")
  }
}
