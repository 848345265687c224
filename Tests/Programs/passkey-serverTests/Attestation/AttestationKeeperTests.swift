// SPDX-License-Identifier: Apache-2.0

import Glibc
import PasskeyCommandLine
import PasskeyFormats
import PasskeySystem
import PasskeyTestSupport
import Testing
import WebAuthnAttestation
import WebAuthnTypes

@testable import passkey_server

/// A keeper with a server of its own, a clock that tests set, and what it reported.
private final class KeeperWorld: Sendable {
  struct State: Sendable {
    var now = MetadataSample.now
    var reply: Result<[UInt8], MetadataReader.FetchFailure> = .failure(.init(reason: "no server"))
    var fetches = 0
    var reports: [String] = []
    var numbers: [UInt64?] = []
  }

  let state = Locked(State())
  let folder: TemporaryFolder
  let sample: MetadataSample

  init() throws {
    folder = try TemporaryFolder()
    sample = try MetadataSample()
    try folder.write(sample.root, to: "root.pem")
  }

  func keeper(_ metadata: String) throws -> AttestationKeeper {
    let options = [
      "--metadata", metadata, "--metadata-root", "\(folder.path)/root.pem", "--database", "\(folder.path)/db",
    ]
    let parsed = try ParsedArguments(options, for: ServeCommand.specification, of: "passkey-server")
    let settings = try Settings(parsed, environment: [:]) { (path) throws(CommandFailure) in
      throw .inputOutput("no \(path)")
    }
    return try AttestationKeeper(
      try ServerConfiguration(settings).attestation,
      fetch: { (_) in
        self.state.update { (state) in
          state.fetches += 1
          return state.reply
        }
      },
      clock: { self.state.withLock { $0.now } }, report: { text in self.state.update { $0.reports.append(text) } },
      apply: { policy in self.state.update { $0.numbers.append(policy.trustAnchors.metadata?.number) } })
  }

  func serve(_ blob: [UInt8]) { state.withLock { $0.reply = .success(blob) } }

  /// Waits for a change, on a thread that may block.
  func wait(for body: @escaping @Sendable (State) -> Bool) async throws {
    try await waiting { self.state.wait { body($0) ? () : nil } }
  }

  static let url = "https://mds.example/"
}

@Suite struct AttestationKeeperTests {
  @Test func `a file is used at the start and read again on request`() async throws {
    let world = try KeeperWorld()
    try world.folder.write(String(decoding: world.sample.blob(5), as: UTF8.self), to: "blob")
    let keeper = try world.keeper("\(world.folder.path)/blob")
    try await keeper.load()
    keeper.start()
    #expect(world.state.withLock { $0.numbers } == [5])
    try world.folder.write(String(decoding: world.sample.blob(6), as: UTF8.self), to: "blob")
    keeper.reload()
    try await world.wait { $0.numbers == [5, 6] && $0.reports.count == 1 }
    // An older issue and a damaged file leave the newer one in use.
    try world.folder.write(String(decoding: world.sample.blob(4), as: UTF8.self), to: "blob")
    keeper.reload()
    try await world.wait { $0.reports.count == 2 }
    try world.folder.write("no token", to: "blob")
    keeper.reload()
    try await world.wait { $0.reports.count == 3 }
    keeper.stop()
    let reports = world.state.withLock { $0.reports }
    #expect(reports[0] == "using the metadata no. 6, next update 2027-02-01T00:00:00Z")
    #expect(reports[1].contains("metadata.number-gone-back") && reports[2].contains("metadata.malformed-token"))
    #expect(reports.dropFirst().allSatisfy { $0.hasPrefix("still using the old attestation lists: ") })
    #expect(world.state.withLock { $0.numbers } == [5, 6])
  }

  @Test func `metadata of a URL are fetched once, and then come from the cache`() async throws {
    let world = try KeeperWorld()
    let failure = await #expect(throws: CommandFailure.self) { try await world.keeper(KeeperWorld.url).load() }
    #expect(failure?.message == "cannot fetch the metadata from https://mds.example/: no server")
    world.serve(try world.sample.blob(7))
    try await world.keeper(KeeperWorld.url).load()
    world.state.withLock { $0.reply = .failure(.init(reason: "no server")) }
    try await world.keeper(KeeperWorld.url).load()
    #expect(world.state.withLock { $0.numbers } == [7, 7])
    #expect(world.state.withLock { $0.fetches } == 2)
    // A damaged cache is fetched again.
    try world.folder.write("damaged", to: "db.metadata")
    world.serve(try world.sample.blob(8))
    try await world.keeper(KeeperWorld.url).load()
    #expect(world.state.withLock { $0.numbers } == [7, 7, 8])
    // A pipe in its place is not waited for.
    try Folder.deleteFile("\(world.folder.path)/db.metadata")
    #expect(unsafe mkfifo("\(world.folder.path)/db.metadata", 0o600) == 0)
    try await world.keeper(KeeperWorld.url).load()
    let reports = world.state.withLock { $0.reports }
    let fetching = "fetching the metadata from https://mds.example/, for at most two minutes"
    #expect(reports.count == 6 && reports.filter { $0 == fetching }.count == 4)
    #expect(reports[2].contains("metadata.malformed-token"))
    #expect(reports[4] == "warning: \"\(world.folder.path)/db.metadata\" is not a regular file")
  }

  @Test func `unreadable entries are counted in a warning`() async throws {
    let world = try KeeperWorld()
    let other = "08080808-0808-0808-0808-080808080808"
    let blob = try world.sample.blob(
      5, secondEntry: "{\"aaguid\":\"\(other)\",\"metadataStatement\":7,\"statusReports\":[]}")
    try world.folder.write(String(decoding: blob, as: UTF8.self), to: "blob")
    try await world.keeper("\(world.folder.path)/blob").load()
    let report = try #require(world.state.withLock { $0.reports }.first)
    #expect(
      report.hasPrefix(
        "warning: the metadata no. 5 have unreadable entries, 1 of 2; their models are not anchored. "
          + "The first: no. 1 (\(other)), metadata.malformed-entry"))
  }

  @Test func `metadata are fetched when their next update is due, and never replaced by older ones`() async throws {
    let world = try KeeperWorld()
    let due = try UnixTime(rfc3339: "2027-02-01T00:00:00Z")
    world.state.withLock { $0.now = due - .seconds(1) }
    world.serve(try world.sample.blob(7))
    let keeper = try world.keeper(KeeperWorld.url)
    try await keeper.load()
    world.serve(try world.sample.blob(8, next: "2027-03-01"))
    keeper.start()
    #expect(world.state.withLock { $0.fetches } == 1)
    world.state.withLock { $0.now = due }
    try await world.wait { $0.numbers == [7, 8] && $0.reports.count == 2 }
    world.serve(try world.sample.blob(6, next: "2027-04-01"))
    keeper.reload()
    try await world.wait { $0.reports.count == 3 }
    keeper.stop()
    #expect(world.state.withLock { $0.reports }[2].contains("metadata.number-gone-back"))
    #expect(world.state.withLock { $0.numbers } == [7, 8])
    let cached = try world.keeper(KeeperWorld.url)
    try await cached.load()
    #expect(world.state.withLock { $0.numbers } == [7, 8, 8])
  }

  @Test func `overdue metadata are used with a warning`() async throws {
    let world = try KeeperWorld()
    try world.folder.write(String(decoding: world.sample.blob(5, next: "2027-01-01"), as: UTF8.self), to: "blob")
    try await world.keeper("\(world.folder.path)/blob").load()
    #expect(world.state.withLock { $0.numbers } == [5])
    #expect(
      world.state.withLock { $0.reports } == [
        "warning: the metadata no. 5 are overdue: their next update was 2027-01-01T00:00:00Z"
      ])
  }

  @Test func `libcurl fetches from a server on this machine, and reports what failed`() async throws {
    let answered = await MetadataReader.fetch("http://127.0.0.1:1/")
    guard case .failure(let failure) = answered else {
      Issue.record("there is no server on port 1")
      return
    }
    #expect(failure.reason == "the server cannot be reached")
  }
}
