// SPDX-License-Identifier: Apache-2.0

import PasskeyCrypto
import PasskeyFormats
import PasskeyServiceTestSupport
import PasskeyTestSupport
import Testing

/// `passkey-server` with a witness in another process and another language.
@Suite struct WitnessTests {
  private let witness: WitnessProgram

  init() async throws { witness = try await WitnessProgram.start() }

  private var options: [String] { ["--audit-witness", witness.setting] }

  /// Waits until a condition holds. Returns whether it does.
  private static func waits(until condition: () async throws -> Bool) async throws -> Bool {
    let limit = ContinuousClock.now + .seconds(HangGuard.seconds)
    while try await !condition() {
      guard ContinuousClock.now < limit else { return false }
      // Other processes work, and nothing tells when they have done it.
      try await Task.sleep(for: .milliseconds(50))
    }
    return true
  }

  /// Creates a database with a log that the witness knows.
  private func newLog() async throws -> ServerPlace {
    let place = try await ServerPlace(.sqlite(), options)
    #expect(try await place.run("init").contains("error") == false)
    try witness.add(log: try await place.run("audit", "key"))
    try File.write(
      Array("witness w1 \(witness.key)\nquorum w1\n".utf8), to: "\(place.folder.path)/policy")
    return place
  }

  /// Adds accounts on the console.
  private static func addAccounts(_ count: Int, to place: ServerPlace) async throws {
    for _ in 0..<count {
      let name = Hex.encode(try RandomSource.system.bytes(8)[...])
      #expect(try await place.run("user", "add", "\(name)@example.org").contains("error") == false)
    }
  }

  /// Returns the size of the log and of its newest checkpoint that meets the policy; 0 for none.
  private static func sizes(_ place: ServerPlace) async throws -> (size: Int, cosigned: Int) {
    let printed = try await place.run("audit", "verify", "--json")
    let json = try #require(try object(in: printed))
    #expect(try json.require("keyChecked").bool)
    let policy = "\(place.folder.path)/policy"
    let size = try json.require("size").integer(Int.self)
    let verified = try await place.run("audit", "verify", "--json", "--policy", policy)
    // A failure is an object, too.
    guard let cosigned = try object(in: verified)?["cosigned"] else { return (size, 0) }
    return (size, try cosigned.require("size").integer(Int.self))
  }

  /// Returns the JSON object in the output of a command.
  private static func object(in printed: String) throws -> JSONValue? {
    try printed.split(separator: "\n").first { $0.hasPrefix("{") }.map { try JSON.parse(Array($0.utf8)[...]) }
  }

  /// Adds an account and lets a server obtain the cosignature of all records. Returns their number.
  @discardableResult
  private func growWitnessed(_ place: ServerPlace) async throws -> Int {
    let before = try await Self.sizes(place).size
    try await Self.addAccounts(1, to: place)
    let server = try await ServerProcess.start(place)
    var size = 0
    #expect(
      try await Self.waits {
        let sizes = try await Self.sizes(place)
        size = sizes.size
        return size > before && sizes.cosigned == size
      })
    #expect(try await server.stop() == 0)
    #expect(try witness.cosigned().last == size)
    return size
  }

  /// Copies the database and the secret of a stopped server, but not the checkpoint that it kept.
  private func copy(_ place: ServerPlace) async throws -> ServerPlace {
    let other = try await ServerPlace(.sqlite(), options)
    let command = "cp -p passkey.sqlite* passkey.secret policy '\(other.folder.path)/'"
    let printed = try await waiting { [path = place.folder.path] in try Shell.run(command, in: path) }
    #expect(printed.isEmpty)
    return other
  }

  @Test func `checkpoints get cosignatures, which a policy verifies`() async throws {
    let place = try await newLog()
    let policy = "\(place.folder.path)/policy"
    let refused = try await place.run("audit", "verify", "--policy", policy)
    #expect(refused.contains("too few witnesses cosigned the log") && refused.hasSuffix("[7]\n"))
    for _ in 0..<2 {
      let size = try await growWitnessed(place)
      let verified = try await place.run("audit", "verify", "--policy", policy)
      #expect(verified.contains("\(size) records are in a checkpoint that meets the policy: witness.example/w1"))
    }
    #expect(try witness.refused() == [])
  }

  @Test func `a forged cosignature is not stored, and the server asks again`() async throws {
    let place = try await newLog()
    try witness.setFault("forge")
    try await Self.addAccounts(1, to: place)
    let server = try await ServerProcess.start(place)
    let warning = "does not cosign: tlog.signature-invalid"
    #expect(try await Self.waits { try place.output().contains { $0.contains(warning) } })
    try witness.setFault("")
    // The witness has cosigned this size before, so it says so first, at each attempt.
    #expect(try await Self.waits { try place.output().contains { $0.contains("cosigns again") } })
    let refused = try witness.refused()
    #expect(!refused.isEmpty && refused.allSatisfy { $0.hasPrefix("409") })
    #expect(try await Self.sizes(place).cosigned > 0)
    #expect(try place.output().count { $0.contains("does not cosign") } == 1)
    #expect(try await server.stop() == 0)
  }

  @Test func `a store that cannot be read for a witness is reported once`() async throws {
    let place = try await newLog()
    try await growWitnessed(place)
    func setSize(_ size: Int) async throws {
      let change = "UPDATE audit_witnesses SET size = \(size)"
      let program = "import sqlite3; c = sqlite3.connect('passkey.sqlite', 60); c.execute('\(change)'); c.commit()"
      let printed = try await waiting { [path = place.folder.path] in
        try Shell.run("python3 -c \"\(program)\"", in: path)
      }
      #expect(printed.isEmpty)
    }
    try await setSize(-1)
    let server = try await ServerProcess.start(place)
    #expect(
      try await Self.waits {
        try place.output().contains { $0.contains("does not cosign: ") && $0.contains("storage.corrupt") }
      })
    try await setSize(0)
    #expect(try await Self.waits { try place.output().contains { $0.contains("cosigns again") } })
    #expect(try place.output().count { $0.contains("does not cosign") } == 1)
    #expect(try await server.stop() == 0)
  }

  @Test func `a witness refuses the second of two copies that went on, and that copy adds nothing more to its log`()
    async throws
  {
    let place = try await newLog()
    let copied = try await growWitnessed(place)
    let (shorter, longer) = (try await copy(place), try await copy(place))
    let size = try await growWitnessed(place)

    // An older copy has fewer records than the witness. With witnesses, a command leaves its records to the server.
    let configuration = "\(shorter.folder.path)/passkey-server.json"
    try File.write(Array(#"{"audit-witness": ["\#(witness.setting)"]}"#.utf8), to: configuration)
    let checkpoint = try await shorter.run("audit", "checkpoint")
    let added = try await shorter.run("user", "add", "early@example.org", "--config", configuration)
    #expect(!added.contains("error"))
    #expect(try await shorter.run("audit", "verify").contains("records that wait for their places: "))
    #expect(try await shorter.run("audit", "checkpoint") == checkpoint)
    let server = try await ServerProcess.start(shorter)
    #expect(try await Self.waits { try shorter.output().contains { $0.contains("contradicts this database") } })
    let reason = "it has cosigned a log of \(size) records, and the database has \(copied)"
    #expect(try shorter.output().contains { $0.contains(reason) })
    // Requests are answered, and their records wait.
    _ = try await Client(at: server.port, Ledger()).signUp()
    #expect(try await server.stop() == 0)
    #expect(try await shorter.run("audit", "checkpoint") == checkpoint)
    let verified = try await shorter.run("audit", "verify")
    #expect(verified.contains("records that wait for their places: "))
    let contradiction = "the witness witness.example/w1 has cosigned other records than the \(copied) of the database"
    #expect(verified.contains("warning: \(contradiction)"))
    #expect(try await shorter.run("audit", "verify", "--json").contains(#""contradiction":"\#(contradiction)""#))

    // The other copy has more records than the witness, but others.
    try await Self.addAccounts(3, to: longer)
    let other = try await ServerProcess.start(longer)
    #expect(try await Self.waits { try longer.output().contains { $0.contains("contradicts this database") } })
    #expect(try longer.output().contains { $0.contains("it has cosigned another log of \(size) records") })
    #expect(try witness.refused().last?.hasPrefix("422 ") == true)
    #expect(try await other.stop() == 0)

    // The original goes on, and after a new beginning the copy is a log of its own.
    try await growWitnessed(place)
    #expect(try await longer.run("audit", "begin", "--after-restore").contains("follows epoch 1, which has "))
    try witness.add(log: try await longer.run("audit", "key"))
    try await growWitnessed(longer)
  }
}
